/** A query taken apart into what has a meaning by itself; never fails. */
export type Token =
  | { kind: "open" | "and" | "or" | "not" | "must" | "mustNot"; text: string }
  | { kind: "close"; suffix: Suffix; text: string }
  /** A field's name, with the colon that followed it. */
  | { kind: "field"; name: string; text: string }
  | { kind: "phrase"; value: string; suffix: Suffix; text: string }
  | { kind: "range"; from: RangeEnd; to: RangeEnd; text: string }
  | { kind: "term"; value: TermPiece[]; suffix: Suffix; text: string }
  /** A bracket, a mark or a field's name that belongs to nothing. */
  | { kind: "stray"; text: string };

/** What stands in a term as it is, and the wildcards in it that no backslash precedes. */
export type TermPiece = { literal: string } | { wildcard: "*" | "?" };

/** What may follow a term or a phrase. */
export interface Suffix {
  /** After `~`: a number, or nothing. */
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
// An end is bounded in length: a row of brackets would be read to its end from each of them.
const range =
  /([[{])\s*("(?:[^"\\]|\\[^]){0,300}"|[^\s\]}]{1,300})\s+TO\s+("(?:[^"\\]|\\[^]){0,300}"|[^\s\]}]{1,300})\s*([\]}])/y;
const suffix = /(?:~(\d*(?:\.\d+)?)|\^(\d+(?:\.\d+)?))/y;
const term = /(?:\\[^]|[^\s()"[\]{}~^\\])+/y;

/** `isField` says of a name whether it is one: what looks like a field and is none is a term. */
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
    const given: Suffix = { fuzzy: null, boost: 1 };
    for (let found = take(suffix); found !== null; found = take(suffix)) {
      if (found[2] === undefined) given.fuzzy = found[1] ?? "";
      else given.boost = boostOf(Number(found[2]));
    }
    return given;
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
    // As in that API, a quote without another is nothing.
    if (character !== '"') tokens.push({ kind: "stray", text: character });
    at += 1;
  }
  return tokens;
}

/** With six digits after the point, and before it. */
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
