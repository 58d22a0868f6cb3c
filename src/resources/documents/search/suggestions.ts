import { searchLimits } from "../../../contract/limits.ts";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { fieldNamed } from "../../../search/query-fields.ts";
import { isLoneLetter, isUnspaced, wordsOf } from "../../../search/words.ts";
import { findShownWords } from "./suggestion-store.ts";

/*
 * Completions of the query that a user is typing, and other spellings of words that are not found. Both come only from
 * the words of documents that the viewer finds.
 */

/** A completion of a query. */
export interface Completion {
  /** The whole query with its last word completed. */
  text: string;
  /** That word, in the form of the index: without accents and capitals. */
  word: string;
}

const { completions: maxCompletions } = searchLimits;
/** Shorter words are neither completed, except lone letters, nor corrected: too many words are similar to them. */
const minLetters = 3;

/** Completes the last word of a query. */
export async function completeQuery(
  database: Database,
  viewer: Viewer,
  text: string,
  timeLimitSeconds: number,
): Promise<Completion[]> {
  const last = queryWords(text).at(-1);
  if (last === undefined || last.end !== text.length || !isCompletable(last.word)) return [];
  const pattern = { pattern: `${last.word}*` };
  const options = { limit: maxCompletions + 1, timeLimitSeconds };
  const words = await findShownWords(database, viewer, pattern, options);
  return words
    .filter((word) => word !== last.word)
    .slice(0, maxCompletions)
    .map((word) => ({ text: text.slice(0, last.start) + word, word }));
}

function isCompletable(word: string): boolean {
  return isLoneLetter(word) || Array.from(word).length >= minLetters;
}

const maxCorrectedWords = 10;

/**
 * The query with each word that is in no document replaced by the nearest word that is in one. Null if all words are in
 * documents, or if one of the others has no near word.
 */
export async function correctQuery(
  database: Database,
  viewer: Viewer,
  text: string,
  timeLimitSeconds: number,
): Promise<string | null> {
  const words = queryWords(text).filter(({ word, isExcluded }) => isCorrectable(word) && !isExcluded);
  if (words.length > maxCorrectedWords) return null;
  let corrected = text;
  // From the end, so that the offsets of the others stay right.
  for (const { word, start, end } of words.toReversed()) {
    const nearest = await nearestWord(database, viewer, word, timeLimitSeconds);
    if (nearest === null) return null;
    if (nearest !== word) corrected = corrected.slice(0, start) + nearest + corrected.slice(end);
  }
  return corrected === text ? null : corrected;
}

function isCorrectable(word: string): boolean {
  return Array.from(word).length >= minLetters && !isUnspaced(word) && !/^\p{N}+$/u.test(word);
}

/** Longer words may differ in two letters. */
const lettersForTwoEdits = 5;

async function nearestWord(
  database: Database,
  viewer: Viewer,
  word: string,
  timeLimitSeconds: number,
): Promise<string | null> {
  const patterns = [
    { pattern: word },
    { like: word, edits: 1 as const },
    ...(Array.from(word).length < lettersForTwoEdits ? [] : [{ like: word, edits: 2 as const }]),
  ];
  for (const pattern of patterns) {
    const options = { limit: 1, timeLimitSeconds };
    const [nearest] = await findShownWords(database, viewer, pattern, options);
    if (nearest !== undefined) return nearest;
  }
  return null;
}

interface QueryWord {
  word: string;
  start: number;
  end: number;
  /** Whether the query excludes it: `NOT word`, `-word`, `!word`. */
  isExcluded: boolean;
}

/** The words of a query that are looked for in texts: no operators, no wildcards, no values of other fields. */
function queryWords(text: string): QueryWord[] {
  const found: QueryWord[] = [];
  let before = "";
  for (const { 0: token, index } of text.matchAll(/\S+/gu)) {
    const field = /^[^\w]*([\w-]+):/.exec(token)?.[1];
    const kind = field === undefined ? "text" : (fieldNamed(field.replace(/^-/, ""))?.kind ?? "text");
    const isPlain = !/^(?:AND|OR|NOT|&&|\|\|)$/.test(token) && !/[*?~]/.test(token);
    if (kind === "text" && isPlain) {
      const isExcluded = before === "NOT" || /^[-!]/.test(token);
      const words = wordsOf(token).filter(({ start }) => start >= token.indexOf(":") || field === undefined);
      for (const { word, start, end } of words) {
        found.push({ word, start: index + start, end: index + end, isExcluded });
      }
    }
    before = token;
  }
  return found;
}
