import { maxQueryLength } from "../../../contract/limits.ts";
import type { Database } from "../../../database/database.ts";
import { ApiError, notFound } from "../../../errors.ts";
import type { Query } from "../../../http/request/query.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { commonWordsOf } from "../../../search/long-questions.ts";
import { isLoneLetter, isUnspaced, wordsOf } from "../../../search/words.ts";
import { findDocument } from "../store.ts";
import { findPageTexts } from "./page-store.ts";
import { orUnavailable, timeLimitSeconds } from "./search-documents.ts";
import { countDocumentsWith, maxDocuments } from "./similar-store.ts";

/*
 * More like this: a document or a text becomes a query of the words that tell most about it, which anyone could type.
 * So its order, filters, facets and cursors are those of every search, and so are the rights. A word tells much if the
 * text often has it and few documents do, counted among those that the viewer finds.
 */

/** The parameters that ask for documents like another one, or like a text. */
export const likeParameters = { document: "like", text: "like_text" } as const;

/** Whether a request asks for documents like something. */
export function asksForSimilar(query: Query): boolean {
  return Object.values(likeParameters).some((name) => (query.last(name) ?? "") !== "");
}

/** A query that finds nothing. */
const nothing = '""';

/**
 * The same request with a query in place of what it asks to be like. The links to further pages have that query too, so
 * that a walk goes on with the same words whatever is added meanwhile.
 *
 * @throws {ApiError} 404 for a document that the viewer may not see; 400 for a text that is too long, or beside a query
 */
export async function withWordsOfSimilar(database: Database, viewer: Viewer, query: Query): Promise<Query> {
  const id = query.last(likeParameters.document) ?? "";
  const text = query.last(likeParameters.text) ?? "";
  const isClear = [id, text, query.last("q") ?? ""].filter((value) => value !== "").length === 1;
  if (!isClear) throw refused("A request may have one of `q`, `like` and `like_text`");
  if (text.length > maxQueryLength)
    throw refused(`A text may have ${maxQueryLength} characters, not ${text.length}`);
  const source = id === "" ? { text, id: null } : await documentText(database, viewer, id);
  const words = await orUnavailable(() => tellingWords(database, viewer, source));
  const q = words.length === 0 ? nothing : queryOf(words, source.id);
  return query.with(likeParameters.document, null).with(likeParameters.text, null).with("q", q);
}

const refused = (error: string): ApiError => new ApiError(400, { error, code: "too_much" });

interface Source {
  text: string;
  /** Of the document that has it, which is not like itself. */
  id: number | null;
}

/** Of a long document, this many pages are read, from all of its parts. */
const maxPages = 64;
/** The title counts as often as this. */
const titleWeight = 3;

async function documentText(database: Database, viewer: Viewer, id: string): Promise<Source> {
  const document = /^\d{1,15}$/.test(id) ? await findDocument(database, viewer, Number(id)) : null;
  if (document === null) throw notFound();
  const count = document.page_count;
  const read = Math.min(count, maxPages);
  const pages = Array.from({ length: read }, (_, index) => Math.floor((index * count) / read));
  const texts = await findPageTexts(database, document.id, pages);
  const titles = Array.from({ length: titleWeight }, () => document.title);
  return { text: [...titles, ...texts.map(({ text }) => text)].join("\n"), id: document.id };
}

interface TellingWord {
  /** As the text has it first, in small letters. */
  written: string;
  /** How often the text has it. */
  occurrences: number;
}

/** The words that are counted in the index: those that the text has most often. */
const maxCandidates = 60;
/** The words that are searched for. */
const maxWords = 25;
const maxTextLength = 500_000;

async function tellingWords(
  database: Database,
  viewer: Viewer,
  { text, id }: Source,
): Promise<TellingWord[]> {
  const candidates = candidatesIn(text.slice(0, maxTextLength));
  const words = [...candidates.keys()];
  const counts = await countDocumentsWith(database, viewer, words, { besides: id, timeLimitSeconds });
  return [...candidates]
    .flatMap(([word, telling]) => {
      const documents = counts.get(word) ?? 0;
      const rarity = Math.log(1 + maxDocuments / documents);
      return documents === 0 ? [] : [{ telling, worth: weightOf(telling) * rarity }];
    })
    .toSorted((one, other) => other.worth - one.worth)
    .slice(0, maxWords)
    .map(({ telling }) => telling);
}

/** The words that a text has most often, by their form in the index, without those that every text has. */
function candidatesIn(text: string): Map<string, TellingWord> {
  const found = new Map<string, TellingWord>();
  for (const { word, start, end } of wordsOf(text)) {
    const known = found.get(word);
    if (known !== undefined) known.occurrences += 1;
    else if (mayTell(word))
      found.set(word, { written: text.slice(start, end).toLowerCase(), occurrences: 1 });
  }
  const common = commonWordsOf([...found.keys()]);
  const inOrder = [...found]
    .filter(([word]) => !common.has(word))
    .toSorted(([one, { occurrences: a }], [other, { occurrences: b }]) => b - a || other.length - one.length);
  return new Map(inOrder.slice(0, maxCandidates));
}

const minLetters = 3;

/** Short words and numbers are everywhere, and a single letter of a script without spaces begins many words. */
function mayTell(word: string): boolean {
  if (isUnspaced(word)) return !isLoneLetter(word);
  return word.length >= minLetters && !/^\d{1,3}$/.test(word);
}

const weightOf = ({ occurrences }: TellingWord): number => 1 + Math.log(occurrences);

function queryOf(words: readonly TellingWord[], besides: number | null): string {
  const weighed = words.map((telling) => {
    const weight = weightOf(telling).toFixed(1);
    return weight === "1.0" ? telling.written : `${telling.written}^${weight}`;
  });
  return `(${weighed.join(" OR ")})${besides === null ? "" : ` NOT id:${besides}`}`;
}
