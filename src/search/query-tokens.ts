/** A token of a query. Tokenizing never fails. */
export type Token =
  | { kind: "open" | "and" | "or" | "not" | "must" | "mustNot"; text: string }
  | { kind: "close"; suffix: Suffix; text: string }
  /** A field's name with its colon. */
  | { kind: "field"; name: string; text: string }
  | { kind: "phrase"; value: string; suffix: Suffix; text: string }
  | { kind: "range"; from: RangeEnd; to: RangeEnd; text: string }
  | { kind: "term"; value: TermPiece[]; suffix: Suffix; text: string }
  /** A bracket, a sign or a field's name without a counterpart. */
  | { kind: "stray"; text: string };

/** A literal part of a term, or a wildcard without a backslash. */
export type TermPiece = { literal: string } | { wildcard: "*" | "?" };

/** The suffix of a term or a phrase. */
export interface Suffix {
  /** After `~`: a number, or an empty text. */
  fuzzy: string | null;
  /** After `^`. */
  boost: number;
}

export interface RangeEnd {
  value: string;
  isIncluded: boolean;
}

const space = /\s*/y;
const operator = /(?:&&|AND(?=[\s()]|$))|(?:\|\||OR(?=[\s()]|$))|(?:!(?=\S)|NOT(?=[\s(]|$))/y;
const field = /([A-Za-z_][\w-]*)\s?:\s*(?=[^\s)])/y;
const phrase = /"((?:[^"\\]|\\[^])*)"/y;
// The ends have a limited length: otherwise a row of brackets would be scanned to its end from each of them.
const range =
  /([[{])\s*("(?:[^"\\]|\\[^]){0,300}"|[^\s\]}]{1,300})\s+TO\s+("(?:[^"\\]|\\[^]){0,300}"|[^\s\]}]{1,300})\s*([\]}])/y;
const suffix = /(?:~(\d*(?:\.\d+)?)|\^(\d+(?:\.\d+)?))/y;
const term = /(?:\\[^]|[^\s()"[\]{}~^\\])+/y;

/** `isField` tells whether a name is a field: anything that only looks like a field is a term. */
export function tokensOf(text: string, isField: (name: string) => boolean): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at += found[0].length;
    return found;
  };
  const takeSuffix = (): Suffix => {
    const result: Suffix = { fuzzy: null, boost: 1 };
    for (let found = take(suffix); found !== null; found = take(suffix)) {
      if (found[2] === undefined) result.fuzzy = found[1] ?? "";
      else result.boost = boostOf(Number(found[2]));
    }
    return result;
  };
  for (take(space); at < text.length; take(space)) {
    const start = at;
    const written = (): string => text.slice(start, at);
    const character = text[at] as string;
    if (character === "(" || character === ")") {
      at += 1;
      if (character === "(") tokens.push({ kind: "open", text: character });
      else tokens.push({ kind: "close", suffix: takeSuffix(), text: written() });
      continue;
    }
    const named = take(operator);
    if (named !== null) {
      const kind = /^[&A]/.test(named[0]) ? "and" : /^[|O]/.test(named[0]) ? "or" : "not";
      tokens.push({ kind, text: named[0] });
      continue;
    }
    if ((character === "+" || character === "-") && /^\S/.test(text.slice(at + 1, at + 2))) {
      at += 1;
      tokens.push({ kind: character === "+" ? "must" : "mustNot", text: character });
      continue;
    }
    const name = take(field);
    if (name !== null) {
      if (isField(name[1] as string)) {
        tokens.push({ kind: "field", name: name[1] as string, text: name[0] });
        continue;
      }
      at = start;
    }
    const quoted = take(phrase);
    if (quoted !== null) {
      const value = unescaped(quoted[1] as string);
      tokens.push({ kind: "phrase", value, suffix: takeSuffix(), text: written() });
      continue;
    }
    const between = take(range);
    if (between !== null) {
      const [, opening, from = "", to = "", closing] = between;
      tokens.push({
        kind: "range",
        from: { value: unquoted(from), isIncluded: opening === "[" },
        to: { value: unquoted(to), isIncluded: closing === "]" },
        text: written(),
      });
      takeSuffix();
      continue;
    }
    const word = take(term);
    if (word !== null && word[0].endsWith(":") && isField(word[0].slice(0, -1))) {
      tokens.push({ kind: "stray", text: word[0] });
      continue;
    }
    if (word !== null) {
      tokens.push({ kind: "term", value: piecesOf(word[0]), suffix: takeSuffix(), text: written() });
      continue;
    }
    // As in DocumentCloud, an unmatched quote is ignored.
    if (character !== '"') tokens.push({ kind: "stray", text: character });
    at += 1;
  }
  return tokens;
}

/** Limited to six digits before and after the point. */
export function boostOf(number: number): number {
  return Math.min(Math.round(number * 1e6) / 1e6, 999_999);
}

function piecesOf(text: string): TermPiece[] {
  const pieces: TermPiece[] = [];
  for (const [part] of text.matchAll(/[*?]|(?:\\[^]|[^*?\\])+/g)) {
    if (part === "*" || part === "?") pieces.push({ wildcard: part });
    else pieces.push({ literal: unescaped(part) });
  }
  return pieces;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, "$1");
}

function unquoted(text: string): string {
  return unescaped(text.startsWith('"') ? text.slice(1, -1) : text);
}
