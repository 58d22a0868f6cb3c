import type { Addresses } from "../../http/text/addresses.ts";
import type { PageWord } from "../../processing/pdfium/page-words.ts";
import { type AnnotatedPage, linesOf, targetOf } from "./annotations.ts";
import { canvasId } from "./canvas.ts";

/*
 * The search within a document as IIIF Content Search: version 2, and version 1, the only one that Mirador knows. Both
 * show a match as annotations, one for each line that it is on, and as a hit with the text around it.
 */

export const searchTypes = {
  1: `application/ld+json;profile="http://iiif.io/api/search/1/context.json"`,
  2: `application/ld+json;profile="http://iiif.io/api/search/2/context.json"`,
} as const;

export type SearchVersion = keyof typeof searchTypes;

/** In characters, before a match and after it. */
const contextLength = 60;
/** The most matches of a page that are shown. */
const maxMatches = 200;

/** The search services of a document, as its manifest refers to them. */
export function searchServicesOf(addresses: Addresses, id: number): object[] {
  const [first, second] = ([1, 2] as const).map((version) => searchAddress(addresses, id, version));
  return [
    { "@context": "http://iiif.io/api/search/2/context.json", id: second, type: "SearchService2" },
    {
      "@context": "http://iiif.io/api/search/1/context.json",
      "@id": first,
      "@type": "SearchService1",
      profile: "http://iiif.io/api/search/1/search",
    },
  ];
}

export function searchAddress({ api }: Addresses, id: number, version: SearchVersion): string {
  return `${api}/iiif/${id}/search/${version}.json`;
}

/** A match on a page, with its text and the text around it. */
export interface Match {
  text: string;
  before: string;
  after: string;
  /** The parts of the canvas that it covers; the canvas itself if its position is unknown. */
  targets: readonly string[];
}

/** The words of a page as one text, in which matches are found. */
export function textOf(words: readonly PageWord[]): string {
  return words.map(({ text }) => text).join(" ");
}

/** The matches on a page, of which `ranges` of {@link textOf} its words are known; none if the text has other words. */
export function matchesOn(
  at: AnnotatedPage,
  words: readonly PageWord[],
  ranges: readonly { start: number; end: number }[],
): Match[] {
  const text = textOf(words);
  const starts: number[] = [];
  let length = 0;
  for (const word of words) {
    starts.push(length);
    length += word.text.length + 1;
  }
  let next = 0;
  const matches = ranges.slice(0, maxMatches).map(({ start, end }) => {
    while (next + 1 < words.length && (starts[next + 1] ?? 0) <= start) next += 1;
    const covered: PageWord[] = [];
    for (let index = next; index < words.length && (starts[index] ?? 0) < end; index++) {
      covered.push(partOf(words[index] as PageWord, starts[index] ?? 0, start, end));
    }
    return {
      text: text.slice(start, end),
      before: text.slice(Math.max(0, start - contextLength), start).toWellFormed(),
      after: text.slice(end, end + contextLength).toWellFormed(),
      targets: linesOf(covered).map((line) => targetOf(at, line)),
    };
  });
  if (matches.length > 0) return matches;
  return [{ text: "", before: "", after: "", targets: [canvasId(at.addresses, at.document, at.page)] }];
}

/** The part of a word between two offsets of the text: a word of Chinese may be a whole line. */
function partOf(word: PageWord, wordStart: number, start: number, end: number): PageWord {
  const { length } = word.text;
  const before = Math.max(0, start - wordStart) / length;
  const after = Math.max(0, wordStart + length - end) / length;
  // Punctuation is a small part of a word.
  if (!word.upright || before + after < 0.3) return word;
  const [left, right] = word.direction === -1 ? [after, before] : [before, after];
  const width = word.x2 - word.x1;
  return { ...word, x1: word.x1 + width * left, x2: word.x2 - width * right };
}

/** A page of matches. `id` is its own address, and `next` that of the next page, if there is one. */
export interface MatchPage {
  id: string;
  next: string | null;
  /** The parameters of the request that Quire does not support. */
  ignored: readonly string[];
  matches: readonly Match[];
}

/** A page of matches in a version of Content Search. */
export function presentMatches(version: SearchVersion, page: MatchPage): object {
  const matches = page.matches.map((match, index) => ({
    ...match,
    annotations: match.targets.map((target, line) => ({ id: `${page.id}#${index + 1}.${line + 1}`, target })),
  }));
  return version === 1 ? inVersion1(page, matches) : inVersion2(page, matches);
}

interface NamedMatch extends Match {
  annotations: { id: string; target: string }[];
}

function inVersion1({ id, next, ignored }: MatchPage, matches: readonly NamedMatch[]): object {
  return {
    "@context": [
      "http://iiif.io/api/presentation/2/context.json",
      "http://iiif.io/api/search/1/context.json",
    ],
    "@id": id,
    "@type": "sc:AnnotationList",
    within: { "@type": "sc:Layer", ...(ignored.length > 0 && { ignored }) },
    ...(next !== null && { next }),
    resources: matches.flatMap(({ text, annotations }) =>
      annotations.map((annotation) => ({
        "@id": annotation.id,
        "@type": "oa:Annotation",
        motivation: "sc:painting",
        resource: { "@type": "cnt:ContentAsText", chars: text },
        on: annotation.target,
      })),
    ),
    hits: matches.map(({ text, before, after, annotations }) => ({
      "@type": "search:Hit",
      annotations: annotations.map((annotation) => annotation.id),
      match: text,
      before,
      after,
    })),
  };
}

function inVersion2({ id, next, ignored }: MatchPage, matches: readonly NamedMatch[]): object {
  const hits = matches.flatMap(({ text, before, after, annotations }) =>
    annotations.slice(0, 1).map((annotation) => ({
      id: `${annotation.id}.hit`,
      type: "Annotation",
      motivation: "contextualizing",
      target: {
        type: "SpecificResource",
        source: annotation.id,
        selector: [{ type: "TextQuoteSelector", prefix: before, exact: text, suffix: after }],
      },
    })),
  );
  return {
    "@context": "http://iiif.io/api/search/2/context.json",
    id,
    type: "AnnotationPage",
    ...(ignored.length > 0 && { ignored }),
    ...(next !== null && { next }),
    items: matches.flatMap(({ text, annotations }) =>
      annotations.map((annotation) => ({
        id: annotation.id,
        type: "Annotation",
        motivation: "highlighting",
        body: { type: "TextualBody", value: text, format: "text/plain" },
        target: annotation.target,
      })),
    ),
    ...(hits.length > 0 && { annotations: [{ type: "AnnotationPage", items: hits }] }),
  };
}
