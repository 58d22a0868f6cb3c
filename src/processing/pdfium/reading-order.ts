import type { PageCharacters } from "./page-words.ts";

/*
 * pdfium puts the text of form fields and stamps after all other text of the page. A person reads it at its position:
 * after its label, or between two lines. So each annotation's text is moved there as a whole. It goes into the line
 * that it is on, before the first word to its right. If it is on no line, it goes below the line above it.
 */

/** The annotation that a character belongs to; null if it belongs to the page. */
export type AnnotationAt = (index: number) => number | null;

const space = -1;
const lineEnd = -2;

/** If more comparisons are needed, the text of annotations stays after the rest. */
const maxComparisons = 4_000_000;

/** An area in text coordinates, whichever way the text runs: along the line, and across from line to line. */
interface Area {
  start: number;
  end: number;
  top: number;
  bottom: number;
}

interface Row {
  /** Indexes of characters, {@link space} or {@link lineEnd}. */
  items: number[];
  area: Area | null;
  quarterTurns: number;
  /** Its last word continues in the next row. */
  isDivided: boolean;
}

/** The characters of the page that belong to no annotation. */
export function ownCharacters(characters: PageCharacters, annotationAt: AnnotationAt): PageCharacters {
  const items: number[] = [];
  for (let index = 0; index < characters.count; index++) {
    if (annotationAt(index) === null) items.push(index);
  }
  return ordered(characters, items);
}

/** All characters in reading order. */
export function inReadingOrder(characters: PageCharacters, annotationAt: AnnotationAt): PageCharacters {
  const rows: Row[] = [];
  const blocks = new Map<number, Row[]>();
  for (const { annotation, row } of rowsOf(characters, annotationAt)) {
    if (row.area === null) continue;
    if (annotation === null) rows.push(row);
    else blocks.set(annotation, [...(blocks.get(annotation) ?? []), row]);
  }
  const annotations = [...blocks.values()].map((block) => asOne(block, characters));
  const isTooMuch = annotations.length * (rows.length + annotations.length) > maxComparisons;
  for (const row of annotations.toSorted(fromTheTop)) {
    if (isTooMuch) rows.push(row);
    else insert(rows, row, characters);
  }
  const items: number[] = [];
  for (const row of rows) items.push(...row.items, ...(row.isDivided ? [] : [lineEnd]));
  return ordered(characters, items);
}

function ordered(characters: PageCharacters, items: readonly number[]): PageCharacters {
  const at = (index: number): number => items[index] ?? lineEnd;
  return {
    count: items.length,
    codeAt: (index) => (at(index) >= 0 ? characters.codeAt(at(index)) : at(index) === space ? 0x20 : 0x0a),
    boxAt: (index) => (at(index) >= 0 ? characters.boxAt(at(index)) : null),
    angleAt: (index) => (at(index) >= 0 ? characters.angleAt(at(index)) : 0),
    isHyphenAt: (index) => at(index) >= 0 && characters.isHyphenAt(at(index)),
    isUnmappedAt: (index) => at(index) >= 0 && characters.isUnmappedAt(at(index)),
  };
}

function* rowsOf(
  characters: PageCharacters,
  annotationAt: AnnotationAt,
): Generator<{ annotation: number | null; row: Row }> {
  let annotation: number | null = null;
  let row = newRow();
  for (let index = 0; index < characters.count; index++) {
    const owner = annotationAt(index);
    if (owner !== annotation && row.items.length > 0) {
      yield { annotation, row };
      row = newRow();
    }
    annotation = owner;
    const code = characters.codeAt(index);
    if (code === 0x0d) continue;
    if (code !== 0x0a) addTo(row, characters, index);
    row.isDivided = code !== 0x0a && characters.isHyphenAt(index);
    if (code !== 0x0a && !row.isDivided) continue;
    yield { annotation, row };
    row = newRow();
  }
  if (row.items.length > 0) yield { annotation, row };
}

const newRow = (): Row => ({ items: [], area: null, quarterTurns: 0, isDivided: false });

function addTo(row: Row, characters: PageCharacters, index: number): void {
  row.items.push(index);
  if (isSpace(characters, index)) return;
  if (row.area === null) {
    row.quarterTurns = Math.round(characters.angleAt(index) / (Math.PI / 2)) & 3;
  }
  const area = areaOf(characters, index, row.quarterTurns);
  if (area !== null) row.area = united(row.area, area);
}

function areaOf(characters: PageCharacters, index: number, quarterTurns: number): Area | null {
  const box = characters.boxAt(index);
  const [left = Number.NaN, top = 0, right = 0, bottom = 0] = box === null ? [] : Array.from(box);
  if (!Number.isFinite(left + top + right + bottom)) return null;
  // Numbers grow down the page, in reading order.
  const area = [
    { start: left, end: right, top: -top, bottom: -bottom },
    { start: -top, end: -bottom, top: -right, bottom: -left },
    { start: -right, end: -left, top: bottom, bottom: top },
    { start: bottom, end: top, top: left, bottom: right },
  ][quarterTurns];
  return area ?? null;
}

function united(one: Area | null, other: Area): Area {
  if (one === null) return { ...other };
  return {
    start: Math.min(one.start, other.start),
    end: Math.max(one.end, other.end),
    top: Math.min(one.top, other.top),
    bottom: Math.max(one.bottom, other.bottom),
  };
}

const isSpace = (characters: PageCharacters, item: number): boolean =>
  item < 0 || /\s/.test(String.fromCodePoint(characters.codeAt(item) & 0xffff));

/** The rows of an annotation stay together, at the position of the first one. */
function asOne(rows: readonly Row[], characters: PageCharacters): Row {
  const items = rows.flatMap((row) => [...row.items, ...(row.isDivided ? [] : [lineEnd])]);
  const isText = (item: number): boolean => !isSpace(characters, item);
  const trimmed = items.slice(Math.max(0, items.findIndex(isText)), items.findLastIndex(isText) + 1);
  const { area = null, quarterTurns = 0 } = rows[0] ?? {};
  return { items: trimmed, area, quarterTurns, isDivided: false };
}

function fromTheTop(one: Row, other: Row): number {
  const [a, b] = [one.area, other.area];
  if (a === null || b === null) return 0;
  return middleOf(a) - middleOf(b) || a.start - b.start;
}

const middleOf = ({ top, bottom }: Area): number => (top + bottom) / 2;

function insert(rows: Row[], block: Row, characters: PageCharacters): void {
  const { area, quarterTurns } = block;
  if (area === null) return;
  let beside: Row | null = null;
  let above = -1;
  let below = -1;
  for (const [index, row] of rows.entries()) {
    if (row.area === null || row.quarterTurns !== quarterTurns) continue;
    if (isBeside(row.area, area)) {
      const known = beside?.area ?? null;
      if (known === null || distance(row.area, area) < distance(known, area)) beside = row;
    } else if (middleOf(row.area) < middleOf(area)) {
      if (above < 0 || isNearer(row.area, rows[above]?.area ?? null, area)) above = index;
    } else if (below < 0) below = index;
  }
  if (beside !== null) return insertInto(beside, block, area, characters);
  let index = above < 0 ? (below < 0 ? rows.length : below) : above + 1;
  while (index > 0 && rows[index - 1]?.isDivided === true) index += 1;
  rows.splice(index, 0, block);
}

/** Whether two areas are on one line: they overlap by at least half the height of the lower one. */
function isBeside(one: Area, other: Area): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared * 2 >= Math.min(one.bottom - one.top, other.bottom - other.top) && shared > 0;
}

/** The distance from the end of a preceding area. A following area counts as further away than any preceding one. */
function distance(row: Area, block: Area): number {
  return row.start <= block.start ? Math.max(0, block.start - row.end) : 1e6 + row.start - block.start;
}

/** Of two lines above, the one in the same column is nearer. Within a column, the lower one is nearer. */
function isNearer(row: Area, known: Area | null, block: Area): boolean {
  if (known === null) return true;
  const isOver = (area: Area): boolean => area.start < block.end && area.end > block.start;
  if (isOver(row) !== isOver(known)) return isOver(row);
  return middleOf(row) >= middleOf(known);
}

/** Inserts between two words, never within a word. */
function insertInto(row: Row, block: Row, area: Area, characters: PageCharacters): void {
  const { items, quarterTurns } = row;
  let index = items.findIndex((item) => {
    const own = item < 0 ? null : areaOf(characters, item, quarterTurns);
    return own !== null && !isSpace(characters, item) && (own.start + own.end) / 2 > area.start;
  });
  if (index < 0) index = row.isDivided ? items.length - 1 : items.length;
  while (index > 0 && index < items.length && !isSpace(characters, items[index - 1] ?? space)) index -= 1;
  const isApart = (item: number | undefined): boolean => item === undefined || isSpace(characters, item);
  items.splice(
    index,
    0,
    ...(isApart(items[index - 1]) ? [] : [space]),
    ...block.items,
    ...(isApart(items[index]) ? [] : [space]),
  );
  row.area = united(row.area, area);
}
