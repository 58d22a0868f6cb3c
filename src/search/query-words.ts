import { widestSlop } from "./query-limits.ts";
import type { Suffix, TermPiece, Token } from "./query-tokens.ts";
import type { Query, TextField, WordPattern } from "./query-tree.ts";
import { fold } from "./word-folding.ts";
import { isLoneLetter, isUnspaced, soughtWords } from "./words.ts";

/** The query for a text: its words, adjacent. Null if it has no words. */
export function textQuery(
  field: TextField | null,
  text: string,
  { boost, slop = null, isExact = false }: { boost: number; slop?: number | null; isExact?: boolean },
): Query | null {
  const query = patternsQuery(field, wordPatterns(text), boost, slop);
  return isExact ? quoted(query) : query;
}

/** A single word in quotes has no other forms. */
function quoted(query: Query | null): Query | null {
  return query?.kind === "words" && query.words.length === 1 ? { ...query, exact: true } : query;
}

/** The query for `"…"` or `"…"~5`. */
export function phraseQuery(field: TextField | null, text: string, { boost, fuzzy }: Suffix): Query | null {
  const slop = Math.min(Math.floor(Number(fuzzy ?? 0)), widestSlop);
  if (slop === 0) return textQuery(field, text, { boost, isExact: true });
  // The engines disagree on whether a word is near itself.
  const words = wordPatterns(text).filter((word, index, all) => index === 0 || !isSame(word, all[index - 1]));
  return quoted(patternsQuery(field, words, boost, slop));
}

function isSame(left: WordPattern, right: WordPattern | undefined): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Whether a term has another meaning for viewers who may use wildcards. A lone `?` outside a field is a question
 * mark.
 */
export function usesPatterns(
  field: TextField | null,
  pieces: readonly TermPiece[],
  { fuzzy }: Suffix,
): boolean {
  if (field !== null && isAnything(pieces)) return false;
  const hasWildcards = pieces.some((piece) => "wildcard" in piece);
  const isQuestionMark = field === null && pieces.map(plain).join("") === "?";
  return (hasWildcards && !isQuestionMark) || (fuzzy !== null && editsOf(fuzzy) > 0);
}

/** The query for a term. Its wildcards are ordinary characters for viewers who may not use them. */
export function termQuery(
  field: TextField | null,
  pieces: readonly TermPiece[],
  { boost, fuzzy }: Suffix,
  hasPatterns: boolean,
): Query | null {
  const text = pieces.map(plain).join("");
  // This looks up no word, so every viewer may use it, as with fields of values.
  if (field !== null && isAnything(pieces)) return { kind: "has", field };
  if (!hasPatterns) return textQuery(field, text, { boost });
  const last = pieces.findIndex((piece) => "wildcard" in piece);
  if (last === -1) return fuzzyQuery(field, text, boost, fuzzy) ?? textQuery(field, text, { boost });
  if (text === "*:*" || isAnything(pieces)) return { kind: "everything" };
  if (last === pieces.length - 1 && text.endsWith("*")) {
    return patternsQuery(field, prefixPatterns(text.slice(0, -1)), boost, null);
  }
  const all = stretchesOf(pieces).flatMap((stretch): Query[] => {
    // Alone and outside a field, it is a question mark.
    if (field === null && stretch.map(plain).join("") === "?") return [];
    const query = patternsQuery(field, patternsOf(stretch), boost, null);
    return query === null ? [] : [query];
  });
  return all.length > 1 ? { kind: "and", of: all } : (all[0] ?? null);
}

function isAnything(pieces: readonly TermPiece[]): boolean {
  return pieces.every((piece) => "wildcard" in piece && piece.wildcard === "*");
}

export function plain(piece: TermPiece): string {
  return "wildcard" in piece ? piece.wildcard : piece.literal;
}

export function textOf(token: Extract<Token, { kind: "term" | "phrase" }>): string {
  return token.kind === "phrase" ? token.value : token.value.map(plain).join("");
}

function fuzzyQuery(
  field: TextField | null,
  text: string,
  boost: number,
  fuzzy: string | null,
): Query | null {
  const words = soughtWords(text);
  const [like] = words;
  const edits = fuzzy === null ? 0 : editsOf(fuzzy);
  if (like === undefined || words.length > 1 || edits === 0) return null;
  return patternsQuery(field, [{ like, edits }], boost, null);
}

/** Reads `~`, `~1`, `~2`, and the similarity from 0 to 1 of older Lucene versions. */
function editsOf(fuzzy: string): 0 | 1 | 2 {
  if (fuzzy === "") return 2;
  const number = Number(fuzzy);
  if (number >= 1) return number >= 2 ? 2 : 1;
  if (number === 0) return 0;
  return number >= 0.8 ? 1 : 2;
}

function wordPatterns(text: string): WordPattern[] {
  const words = soughtWords(text);
  return words.map((word, index) =>
    index === words.length - 1 && isLoneLetter(word) ? { start: word } : { word },
  );
}

/** The patterns for the text before a final wildcard: `foo-` is a word, `foo` a prefix. */
function prefixPatterns(text: string): WordPattern[] {
  if (!/[\p{L}\p{N}\p{M}]$/u.test(text)) return wordPatterns(text);
  const words = soughtWords(text);
  return words.map((word, index) => (index === words.length - 1 ? { start: word } : { word }));
}

/** Splits a term where words end: `*@example.com` becomes `*`, `example` and `com`. */
function stretchesOf(pieces: readonly TermPiece[]): TermPiece[][] {
  const stretches: TermPiece[][] = [[]];
  for (const piece of pieces) {
    if ("wildcard" in piece) {
      stretches.at(-1)?.push(piece);
      continue;
    }
    for (const [index, literal] of piece.literal.split(/[^\p{L}\p{N}\p{M}\u00AD]+/u).entries()) {
      if (index > 0) stretches.push([]);
      if (literal !== "") stretches.at(-1)?.push({ literal });
    }
  }
  return stretches.flatMap(apartIfUnspaced);
}

/**
 * The index has pairs of such letters, not words, so the texts on both sides of a wildcard are searched for
 * separately.
 */
function apartIfUnspaced(stretch: TermPiece[]): TermPiece[][] {
  const isApart = stretch.some((piece) => "literal" in piece && isUnspaced(piece.literal));
  return isApart ? stretch.flatMap((piece) => ("literal" in piece ? [[piece]] : [])) : [stretch];
}

function patternsOf(stretch: readonly TermPiece[]): WordPattern[] {
  const text = stretch.map(plain).join("");
  const wildcards = stretch.filter((piece) => "wildcard" in piece);
  if (wildcards.length === 0) return wordPatterns(text);
  if (isAnything(stretch)) return [];
  if (wildcards.length === 1 && text.endsWith("*")) return prefixPatterns(text.slice(0, -1));
  return [
    {
      pattern: stretch.map((piece) => ("wildcard" in piece ? piece.wildcard : fold(piece.literal))).join(""),
    },
  ];
}

function patternsQuery(
  field: TextField | null,
  words: readonly WordPattern[],
  boost: number,
  slop: number | null,
): Query | null {
  if (words.length === 0) return null;
  return { kind: "words", field, words, slop: words.length > 1 ? slop : null, boost };
}
