import { describe, expect, it } from "vitest";
import { type MentionKind, type RecognisedKind, mentionKinds } from "../contract/search.ts";
import { labelled } from "./labelled.ts";
import { recognise } from "./recognise.ts";
import { mentionValue } from "./values.ts";

const ways: readonly [MentionKind, string, ...string[]][] = [
  [
    "email",
    "ada@example.org",
    "ada@example.org",
    "Ada@Example.ORG",
    "ada (at) example (dot) org",
    "ada[at]example.org",
  ],
  ["phone", "+49301234567", "+49 30 1234567", "0049 30 123-4567", "+49 (0)30 1234567"],
  ["phone", "+12125550187", "(212) 555-0187", "212-555-0187", "1-212-555-0187", "+1 212 555 0187"],
  ["phone", "0301234567", "030 / 1234-567", "(030) 1234567"],
  ["iban", "DE89370400440532013000", "DE89 3704 0044 0532 0130 00", "de89370400440532013000"],
  ["card", "4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111"],
  ["social_security", "212554321", "212-55-4321", "212 55 4321"],
  ["tax", "DE136695976", "DE 136 695 976", "DE136695976"],
  [
    "money",
    "EUR 1250000",
    "€1,250,000",
    "1.250.000 €",
    "EUR 1'250'000.00",
    "1,25 Mio. Euro",
    "1.25 million euros",
  ],
  ["money", "$ 45.50", "$45.50", "45,50 dólares"],
  ["money", "GBP 0.20", "20 pence", "£0.20"],
  ["money", "USD 20000000", "USD 20m", "US$20 million"],
  [
    "date",
    "2024-03-09",
    "2024-03-09",
    "9.3.2024",
    "09. 03. 2024",
    "March 9th, 2024",
    "9 mars 2024",
    "2024年3月9日",
  ],
  ["date", "2024-03-19", "3/19/2024", "19/03/2024", "19. März 2024", "19 de marzo de 2024", "19 марта 2024"],
  ["birth_date", "1979-03-14", "03/14/1979", "14 March 1979"],
  ["birth_date", "03-04-1990", "03-04-1990"],
];

const kinds: ReadonlySet<RecognisedKind> = new Set(mentionKinds);

describe("the value of what was recognised", () => {
  it.each(ways)("of %s is %s for all ways to write it", (kind, value, ...written: string[]) => {
    expect(written.map((text) => mentionValue(kind, text))).toEqual(written.map(() => value));
  });

  it("is null if a date could be one of two days, or there is no such day", () => {
    for (const text of ["3/4/2020", "31.02.2020", "12 May 1020", "the 12 Markings 2020"])
      expect(mentionValue("date", text)).toBeNull();
  });

  it("is its own value, and is not empty for anything in the labelled texts", () => {
    const text = labelled.join("\n").replaceAll(/\[\[(\w+)\|([^\]]*(?:\[at\][^\]]*)?)\]\]/g, "$2");
    const found = recognise(text, kinds);
    expect(found.length).toBeGreaterThan(100);
    const values = found.map(({ kind, start, end }) => {
      const value = mentionValue(kind as MentionKind, text.slice(start, end));
      return {
        kind,
        value,
        again: kind === "money" ? value : mentionValue(kind as MentionKind, value ?? ""),
      };
    });
    expect(values.filter(({ value, again }) => value === null || value !== again)).toEqual([]);
  });
});
