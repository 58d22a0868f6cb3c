import type { PageCharacters } from "./page-words.ts";
import type { AnnotationAt } from "./reading-order.ts";

/** A text that was written on a page, in letters that no font of pdfium has, so that nothing is drawn of it. */
export interface UndrawnText {
  text: string;
  /** Left, top, right, bottom in page coordinates. */
  box: readonly [number, number, number, number];
}

const lineFeed = 0x0a;

/** The characters of a page, and after them those of texts that are not drawn, each text an annotation of its own. */
export function withUndrawn(
  characters: PageCharacters,
  annotationAt: AnnotationAt | null,
  texts: readonly UndrawnText[],
): { characters: PageCharacters; annotationAt: AnnotationAt } {
  const added = texts.flatMap(({ text, box }, number) => {
    const lines = text.split(/\r\n|[\r\n]/);
    return lines.flatMap((line, index) => charactersOf(line, lineOf(box, index, lines.length), -1 - number));
  });
  const at = (index: number): Added | undefined => added[index - characters.count];
  return {
    characters: {
      count: characters.count + added.length,
      codeAt: (index) => at(index)?.code ?? characters.codeAt(index),
      boxAt(index) {
        const own = at(index);
        return own === undefined ? characters.boxAt(index) : own.box;
      },
      angleAt: (index) => (at(index) === undefined ? characters.angleAt(index) : 0),
      isHyphenAt: (index) => at(index) === undefined && characters.isHyphenAt(index),
      isUnmappedAt: (index) => at(index) === undefined && characters.isUnmappedAt(index),
    },
    annotationAt: (index) => at(index)?.annotation ?? annotationAt?.(index) ?? null,
  };
}

interface Added {
  code: number;
  box: readonly number[] | null;
  /** Below 0: pdfium numbers the annotations that it draws from 0. */
  annotation: number;
}

/** A line has its part of the box, and each of its characters has a part of the line. */
function lineOf(
  [left, top, right, bottom]: UndrawnText["box"],
  index: number,
  lines: number,
): UndrawnText["box"] {
  const height = (top - bottom) / lines;
  return [left, top - index * height, right, top - (index + 1) * height];
}

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u;

function charactersOf(
  line: string,
  [left, top, right, bottom]: UndrawnText["box"],
  annotation: number,
): Added[] {
  const width = (right - left) / Math.max(1, line.length);
  const isFromRight = rightToLeft.test(line);
  const codes = Array.from({ length: line.length }, (_, index) => line.charCodeAt(index));
  return [
    { code: lineFeed, box: null, annotation },
    ...codes.map((code, index) => {
      const start = isFromRight ? right - (index + 1) * width : left + index * width;
      return { code, box: [start, top, start + width, bottom], annotation };
    }),
  ];
}
