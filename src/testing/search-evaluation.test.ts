import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainQuery } from "../search/explain-query.ts";
import { parseQuery } from "../search/parse-query.ts";
import type { Query } from "../search/query-tree.ts";
import { type SearchedDocument, evaluate } from "./search-evaluation.ts";
import { runs } from "./runs.ts";

const now = new Date("2024-03-31T12:00:00.000Z");
const parse = (text: string): Query => parseQuery(text, { hasPatterns: true, now }).query;

const harbour: SearchedDocument = {
  id: 7,
  title: "Harbour dredging",
  source: "Port of Zürich",
  description: "",
  pages: ["The cost of dredging the harbour", "L’été à Łódź; 東京都", "new york new jersey"],
  notes: ["Who paid?\nAsk the harbourmaster"],
  data: { x: ["one", "two words"], _tag: ["Press"] },
  user_id: 1,
  organization_id: 2,
  projects: [3, 4],
  parents: [],
  access: "public",
  status: "success",
  language: "eng",
  slug: "harbour-dredging",
  original_extension: "docx",
  noindex: false,
  page_count: 3,
  created_at: "2024-03-30T10:00:00.000000Z",
  updated_at: "2024-03-31T11:59:00.000000Z",
};

const matching = [
  "harbour",
  "nowhere HARBOUR",
  "+harbour nowhere",
  "harbourmaster",
  '"ask the harbourmaster"',
  "harbour AND york",
  "nowhere OR york",
  "york NOT nowhere",
  "NOT nowhere",
  "harbour -title:york",
  '"harbour dredging"',
  '"harbour dredging"~3',
  'text:"harbour cost"~3',
  "zurich",
  "ete AND lodz",
  "東京 AND 京都 AND 都 AND 東",
  "harb*",
  "h?rb*r",
  "harbor~",
  "habrour~1",
  "new-yor*",
  "page_no_3:york",
  "title:harbour source:nowhere",
  "user:1 project:4",
  "user:(1 9)",
  "project:[4 TO *]",
  "page_count:[1 TO 3]",
  "page_count:{2 TO 4}",
  "id:x-7",
  "access:public",
  "noindex:false",
  "tag:Press",
  "tag:Pr*",
  'data_x:"two words"',
  "data_x:*",
  "-data_y:*",
  "title:* AND source:* AND text:* AND page_no_3:*",
  "-description:*",
  "text:??",
  "created_at:[NOW-2DAYS TO NOW]",
  "created_at:2024-03",
  "updated_at:2024-03-31T11:59:00Z",
];

const others = [
  "nowhere",
  "+nowhere harbour",
  "harbour AND nowhere",
  "harbour NOT york",
  "york OR (harbour AND nowhere) AND NOT york AND nowhere2 -new",
  '"dredging harbour"',
  '"dredging port"',
  '"harbour cost"~2',
  '"jersey the"~20',
  "page_no_1:york",
  "page_no_4:york",
  "title:york",
  "京東",
  "hrabuor~1",
  "arbour~1",
  "user:2",
  "page_count:{3 TO *]",
  "tag:press",
  "data_x:two",
  "-data_x:*",
  "description:*",
  "page_no_4:*",
  "-text:*",
  "source:?",
  "created_at:{2024-03-30 TO *]",
  "created_at:2024-02",
  "NOT *:*",
];

describe("what a query means", () => {
  it.each(matching)("matches: %s", (text) => expect(evaluate(parse(text), harbour)).toBe(true));
  it.each(others)("does not match: %s", (text) => expect(evaluate(parse(text), harbour)).toBe(false));
});

const vocabulary = ["harbour", "cost", "york", "été", "東京", "nowhere"];
const leaf = fc.oneof(
  fc.constantFrom(...vocabulary),
  fc
    .tuple(fc.constantFrom(...vocabulary), fc.constantFrom(...vocabulary))
    .map((two) => `"${two.join(" ")}"~3`),
  fc.constantFrom("title:harbour", "page_no_2:ete", "har*", "y?rk", "cast~", "user:1", "user:2", "data_x:*"),
  fc.constantFrom("title:*", "text:*", "page_no_2:*", "title:????"),
  fc.constantFrom("page_count:[2 TO 5]", "access:private", "created_at:[* TO NOW]", "*:*", "project:3"),
);
const query = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc
      .tuple(tie("node"), fc.constantFrom("AND", "OR", "AND NOT"), tie("node"))
      .map((all) => `(${all.join(" ")})`),
    tie("node").map((one) => `NOT ${one}`),
    fc
      .tuple(tie("node"), tie("node"), tie("node"))
      .map(([one, other, third]) => `(+${one} ${other} -${third})`),
  ),
})).node;
const document = fc.record({
  title: fc.constantFrom("Harbour cost", "York", ""),
  pages: fc.array(
    fc.array(fc.constantFrom(...vocabulary), { maxLength: 5 }).map((words) => words.join(" ")),
    { maxLength: 3 },
  ),
  user_id: fc.constantFrom(1, 2),
  projects: fc.constantFrom([], [3]),
  parents: fc.constantFrom([], [7]),
  access: fc.constantFrom("public", "private"),
  data: fc.constantFrom({}, { x: ["1"] }),
});
const isMatch = (text: string, given: Partial<SearchedDocument>): boolean =>
  evaluate(parse(text), { ...harbour, ...given });

describe("combined queries", () => {
  it("match exactly what their negation does not", () => {
    fc.assert(
      fc.property(query, document, (text, given) => {
        expect(isMatch(`NOT ${text}`, given)).toBe(!isMatch(text, given));
        expect(isMatch(`NOT (NOT ${text})`, given)).toBe(isMatch(text, given));
        expect(isMatch(`* -${text}`, given)).toBe(!isMatch(text, given));
      }),
      { numRuns: runs(400) },
    );
  });

  it("match by the rules of AND and OR", () => {
    fc.assert(
      fc.property(query, query, document, (one, other, given) => {
        const [first, second] = [isMatch(one, given), isMatch(other, given)];
        expect(isMatch(`${one} AND ${other}`, given)).toBe(first && second);
        expect(isMatch(`${one} OR ${other}`, given)).toBe(first || second);
        expect(isMatch(`NOT (${one} OR ${other})`, given)).toBe(!first && !second);
        expect(isMatch(`(${one}) -(${other})`, given)).toBe(first && !second);
      }),
      { numRuns: runs(400) },
    );
  });

  it("match the same when they are written out and parsed again", () => {
    fc.assert(
      fc.property(query, document, (text, given) => {
        expect(isMatch(explainQuery(parse(text)), given)).toBe(isMatch(text, given));
      }),
      { numRuns: runs(400) },
    );
  });
});
