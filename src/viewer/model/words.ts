/** A word with its box in fractions of the page, as in `…/pages/<slug>-p<n>.position.json`. */
export interface PageWord {
  text: string;
  x1: number;
  x2: number;
  y1: number;
  y2: number;
  /** False for a word whose line is vertical. */
  upright?: boolean;
  /** -1 for a word that runs from right to left, or upwards. */
  direction?: number;
}

/** Words that stand next to each other on a line, in reading order. */
export interface Line {
  words: PageWord[];
  x1: number;
  x2: number;
  y1: number;
  y2: number;
  isToLeft: boolean;
  isUpright: boolean;
}

/** Groups words into lines. Words are in reading order, so a line ends if the next word is not beside its last one. */
export function linesOf(words: readonly PageWord[]): Line[] {
  const lines: Line[] = [];
  for (const word of words) {
    if (word.text === "") continue;
    const line = lines.at(-1);
    if (line !== undefined && continues(line, word)) {
      line.words.push(word);
      line.x1 = Math.min(line.x1, word.x1);
      line.x2 = Math.max(line.x2, word.x2);
      line.y1 = Math.min(line.y1, word.y1);
      line.y2 = Math.max(line.y2, word.y2);
    } else {
      lines.push({
        words: [word],
        x1: word.x1,
        x2: word.x2,
        y1: word.y1,
        y2: word.y2,
        isToLeft: runsToLeft(word),
        isUpright: word.upright !== false,
      });
    }
  }
  return lines;
}

function continues(line: Line, word: PageWord): boolean {
  const last = line.words.at(-1);
  if (last === undefined || !line.isUpright || word.upright === false) return false;
  const middle = (word.y1 + word.y2) / 2;
  if (middle < last.y1 || middle > last.y2) return false;
  const height = Math.max(last.y2 - last.y1, word.y2 - word.y1);
  if (runsToLeft(word) !== line.isToLeft) return false;
  const step = line.isToLeft ? last.x1 - word.x2 : word.x1 - last.x2;
  // A word in a distant column begins another line, and so does a word before the last one.
  return step > -height && step < 6 * height;
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

function runsToLeft({ text, upright, direction }: PageWord): boolean {
  return upright !== false && (direction === -1 || rightToLeft.test(text));
}

/** Whether two words are written without a space between them, as in Chinese and Japanese. */
export function isJoined(before: PageWord, after: PageWord): boolean {
  return ideographs.test(before.text.slice(-1)) && ideographs.test(after.text.slice(0, 1));
}

const ideographs = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;
