import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainQuery } from "./explain-query.ts";
import { parseQuery } from "./parse-query.ts";
import type { ParsedQuery } from "./query-tree.ts";
import { maxQueryLength } from "../contract/limits.ts";
import { TooMuchAskedError } from "./query-limits.ts";
import type { Query } from "./query-tree.ts";
import { processorTimer } from "../testing/processor-time.ts";
import { runs } from "../testing/runs.ts";

const now = new Date("2024-03-31T12:00:00.000Z");

type Parameters = readonly (readonly [string, string])[];

const parse = (text: string, parameters: Parameters = []): ParsedQuery =>
  parseQuery(text, { parameters, hasPatterns: true, now });
const understood = (text: string, parameters: Parameters = []): string =>
  explainQuery(parse(text, parameters).query);
const anonymously = (text: string): string =>
  explainQuery(parseQuery(text, { hasPatterns: false, now }).query);

const ignored = (text: string, parameters: Parameters = [], hasPatterns = false): boolean =>
  parseQuery(text, { parameters, hasPatterns, now }).wildcardsIgnored;

type Example = readonly [text: string, understood: string];

const tables: Readonly<Record<string, readonly Example[]>> = {
  words: [
    ["", "*:*"],
    ["  ", "*:*"],
    ["*:*", "*:*"],
    ["*", "*:*"],
    ["Harbour", "harbour"],
    ["harbour dredging", "(harbour OR dredging)"],
    ["l'été", '"l ete"'],
    ["jane@example.org", '"jane example org"'],
    ["東京都", '"東京都"'],
    ["都", "都*"],
    ["ab都", '"ab 都"'],
    ["...", "NOT *:*"],
    ["/regex.*/", "regex"],
    ["a/b", '"a b"'],
    [String.raw`a\:b \"c \(d \*`, '("a b" OR c OR d)'],
    [String.raw`new\ york`, '"new york"'],
  ],
  operators: [
    ["a AND b", "(a AND b)"],
    ["a && b", "(a AND b)"],
    ["a OR b", "(a OR b)"],
    ["a || b", "(a OR b)"],
    ["a AND b OR c AND d", "((a AND b) OR (c AND d))"],
    ["a OR b c", "((a OR b) OR c)"],
    ["NOT a", "NOT a"],
    ["!a", "NOT a"],
    ["-a", "NOT a"],
    ["a NOT b", "(a AND NOT b)"],
    ["a -b -c", "(a AND NOT (b OR c))"],
    ["a AND NOT b", "(a AND NOT b)"],
    ["a OR NOT b", "(a OR NOT b)"],
    ["a OR -b", "(a OR NOT b)"],
    ["NOT NOT a", "a"],
    ["b -NOT a", "(a AND (*:* OR b))"],
    ["NOT (NOT a)", "a"],
    ["NOT (a b)", "NOT (a OR b)"],
    ["+a b", "(a AND (*:* OR b))"],
    ["+a +b -c", "(a AND b AND NOT c)"],
    ["+a", "a"],
    ["-(a -b)", "NOT (a AND NOT b)"],
    ["NOT *:*", "NOT *:*"],
    ["and or not", "(and OR or OR not)"],
    ["ANDY NOTE ORE", "(andy OR note OR ore)"],
    ["a-b a+b a!b", '"a b"^3'],
  ],
  brackets: [
    ["(a b)", "(a OR b)"],
    ["(a OR b) AND c", "((a OR b) AND c)"],
    ["((a))", "a"],
    ["a ()", "a"],
    ["title:(a b)", "(title:a OR title:b)"],
    ["title:(a AND source:b)", "(title:a AND source:b)"],
    ["title:(+a -b)", "(title:a AND NOT title:b)"],
  ],
  "phrases, likeness, wildcards and weights": [
    ['"new york"', '"new york"'],
    ['"new york"~3', '"new york"~3'],
    ['"new new york"~3', '"new york"~3'],
    ['"new york"~30', '"new york"~20'],
    ['"new york"~', '"new york"'],
    ['"one"', '"one"'],
    [String.raw`"a \"b\" c"`, '"a b c"'],
    ["harbor~", "harbor~2"],
    ["harbor~1", "harbor~1"],
    ["harbor~0.8", "harbor~1"],
    ["harbor~0.5", "harbor~2"],
    ["harbor~0", "harbor"],
    ["harb*", "harb*"],
    ["h?rb*r", "h?rb*r"],
    ["*bour", "*bour"],
    ["Éc*", "ec*"],
    ["new-yor*", "new-yor*"],
    ["?? *? ** a", "(?? OR *? OR *:* OR a)"],
    ["a ?", "a"],
    ["title:?", "title:?"],
    ["??@example.com", "(?? AND example AND com)"],
    ["?@example.com", "(example AND com)"],
    ["foo-*", "foo"],
    ["*@example.com", "(example AND com)"],
    ["h?r@example.com", "(h?r AND example AND com)"],
    ["東京*", "東京*"],
    ["東京*都", "(東京 AND 都*)"],
    [String.raw`foo\*`, "foo"],
    ["harbour^3 port", "(harbour^3 OR port)"],
    ['"a b"~2^0.5', '"a b"~2^0.5'],
    ["a~1^2", "a~1^2"],
    ["(a b^2)^3 c", "((a^3 OR b^6) OR c)"],
    ["a^99999999999", "a^999999"],
  ],
  "fields of text": [
    ["title:a", "title:a"],
    ["source:a", "source:a"],
    ["description:a", "description:a"],
    ["text:a doctext:b", "(text:a OR text:b)"],
    ["page_no_3:a", "page_no_3:a"],
    ["title: a", "title:a"],
    ['title:"a b"', 'title:"a b"'],
    ["-title:a", "NOT title:a"],
    ["b title:-a", "(b AND NOT title:a)"],
    ["-title:-a", "title:a"],
    ["title:*", "title:*"],
    ["-page_no_3:*", "NOT page_no_3:*"],
    ["title:[* TO *]", "title:*"],
    ["title:(* a)^2", "(title:* OR title:a^2)"],
    ["title:[a TO b]", 'title:"a b"'],
    ["title:[a TO *]", "title:a"],
    ["title:[* TO b]", "title:b"],
    ["[a TO b]", '"a b"'],
    ["[* TO *]", "NOT *:*"],
    ["title:-? a", "(a AND NOT title:?)"],
    ["unknown:a", '"unknown a"'],
    ["http://example.org", '"http example org"'],
    ["page_no_0:a", '"page no 0 a"'],
  ],
  "fields of values": [
    ["user:1 account:2", "(user:[1 TO 1] OR user:[2 TO 2])"],
    ["organization:1 group:2", "(organization:[1 TO 1] OR organization:[2 TO 2])"],
    ["project:1 projects:2", "(project:[1 TO 1] OR project:[2 TO 2])"],
    ["id:1 document:2", "(id:[1 TO 1] OR id:[2 TO 2])"],
    ["page_count:1 pages:2", "(page_count:[1 TO 1] OR page_count:[2 TO 2])"],
    ["user:jane-doe-12", "user:[12 TO 12]"],
    ["user:12-jane", "NOT *:*"],
    ['user:"1"', "user:[1 TO 1]"],
    ["user:(1 2)", "(user:[1 TO 1] OR user:[2 TO 2])"],
    ["user:[1 TO 3}", "user:[1 TO 3}"],
    ["user:{* TO 3]", "user:[* TO 3]"],
    ["user:*", "user:[* TO *]"],
    ["page_count:-1", "page_count:[-1 TO -1]"],
    ["data_x:-a", 'data_x:"-a"'],
    ["page_count:[1.5 TO 3.5]", "page_count:[2 TO 3]"],
    ["page_count:2.5", "page_count:[3 TO 2]"],
    ["page_count:[a TO b]", "NOT *:*"],
    ["access:public", 'access:"public"'],
    ["status:success", 'status:"success"'],
    ["language:eng", 'language:"eng"'],
    ["slug:a-b", 'slug:"a-b"'],
    ["noindex:true", 'noindex:"true"'],
    ["tag:Press", 'data__tag:"Press"'],
    ['data_x:"a b"', 'data_x:"a b"'],
    ["data_x:*", "data_x:*"],
    ["data_x:ab*", "data_x:ab*"],
    ["data_x:a*b", 'data_x:"a*b"'],
    ["data_x:ab?", 'data_x:"ab?"'],
    ["user:5*", "NOT *:*"],
    ["data_x:http://a.b", 'data_x:"http://a.b"'],
    ["created_at:2024-01", moments("2024-01-01", "2024-02-01")],
    ["created_at:[2024-01-01 TO *]", "created_at:[2024-01-01T00:00:00.000000Z TO *]"],
    [String.raw`created_at:[2020-01-01T00\:00\:00Z TO NOW/DAY}`, moments("2020-01-01", "2024-03-31")],
    ['created_at:["2020-01-01" TO "2020-01-02"}', moments("2020-01-01", "2020-01-02")],
    ["created_at:soon", "NOT *:*"],
  ],
  "fields besides words": [
    ["user:1 a", "(user:[1 TO 1] AND a)"],
    ["+user:1 a b", "(user:[1 TO 1] AND (a OR b))"],
    ["user:1 project:2", "(user:[1 TO 1] AND project:[2 TO 2])"],
    ["-user:1 a", "(a AND NOT user:[1 TO 1])"],
    ["NOT user:1", "NOT user:[1 TO 1]"],
    ["-user:(1 2)", "NOT (user:[1 TO 1] OR user:[2 TO 2])"],
    ["user:(1 2) a", "((user:[1 TO 1] OR user:[2 TO 2]) AND a)"],
    ["user:(1 title:b) a", "((user:[1 TO 1] OR title:b) OR a)"],
    ["title:(a b) c", "((title:a OR title:b) OR c)"],
    ["user:1 OR a", "(user:[1 TO 1] OR a)"],
    ["a AND b user:1", "((a AND b) OR user:[1 TO 1])"],
    ["(a AND b) user:1", "((a AND b) OR user:[1 TO 1])"],
    ["(a AND b) (c) user:1", "((a AND b) OR c OR user:[1 TO 1])"],
    ["(user:1) a", "(user:[1 TO 1] OR a)"],
    ["user:1^2", "user:[1 TO 1]"],
  ],
};

function moments(from: string, to: string): string {
  return `created_at:[${from}T00:00:00.000000Z TO ${to}T00:00:00.000000Z}`;
}

const nested = (depth: number): string => `${"(".repeat(depth)}x${")".repeat(depth)} y`;

describe("a query", () => {
  for (const [name, examples] of Object.entries(tables)) {
    it.each(examples)(`has ${name}: %s`, (text, expected) => {
      expect(parse(text).escaped).toBe(false);
      expect(understood(text)).toBe(expected);
    });
  }

  it.each([
    ["foo (", "foo"],
    ["foo)", "foo"],
    ["(foo", "foo"],
    ["foo AND", "(foo OR and)"],
    ["foo OR", "(foo OR or)"],
    ["AND foo", "(and OR foo)"],
    ["foo AND AND bar", "((foo AND and) OR bar)"],
    ["foo AND (bar", "(foo AND bar)"],
    ["foo NOT", "foo"],
    ["title: title:foo", "(title OR title:foo)"],
    ["foo title:", "(foo OR title)"],
    ["foo (title:)", "(foo OR title)"],
    ["foo [bar", "(foo OR bar)"],
    ["foo } ^ ~ bar", "(foo OR bar)"],
    ["a^ b", "(a OR b)"],
    ["page_count:[1 TO 5 foo", '("page count" OR 1 OR to OR 5 OR foo)'],
    ["user:1 foo AND", "(user:[1 TO 1] AND (foo OR and))"],
    ["+user:1 foo OR", "(user:[1 TO 1] AND (foo OR or))"],
    ["(foo AND) bar", "((foo OR and) OR bar)"],
    ["(-) a", "a"],
    ["access:(AND)", 'access:"AND"'],
    ["data_x:(a OR) b", '((data_x:"a" OR data_x:"OR") AND b)'],
    ["sort:", "sort"],
  ])("is read as text where it is malformed: %s", (text, expected) => {
    expect(parse(text).escaped).toBe(true);
    expect(understood(text)).toBe(expected);
  });

  it.each([
    ['"foo bar', "(foo OR bar)"],
    ["foo -", "foo"],
  ])("ignores an unmatched sign: %s", (text, expected) => {
    expect(parse(text).escaped).toBe(false);
    expect(understood(text)).toBe(expected);
  });

  it("may nest brackets 50 deep, and keeps the words within deeper ones", () => {
    expect(parse(nested(50))).toMatchObject({ escaped: false });
    expect(parse(nested(51))).toMatchObject({ escaped: true });
    expect(understood(nested(2000))).toBe("(x OR y)");
  });

  it("may have clauses about the response", () => {
    expect(parse("sort:-title foo hl:true")).toMatchObject({ sort: "-title", highlighted: "true" });
    expect(parse('order:"created_at"')).toMatchObject({ sort: "created_at", query: { kind: "everything" } });
    expect(understood("foo sort:title _query_:x bar")).toBe("(foo OR bar)");
  });

  it("says whether wildcards were ignored", () => {
    expect([ignored("a*"), ignored("a*", [], true), ignored("a"), ignored("data_x:5*")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect([ignored("a", [["title", "b*"]]), ignored("a", [["title", "b"]])]).toEqual([true, false]);
    expect(ignored("a", [["title", "b*"]], true)).toBe(false);
  });

  it("is a long question only without AND, OR and negation, and names the words that it leaves out", () => {
    const many = Array.from({ length: 60 }, (_, index) => `w${"x".repeat(index % 7)}${index}`).join(" ");
    const leftOut = (text: string): number => parse(text).leftOut.length;
    expect(parse("a").leftOut).toEqual([]);
    const whole = leftOut(many);
    expect(whole).toBeGreaterThan(0);
    for (const text of [`(${many})`, `NOT (a) ${many}`, `x -y ${many}`, `-(a) (${many})`]) {
      expect([text, leftOut(text) >= whole]).toEqual([text, true]);
    }
    const kept = [
      `-(${many})`,
      `title:(${many})`,
      `(a OR b) ${many}`,
      `a AND b ${many}`,
      `NOT (NOT (${many}))`,
    ];
    for (const text of kept) expect([text, leftOut(text)]).toEqual([text, 0]);
    // The brackets have no operator, whatever stands beside them.
    expect(leftOut(`(a OR b) (${many})`)).toBe(whole);
    expect(leftOut(`((${many}) (a OR b))`)).toBe(whole);
  });

  it("has neither wildcards nor fuzzy words for viewers who may not use them", () => {
    expect(anonymously("harb*")).toBe("harb");
    expect(anonymously("h?rbour")).toBe('"h rbour"');
    expect(anonymously("harbor~1")).toBe("harbor");
    expect(anonymously("*:*")).toBe("NOT *:*");
    expect(anonymously("data_x:* -title:*")).toBe("(data_x:* AND NOT title:*)");
    expect(anonymously("title:(?? foo)")).toBe("title:foo");
    expect(anonymously("title:-? a")).toBe("a");
    expect(anonymously('"a b"~3')).toBe('"a b"~3');
  });
});

describe("parameters in addition to a query", () => {
  it.each<[string, Parameters, string]>([
    ["", [["user", "1"]], "user:[1 TO 1]"],
    ["", [["-user", "1"]], "NOT user:[1 TO 1]"],
    [
      "",
      [
        ["user", "1"],
        ["user", "2"],
      ],
      "(user:[1 TO 1] OR user:[2 TO 2])",
    ],
    ["", [["user", "1,2"]], "(user:[1 TO 1] OR user:[2 TO 2])"],
    ["user:1", [["account", "2"]], "(user:[1 TO 1] OR user:[2 TO 2])"],
    ["foo", [["user", "1"]], "(user:[1 TO 1] AND foo)"],
    ["foo OR bar", [["user", "1"]], "(user:[1 TO 1] AND (foo OR bar))"],
    ["foo AND bar", [["-user", "1"]], "((foo AND bar) AND NOT user:[1 TO 1])"],
    ["...", [["user", "1"]], "(user:[1 TO 1] AND NOT *:*)"],
    ["", [["title", "foo bar"]], "(title:foo OR title:bar)"],
    ["foo", [["title", "bar"]], "(foo OR title:bar)"],
    ["foo", [["-title", "bar"]], "(foo AND NOT title:bar)"],
    ["", [["page_no_3", '"foo bar"']], 'page_no_3:"foo bar"'],
    ["", [["created_at", "[2011-02-01T00:00:00Z TO *]"]], "created_at:[2011-02-01T00:00:00.000000Z TO *]"],
    ["", [["page_count", "[1 TO 5]"]], "page_count:[1 TO 5]"],
    ["", [["data_x", "*"]], "data_x:*"],
    ["", [["-data_x", "*"]], "NOT data_x:*"],
    ["", [["data_x", "title:foo"]], 'data_x:"title:foo"'],
    ["foo", [["access", " "]], "foo"],
    ["foo", [["id", "("]], "foo"],
    ["foo", [["unknown", "1"]], "foo"],
    ["foo", [["title", "a,b"]], '(foo OR title:"a b")'],
    ["foo", [["page_count", "1,2"]], "(NOT *:* AND foo)"],
    ["foo", [["user", "1 )"]], "(user:[1 TO 1] AND foo)"],
  ])("narrow it: %s %j", (text, parameters, expected) => {
    expect(understood(text, parameters)).toBe(expected);
  });
});

it.each<[string, boolean]>([
  ["1", false],
  ["(1", true],
  ["1 )", true],
])("a parameter with the value %s counts as malformed: %s", (value, isMalformed) => {
  expect(parse("foo", [["user", value]]).escaped).toBe(isMalformed);
});

describe("the limits of a query", () => {
  it("count its characters, and say how many there may be", () => {
    expect(understood("x".repeat(maxQueryLength))).toMatch(/^x+$/);
    expect(() => parse("x".repeat(maxQueryLength + 1))).toThrow(
      `A query may have ${maxQueryLength} characters, not ${maxQueryLength + 1}`,
    );
  });

  const tooMuch: readonly (readonly [text: string, parameters: Parameters])[] = [
    ["x".repeat(maxQueryLength + 1), []],
    ["+x ".repeat(101), []],
    ["x OR ".repeat(101) + "x", []],
    [Array.from({ length: 11 }, (_, index) => `x${index}~`).join(" "), []],
    ["id:1 ".repeat(501), []],
    ["* ".repeat(501), []],
    [`"${"x ".repeat(101)}"`, []],
    ["+x ".repeat(60), [["title", "x ".repeat(60)]]],
    ["", Array.from({ length: 501 }, () => ["user", "1"] as const)],
  ];

  it("are reported when a query with its parameters exceeds them", () => {
    for (const [text, parameters] of tooMuch) {
      expect(() => parse(text, parameters)).toThrow(TooMuchAskedError);
    }
  });

  it("allow realistic queries", () => {
    expect(parse("+x ".repeat(100)).query).toMatchObject({ of: { length: 100 } });
    expect(parse("id:1 ".repeat(500)).query).toMatchObject({ of: { length: 500 } });
  });
});

const signs =
  '( ) [ ] { } " + - ! ~ ~2 ^ ^2 : * ? \\ / && || AND OR NOT TO harbour x3 user: title: tag: data_x:';
const more = "created_at: page_no_2: NOW /DAY -7DAYS 2024 sort: 1.5 -1 é ж 東 京 都 ’ \0 \ud83d";
const language = fc
  .array(fc.oneof(fc.constantFrom(...`${signs} ${more}`.split(" ")), fc.constant(" ")), { maxLength: 30 })
  .map((pieces) => pieces.join(""));

function sizeOf(query: Query): number {
  if (query.kind === "not") return 1 + sizeOf(query.of);
  if (query.kind !== "and" && query.kind !== "or") return 1;
  return query.of.reduce((sum, one) => sum + sizeOf(one), 1);
}

/** The number of conditions in a query; 0 if it exceeds a limit. */
function sizeOfParsed(text: string): number {
  try {
    return sizeOf(parse(text, [["title", text]]).query);
  } catch (error) {
    if (error instanceof TooMuchAskedError) return 0;
    throw error;
  }
}

const texts: readonly (readonly [arbitrary: fc.Arbitrary<string>, numRuns: number])[] = [
  [language, runs(6000)],
  [fc.string({ unit: "binary" }), runs(2000)],
  [fc.string(), runs(2000)],
];

describe("any text at all", () => {
  it.each(texts)("is a query with at most as many conditions as letters", (arbitrary, numRuns) => {
    fc.assert(
      fc.property(arbitrary, (text) => {
        expect(sizeOfParsed(text)).toBeLessThanOrEqual(4 * text.length + 4);
      }),
      { numRuns },
    );
  });

  it("keeps its meaning when its explanation is parsed again", () => {
    fc.assert(
      fc.property(language, (text) => {
        const { query } = parse(text);
        expect(parse(explainQuery(query))).toMatchObject({ query, escaped: false });
      }),
      { numRuns: runs(2000) },
    );
  });

  it("can be negated with NOT", () => {
    fc.assert(
      fc.property(language, (text) => {
        const { query } = parse(text);
        const denied = parse(`NOT (${explainQuery(query)})`).query;
        const isDenial = denied.kind === "not" || query.kind === "not";
        expect(
          isDenial || [query, denied].every(({ kind }) => ["everything", "nothing"].includes(kind)),
        ).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });

  it.each([
    "[",
    "(",
    '"',
    '["',
    "a~",
    "title:",
    "-",
    "\\",
    "[a ",
    "AND ",
    "+(",
    "a^",
    '"a\\',
    "[a TO ",
    "? ",
    "))((",
  ])("is parsed in linear time: %s", (piece) => {
    const spent = processorTimer();
    sizeOfParsed(piece.repeat(Math.floor(maxQueryLength / piece.length)));
    expect(spent()).toBeLessThan(1000);
  });
});
