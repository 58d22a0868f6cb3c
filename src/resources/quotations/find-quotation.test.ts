import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../testing/runs.ts";
import { readQuotation } from "./find-quotation.ts";
import { writtenText } from "./written-text.ts";

const found = (page: string, quote: string): string[] => {
  const written = writtenText(page);
  return (readQuotation(quote)?.findIn(written) ?? []).map(({ start, end }) =>
    written.source.slice(start, end),
  );
};

describe("a quotation", () => {
  it.each([
    ["of odd spaces", "The\u00a0council  met\non Monday", "The council met on\u2009Monday"],
    ["of other hyphens and dashes", "pages 10–15 — all of them", "pages 10-15 - all of them"],
    ["of other quotation marks", "he said “no” and ‘never’", `he said "no" and "never"`],
    ["of French quotation marks", "il a dit « oui » hier", `il a dit "oui" hier`],
    ["of German quotation marks", "er sagte »ja« und ging", "er sagte „ja“ und ging"],
    ["in quotation marks of its own", "nobody has met her", "“nobody has met her”"],
    ["of a word divided at a line's end", "the infor-\nmation came", "the information came"],
    ["of a hyphen at a line's end", "a well-\nknown fact", "a well-known fact"],
    ["copied with the end of a line", "the information came", "the infor-\nmation came"],
    ["of numbers divided by a hyphen at a line's end", "in 2019-\n2020 alone", "in 2019-2020 alone"],
    ["of soft hyphens", "the infor\u00admation and re\u00ad\nport", "the information and report"],
    ["of ligatures", "the ﬁrst oﬀer", "the first offer"],
    ["of decomposed accents", "Caf\u0065\u0301 Müller", "Café Mu\u0308ller"],
    ["of a script without spaces, over a line's end", "東京都の新し\nい条例", "新しい条例"],
    ["that begins within such a text", "市は100人を", "100人"],
    ["that ends before a mark", "She left (at 5).", "left (at 5"],
  ])("%s is found", (_what, page, quote) => {
    expect(found(page, quote)).toHaveLength(1);
  });

  it.each([
    ["another digit", "it cost 1,250,000 euros", "it cost 1,260,000 euros"],
    ["a number cut off at its end", "it cost 1,250,000 euros", "it cost 1,250"],
    ["a number cut off at its beginning", "it cost 1,250,000 euros", "250,000 euros"],
    ["a number grouped with spaces, cut off", "it cost 1 250 000 euros", "250 000 euros"],
    ["a number without its sign", "a growth of -5 percent", "5 percent"],
    ["a number without its decimals", "about 3.5 times", "about 3"],
    ["a power", "10² metres", "10 metres"],
    ["a power cut off", "of 10² metres", "of 10"],
    ["feet for inches", "a 5″ pipe", "a 5' pipe"],
    ["half a name", "Smith-Jones resigned", "Jones resigned"],
    ["half a range", "10–15 people came", "15 people came"],
    ["half a word", "uncertain results", "certain results"],
    ["the end of a divided word", "the infor-\nmation came", "mation came"],
    ["a word without its negation", "we can't agree", "we can"],
    ["other capitals", "the Bank of Ireland", "the bank of Ireland"],
    ["an accent left out", "Peter Müller", "Peter Muller"],
    ["a letter of another alphabet", "Peter Paul", "Peter P\u0430ul"],
    ["words written as one", "now here he is", "nowhere he is"],
    ["a word written as two", "nowhere else", "now here else"],
    ["numbers divided by a line's end, joined", "in 2019-\n2020 alone", "in 20192020 alone"],
    ["a name divided after its hyphen, joined", "Ms Smith-\nJones", "Ms SmithJones"],
    ["digits with a mark of this program between them", "the 1234 files", "the 12\u00023 files"],
    ["a word left out", "did not agree to it", "did agree to it"],
    ["digits turned round by an invisible mark", "number 123", "number \u202e321"],
    ["half of a numeral in Han letters", "市は三百人を", "百人"],
  ])("with %s is not found", (_what, page, quote) => {
    expect(found(page, quote)).toEqual([]);
  });

  it("needs a letter or a digit", () => {
    expect([readQuotation(""), readQuotation(" – “”\u00ad")]).toEqual([null, null]);
  });
});

/*
 * A text is a list of tokens. The page and the quotation each write it in a way of their own, with differences that do
 * not count. A quotation of other tokens must not be found.
 */

const token = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(..."the council of Ireland met again and Müller said no ﬁrst Éire".split(" ")),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 99_999 }).map(String) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("1,250.50", "Smith-Jones", "O'Brien", "2019-2020", "well-known", "12a"),
  },
  {
    weight: 2,
    arbitrary: fc.string({
      unit: fc.constantFrom(...Array.from("abcdeXYZäñ0123")),
      minLength: 1,
      maxLength: 8,
    }),
  },
);
const choices = fc.infiniteStream(fc.nat({ max: 1000 }));

/** Writes tokens with differences that do not count. */
function rendered(tokens: readonly string[], stream: Iterator<number>): string {
  const next = (below: number): number => Number(stream.next().value) % below;
  const oneOf = (...values: string[]): string => values[next(values.length)] as string;
  const written = tokens.map((word) =>
    word
      .replaceAll("-", () => oneOf("-", "‐", "‑", "–", "-\n", "−"))
      .replaceAll("'", () => oneOf("'", "’", "ʼ"))
      .replaceAll("ﬁ", () => oneOf("ﬁ", "fi"))
      .replaceAll(/(?<=\p{L})(?=\p{Ll})/gu, () =>
        next(12) === 0 ? oneOf("\u00ad", "-\n", "\u200b", "\u00ad\n") : "",
      ),
  );
  const spaced = written.map((word, index) =>
    index === 0 ? word : oneOf(" ", "  ", "\n", "\u2003", " \n ") + word,
  );
  const text = spaced.join("");
  return oneOf(text, text.normalize("NFD"));
}

type Change = (tokens: string[], at: number, pick: number) => string[];

const changed = (text: string, at: number, pick: number): string => {
  const letters = Array.from(text);
  const index = at % letters.length;
  const others = Array.from("abcXYZ019é").filter((letter) => letter !== letters[index]);
  letters[index] = others[pick % others.length] as string;
  return letters.join("");
};

const changes: readonly Change[] = [
  (tokens, at, pick) => tokens.map((one, index) => (index === at ? changed(one, pick, at + pick) : one)),
  (tokens, at, pick) => tokens.map((one, index) => (index === at ? changed(one, pick >> 2, pick) : one)),
  (tokens, at) => tokens.filter((_one, index) => index !== at),
  (tokens, at) => tokens.toSpliced(at, 2, tokens.slice(at, at + 2).join("")),
  (tokens, at) => tokens.toSpliced(at, 2, ...tokens.slice(at, at + 2).toReversed()),
  (tokens, at) => tokens.toSpliced(at, 0, "not"),
  (tokens, at) => tokens.map((one, index) => (index === at ? one.toUpperCase() : one)),
  (tokens, at) => tokens.map((one, index) => (index === at ? one.slice(1) : one)),
  (tokens, at) => tokens.map((one, index) => (index === at ? one.slice(0, -1) : one)),
  (tokens, at) => tokens.map((one, index) => (index === at ? `${one}0` : one)),
];

const plain = (tokens: readonly string[]): string[] => tokens.map((one) => one.replaceAll("ﬁ", "fi"));

/** Whether a list has another one within it: the meaning of "stands there", without any text. */
function hasWithin(all: readonly string[], part: readonly string[]): boolean {
  const [whole, sought] = [plain(all), plain(part)];
  return whole.some((_one, from) => sought.every((word, index) => whole[from + index] === word));
}

describe("fuzzed quotations", () => {
  it("are found exactly when their words stand there", () => {
    const counts = { found: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.array(token, { minLength: 2, maxLength: 30 }),
        fc.nat(),
        fc.nat(),
        fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 1000 })),
        choices,
        (all, from, length, [at, pick], stream) => {
          const first = from % all.length;
          const span = all.slice(first, first + 1 + (length % 8));
          const page = rendered(all, stream);
          const isCut = isPartOfNumber(all, first, span.length);
          expect(isCut || found(page, rendered(span, stream)).length > 0).toBe(true);
          counts.found += 1;
          for (const change of changes) {
            const other = change([...span], at % span.length, pick).filter((one) => one !== "");
            if (other.length === 0 || hasWithin(all, other)) continue;
            expect(found(page, rendered(other, stream))).toEqual([]);
            counts.refused += 1;
          }
        },
      ),
      { numRuns: runs(1300) },
    );
    expect(counts.refused).toBeGreaterThan(runs(10_000));
  });
});

const isGroup = (one: string | undefined): boolean => one !== undefined && /^\d{3}$/.test(one);
const isHead = (one: string | undefined): boolean => one !== undefined && /(?:^|\D)\d{1,3}$/.test(one);

/** `1 250` may be one number, grouped with a space: then no part of it is quoted. */
function isPartOfNumber(all: readonly string[], first: number, length: number): boolean {
  const last = first + length - 1;
  return (isGroup(all[first]) && isHead(all[first - 1])) || (isHead(all[last]) && isGroup(all[last + 1]));
}
