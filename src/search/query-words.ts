import { widestSlop } from "./query-limits.ts";
import type { Suffix, TermPiece } from "./query-tokens.ts";
import type { Query, TextField, WordPattern } from "./query-tree.ts";
import { fold } from "./word-folding.ts";
import { isLoneLetter, isUnspaced, soughtWords } from "./words.ts";

/** What text asks for: its words, next to each other. Null: it has none. */
export function textQuery(
  field: TextField | null,
  text: string,
  { boost, slop = null }: { boost: number; slop?: number | null },
): Query | null {
  return patternsQuery(field, wordPatterns(text), boost, slop);
}

/** What `"…"` asks for, and `"…"~5`. */
export function phraseQuery(field: TextField | null, text: string, { boost, fuzzy }: Suffix): Query | null {
  const slop = Math.min(Math.floor(Number(fuzzy ?? 0)), widestSlop);
  if (slop === 0) return textQuery(field, text, { boost });
  // The engines do not agree whether a word is near itself.
  const words = wordPatterns(text).filter((word, index, all) => index === 0 || !isSame(word, all[index - 1]));
  return patternsQuery(field, words, boost, slop);
}

function isSame(one: WordPattern, other: WordPattern | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a term means something else to those who may use wildcards. A lone `?` outside of a field is a question mark. */
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

/** What a term asks for, whose wildcards are letters like others where nobody may use them. */
export function termQuery(
  field: TextField | null,
  pieces: readonly TermPiece[],
  { boost, fuzzy }: Suffix,
  hasPatterns: boolean,
): Query | null {
  const text = pieces.map(plain).join("");
  // No word is looked up for it, so it is for everyone, as it is for fields of values.
  if (field !== null && isAnything(pieces)) return { kind: "has", field };
  if (!hasPatterns) return textQuery(field, text, { boost });
  const last = pieces.findIndex((piece) => "wildcard" in piece);
  if (last === -1) return fuzzyQuery(field, text, boost, fuzzy) ?? textQuery(field, text, { boost });
  if (text === "*:*" || isAnything(pieces)) return { kind: "everything" };
  if (last === pieces.length - 1 && text.endsWith("*")) {
    return patternsQuery(field, beginning(text.slice(0, -1)), boost, null);
  }
  const all = stretchesOf(pieces).flatMap((stretch): Query[] => {
    // By itself, outside of a field, it is a question mark.
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

/** Of `~`, `~1`, `~2`; and of the likeness from 0 to 1 that stood there in older versions of that language. */
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

/** Of what stands before a wildcard at the end: of `foo-`, it is a word; of `foo`, a beginning. */
function beginning(text: string): WordPattern[] {
  if (!/[\p{L}\p{N}\p{M}]$/u.test(text)) return wordPatterns(text);
  const words = soughtWords(text);
  return words.map((word, index) => (index === words.length - 1 ? { start: word } : { word }));
}

/** A term in parts that no word goes beyond: `*@example.com` is `*`, `example` and `com`. */
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

/** The index has pairs of such letters and no words: what stands on both sides of a wildcard is looked for apart. */
function apartIfUnspaced(stretch: TermPiece[]): TermPiece[][] {
  const isApart = stretch.some((piece) => "literal" in piece && isUnspaced(piece.literal));
  return isApart ? stretch.flatMap((piece) => ("literal" in piece ? [[piece]] : [])) : [stretch];
}

function patternsOf(stretch: readonly TermPiece[]): WordPattern[] {
  const text = stretch.map(plain).join("");
  const wildcards = stretch.filter((piece) => "wildcard" in piece);
  if (wildcards.length === 0) return wordPatterns(text);
  if (isAnything(stretch)) return [];
  if (wildcards.length === 1 && text.endsWith("*")) return beginning(text.slice(0, -1));
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
