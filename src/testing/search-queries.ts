import * as fc from "fast-check";
import type { ExactField, Query, RangeField, TextField, WordPattern } from "../search/query-tree.ts";
import { maxPatterns, maxWords } from "../search/query-limits.ts";
import { isLoneLetter, soughtWords } from "../search/words.ts";

/*
 * Queries of all kinds about documents with few different words and values, so that each query finds some documents and
 * not others.
 */

const vocabulary = [
  "harbour",
  "Harbor",
  "harbours",
  "port",
  "Été",
  "été's",
  "Straße",
  "東京都",
  "京都",
  "港",
];

/** The words of generated documents. */
export const words: fc.Arbitrary<string> = fc.constantFrom(...vocabulary);
/** A text of a document: up to eight words. */
export const wordedText: fc.Arbitrary<string> = fc
  .array(fc.tuple(words, fc.constantFrom(" ", " ", ", ", "\n", "-", "")), { maxLength: 8 })
  .map((pieces) => pieces.flat().join(""));

const mentioned = ["a@port.org", "A@Port.org", "b@port.org", "9 March 2024", "2024-12-31"];
/** A text of a page: up to eight words, and what it mentions. */
export const pageText: fc.Arbitrary<string> = fc
  .tuple(wordedText, fc.array(fc.constantFrom(...mentioned), { maxLength: 2 }))
  .map(([text, mentions]) => [text, ...mentions].join(" "));

export const dataValues: readonly string[] = ["a", "ab", "two words", 'quo"te\\', "é", ""];
export const moments: readonly string[] = [
  "2024-02-29T23:59:59.999999Z",
  "2024-03-01T00:00:00.000000Z",
  "2025-01-31T12:00:00.500000Z",
];

const textFields = fc.constantFrom<TextField | null>(
  null,
  null,
  "title",
  "source",
  "description",
  "text",
  { page: 1 },
  { page: 2 },
);
const boosts = fc.constantFrom(1, 1, 0, 2.5, 100);

const single = fc.oneof(
  fc
    .constantFrom("harbour", "harbor", "port", "ete", "strasse", "東京", "absent", "s")
    .map((word): WordPattern => ({ word })),
  fc.constantFrom("harb", "harbo", "e", "東", "京都", "港").map((start): WordPattern => ({ start })),
  fc
    .constantFrom("*bour", "h?rbour", "har*s", "*r*r*", "?ort", "por?", "h*b??", "??", "???")
    .map((pattern): WordPattern => ({ pattern })),
  fc
    .tuple(
      fc.constantFrom("harbour", "hrabor", "prt", "tasse", "stasse", "京都"),
      fc.constantFrom<1 | 2>(1, 2),
    )
    .map(([like, edits]): WordPattern => ({ like, edits })),
);

/** Several words, with a text that splits into them. */
const several = fc
  .array(fc.oneof(words, fc.constantFrom("harbour", "port")), { minLength: 2, maxLength: 3 })
  .map((all) => soughtWords(all.join(" ")))
  .map((all) =>
    all.map((word, index): WordPattern =>
      index === all.length - 1 && isLoneLetter(word) ? { start: word } : { word },
    ),
  )
  .filter((all) => all.length > 1);

const wordsQuery: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    kind: fc.constant("words" as const),
    field: textFields,
    words: single.map((one) => [one]),
    slop: fc.constant(null),
    boost: boosts,
  }),
  fc.record({
    kind: fc.constant("words" as const),
    field: textFields,
    words: several,
    slop: fc.constantFrom(null, null, 1, 2, 5),
    boost: boosts,
  }),
);

const exactQuery = fc
  .oneof(
    fc.tuple(fc.constant("access"), fc.constantFrom("public", "organization", "private")),
    fc.tuple(fc.constant("status"), fc.constantFrom("success", "readable", "pending", "success or so")),
    fc.tuple(
      fc.constantFrom("language", "slug", "original_extension"),
      fc.constantFrom("eng", "deu", "a-slug", "docx"),
    ),
    fc.tuple(fc.constant("noindex"), fc.constantFrom("true", "false")),
    fc.tuple(
      fc.constantFrom({ mention: "email" }, { mention: "date" }, { mention: null }),
      fc.constantFrom("a@port.org", "b@port.org", "2024-03-09", "2024-12-31"),
    ),
    fc.tuple(fc.constantFrom({ data: "_tag" }, { data: "k" }), fc.constantFrom(...dataValues)),
  )
  .map(([field, value]) => ({ field: field as ExactField, value }));
const isQuery: fc.Arbitrary<Query> = exactQuery.map((one) => ({ kind: "is", ...one }));
const beginsQuery: fc.Arbitrary<Query> = fc
  .tuple(exactQuery, fc.nat({ max: 4 }))
  .map(([{ field, value }, length]) => ({ kind: "begins", field, value: value.slice(0, length) }));

const hasQuery: fc.Arbitrary<Query> = textFields
  .filter((field) => field !== null)
  .map((field) => ({ kind: "has", field }));

const bound = (value: fc.Arbitrary<number>): fc.Arbitrary<{ value: number; isIncluded: boolean } | null> =>
  fc.option(fc.record({ value, isIncluded: fc.boolean() }), { freq: 4 });
const numberQuery: fc.Arbitrary<Query> = fc
  .tuple(
    fc.constantFrom<RangeField>("id", "user", "organization", "project", "page_count"),
    bound(fc.nat({ max: 5 })),
    bound(fc.nat({ max: 5 })),
  )
  .map(([field, from, to]) => ({ kind: "range", field, from, to }));
const milliseconds = fc.constantFrom(...moments).map((moment) => moment.replace(/\d{3}Z$/, "000Z"));
const dateQuery: fc.Arbitrary<Query> = fc
  .tuple(
    fc.constantFrom<RangeField>("created_at", "updated_at"),
    fc.option(milliseconds),
    fc.option(milliseconds),
  )
  .map(([field, from, to]) => ({
    kind: "range",
    field,
    from: from === null ? null : { value: from, isIncluded: true },
    to: to === null ? null : { value: to, isIncluded: false },
  }));

const mentionedDays: fc.Arbitrary<Query> = fc
  .tuple(fc.constantFrom("2023-01-01", "2024-03-09", "2025-02-01"), fc.boolean())
  .map(([value, isIncluded]) => ({
    kind: "range",
    field: "mention_date",
    from: null,
    to: { value, isIncluded },
  }));

const leaf = fc.oneof(
  { weight: 10, arbitrary: wordsQuery },
  { weight: 3, arbitrary: isQuery },
  { weight: 2, arbitrary: beginsQuery },
  { weight: 2, arbitrary: hasQuery },
  { weight: 3, arbitrary: numberQuery },
  { weight: 1, arbitrary: dateQuery },
  { weight: 1, arbitrary: mentionedDays },
  { weight: 1, arbitrary: fc.constantFrom<Query>({ kind: "everything" }, { kind: "nothing" }) },
);

/** Query trees that can be written in the language and are within its limits. */
export const queries: fc.Arbitrary<Query> = fc
  .letrec<{ query: Query }>((tie) => ({
    query: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constantFrom("and" as const, "or" as const),
          of: fc.array(tie("query"), { minLength: 1, maxLength: 3 }),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("not" as const), of: tie("query") }) },
    ),
  }))
  .query.filter((query) => {
    const all = patternsIn(query);
    const patterns = all.filter((one) => "like" in one || "pattern" in one);
    return all.length <= maxWords && patterns.length <= maxPatterns;
  });

function patternsIn(query: Query): readonly WordPattern[] {
  if (query.kind === "words") return query.words;
  if (query.kind === "not") return patternsIn(query.of);
  return query.kind === "and" || query.kind === "or" ? query.of.flatMap(patternsIn) : [];
}

const written = [
  ["harbour", "port", "été", "Straße", "京都", "港", "absent", "l'été", "port,", "東京都", "harbour/port"],
  ["harb*", "h?rbour", "harbor~", "prt~1", '"port harbour"', '"harbour port"~2', "port^2", "*"],
  ["AND", "OR", "NOT", "&&", "||", "!", "+", "-", "(", ")", "(", ")", '"', "~", "^", "[", "]", "\\"],
  [
    "title:*",
    "-description:*",
    "text:*^2",
    "page_no_2:*",
    "source:(* port)",
    "title:[* TO *]",
    "??",
    "?",
    "title:(?? port)",
  ],
  ["title:", "source:", "text:", "page_no_2:", "title:(", "status:success", "status:(success OR pending)"],
  [
    "access:private",
    "access:p*",
    "user:2",
    "user:x-1",
    "-user:1",
    "organization:1",
    "project:2",
    "id:[2 TO 4]",
  ],
  [
    "original_extension:pdf",
    "tag:a",
    "data_k:ab",
    "data_k:a*",
    "data_k:*",
    "data_k:(a OR é)",
    'data_k:"two words"',
    "-data_k:*",
  ],
  [
    "page_count:[1 TO 2]",
    "page_count:{1 TO *]",
    "noindex:true",
    "created_at:2024",
    "created_at:[* TO 2024-03]",
  ],
  [
    "created_at:[NOW-100YEARS TO NOW]",
    "sort:title",
    "hl:true",
    "unknown:port",
    "created_at:never",
    "user:(1 2)",
  ],
].flat();

/** Queries that people might type, valid or not. */
export const typedQueries: fc.Arbitrary<string> = fc
  .array(fc.tuple(fc.constantFrom(...written), fc.constantFrom(" ", " ", " ", "")), { maxLength: 8 })
  .map((pieces) => pieces.flat().join(""));

const beside: readonly (readonly [string, string])[] = [
  ["user", "1"],
  ["user", "2,x-3"],
  ["-user", "2"],
  ["organization", "1"],
  ["project", "2"],
  ["-projects", "1"],
  ["access", "public"],
  ["status", "success readable"],
  ["original_extension", "docx"],
  ["-status", "pending"],
  ["tag", "a"],
  ["-data_k", "*"],
  ["data_k", '"two words"'],
  ["page_count", "[1 TO 2]"],
  ["created_at", "[2024-03-01T00:00:00Z TO *]"],
  ["title", "port harbour"],
  ["-page_no_1", "harbour"],
  ["source", "*"],
  ["-description", "*"],
  ["-text", "*"],
  ["title", "("],
  ["tag", "OR"],
  ["text", "été OR 京都"],
  ["noindex", "false"],
  ["access", ""],
  ["id", "1"],
];

/** Further parameters of a search request. */
export const parametersBeside: fc.Arbitrary<(readonly [string, string])[]> = fc.subarray([...beside], {
  maxLength: 3,
});
