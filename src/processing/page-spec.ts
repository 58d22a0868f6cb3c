/*
 * `page_spec`, the sizes of a document's pages as one line of text: `612.00x792.00:0-427,429;595.28x841.89:428`.
 * Groups stand in the order in which their size first appears; page numbers count from 0. Two choices shape this
 * module. A size keeps its original text: imported specs hold `611.99` and `792.0`, and a number would come back as
 * `792`. Pages stay ranges, because `0-999999999999` is a short text that must not take much memory.
 */

/**
 * The most pages that a document may have. The word index has room for a few more, and everything that grows with the
 * pages of a document stays within reason.
 */
export const maxPages = 500_000;

/** The most characters of a spec. A list shows the specs of up to a thousand documents. */
export const maxPageSpecLength = 128 * 1024;

/** In points, as decimal numbers: `612.00`. Sizes are the same when their texts are. */
export interface PageSize {
  readonly width: string;
  readonly height: string;
}

export interface PageSizeGroup {
  readonly size: PageSize;
  readonly runs: readonly PageRun[];
}

/** A range of pages. Both ends are included. */
export interface PageRun {
  readonly first: number;
  readonly last: number;
}

/** The fault of a page spec. The message is the end of a sentence: "page_spec …". */
export class PageSpecError extends Error {
  override readonly name = "PageSpecError";
}

/** A size measured in points, with two decimals. */
export function pageSizeOf(width: number, height: number): PageSize {
  return { width: width.toFixed(2), height: height.toFixed(2) };
}

/**
 * The spec of a document with these pages, in their order. Without pages it is empty. If it would be too long, the
 * sizes are rounded to points; if that is not enough, all pages have the most common size.
 */
export function formatPageSpec(sizes: Iterable<PageSize>): string {
  const all = [...sizes];
  const exact = formatAll(all);
  if (exact.length <= maxPageSpecLength) return exact;
  const rounded = formatAll(all.map(({ width, height }) => pageSizeOf(rounding(width), rounding(height))));
  return rounded.length <= maxPageSpecLength ? rounded : formatAll(all.fill(usualSize(all)));
}

const rounding = (length: string): number => Math.max(1, Math.round(Number(length)));

function usualSize(sizes: readonly PageSize[]): PageSize {
  const bySize = Map.groupBy(sizes, ({ width, height }) => `${width}x${height}`);
  const [most] = [...bySize.values()].toSorted((one, other) => other.length - one.length);
  return most?.[0] ?? pageSizeOf(1, 1);
}

function formatAll(sizes: Iterable<PageSize>): string {
  const groups = new Map<string, { first: number; last: number }[]>();
  let page = 0;
  for (const { width, height } of sizes) {
    const size = `${width}x${height}`;
    const runs = groups.get(size);
    const run = runs?.at(-1);
    if (runs === undefined) groups.set(size, [{ first: page, last: page }]);
    else if (run !== undefined && run.last === page - 1) run.last = page;
    else runs.push({ first: page, last: page });
    page += 1;
  }
  return Array.from(groups, ([size, runs]) => `${size}:${runs.map(formatRun).join(",")}`).join(";");
}

const formatRun = ({ first, last }: PageRun): string => (first === last ? `${first}` : `${first}-${last}`);

/**
 * Parses a spec, which need not be in its shortest form. {@link checkPageSpec} checks whether every page has a size. An
 * empty text stands for unknown sizes and has no groups.
 *
 * @throws {PageSpecError} for an invalid spec.
 */
export function parsePageSpec(text: string): PageSizeGroup[] {
  return text === "" ? [] : text.split(";").map(parseGroup);
}

/** The last spec that {@link storedPageSpec} has parsed: a page of a site needs the same one several times. */
let lastStored: { text: string; groups: readonly PageSizeGroup[] } = { text: "", groups: [] };

/** The groups of a stored spec. None if it is invalid: the sizes are unknown then. */
export function storedPageSpec(text: string): readonly PageSizeGroup[] {
  if (lastStored.text !== text) lastStored = { text, groups: parsedOrNone(text) };
  return lastStored.groups;
}

function parsedOrNone(text: string): PageSizeGroup[] {
  try {
    return parsePageSpec(text);
  } catch (error) {
    if (error instanceof PageSpecError) return [];
    throw error;
  }
}

/** The sides of a page as a spec has them, as a part of a regular expression. */
export const pageSides = String.raw`(\d{1,9}(?:\.\d{1,20})?)x(\d{1,9}(?:\.\d{1,20})?)`;
const startOfGroup = new RegExp(`^${pageSides}:`);

function parseGroup(text: string): PageSizeGroup {
  const match = startOfGroup.exec(text);
  const [start, width, height] = match ?? [];
  if (start === undefined || width === undefined || height === undefined) {
    throw new PageSpecError(`has "${excerpt(text)}" where <width>x<height>:<pages> belongs`);
  }
  return { size: { width, height }, runs: text.slice(start.length).split(",").map(parseRun) };
}

function parseRun(text: string): PageRun {
  const match = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text);
  if (match === null)
    throw new PageSpecError(`has "${excerpt(text)}" where a page or <first>-<last> belongs`);
  const first = Number(match[1]);
  const last = Number(match[2] ?? match[1]);
  if (last < first) throw new PageSpecError(`has pages backwards: ${text}`);
  return { first, last };
}

const excerpt = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/**
 * Checks that every page from 0 up to `pageCount` has exactly one size, and that no other page has one. A spec without
 * groups passes: the sizes may all be unknown, but not only some of them.
 *
 * @throws {PageSpecError} naming the first page that is wrong.
 */
export function checkPageSpec(groups: readonly PageSizeGroup[], pageCount: number): void {
  if (groups.length === 0) return;
  const runs = groups.flatMap((group) => group.runs).toSorted((a, b) => a.first - b.first);
  let next = 0;
  for (const { first, last } of runs) {
    if (first < next) throw new PageSpecError(`gives page ${first} two sizes, counting from 0`);
    if (first > next && next < pageCount) break;
    if (last >= pageCount)
      throw new PageSpecError(`goes up to page ${last} of ${pageCount}, counting from 0`);
    next = last + 1;
  }
  if (next < pageCount)
    throw new PageSpecError(`gives page ${next} of ${pageCount} no size, counting from 0`);
}

/** The size of one page, counted from 0. Undefined if the spec does not contain the page. */
export function pageSizeAt(groups: readonly PageSizeGroup[], index: number): PageSize | undefined {
  return groups.find(({ runs }) => runs.some(({ first, last }) => first <= index && index <= last))?.size;
}

/**
 * The sizes of all pages in their order, without looking each of them up. Undefined for a page that the spec does not
 * contain.
 */
export function* pageSizes(
  groups: readonly PageSizeGroup[],
  pageCount: number,
): Generator<PageSize | undefined> {
  const runs = groups
    .flatMap(({ size, runs: ofSize }) => ofSize.map(({ first, last }) => ({ size, first, last })))
    .toSorted((a, b) => a.first - b.first);
  let next = 0;
  for (let page = 0; page < pageCount; page++) {
    while (next < runs.length && (runs[next]?.last ?? 0) < page) next += 1;
    const run = runs[next];
    yield run !== undefined && run.first <= page ? run.size : undefined;
  }
}
