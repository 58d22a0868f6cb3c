import { describe, expect, it } from "vitest";
import { explainQuery } from "./explain-query.ts";
import { parseQuery } from "./parse-query.ts";

const understood = (text: string): string =>
  explainQuery(parseQuery(text, { hasPatterns: true, now: new Date() }).query);

describe("fields for what documents mention", () => {
  it.each([
    ['mention_iban:"DE89 3704 0044 0532 0130 00"', 'mention_iban:"DE89370400440532013000"'],
    ["mention_email:Ada@Example.org", 'mention_email:"ada@example.org"'],
    ['mention_phone:"(212) 555-0187"', 'mention_phone:"+12125550187"'],
    ['mention_date:"9 March 2024"', 'mention_date:"2024-03-09"'],
    ["mention_date:2024-03", "mention_date:2024\\-03*"],
    ["mention_iban:*", "mention_iban:*"],
    ["mention_iban:DE89*", "mention_iban:DE89*"],
    ["mention_date:[2020 TO 2021]", "mention_date:[2020-01-01 TO 2021-12-31]"],
    ["mention_date:{2020 TO 2021-02}", "mention_date:{2020-12-31 TO 2021-02-01}"],
    ["mention_date:[2020-02-03 TO *]", "mention_date:[2020-02-03 TO *]"],
    ["mention_date:[yesterday TO *]", "NOT *:*"],
    ["mention_iban:[A TO B]", "NOT *:*"],
    ["mention:Ada@Example.org", 'mention_email:"ada@example.org"'],
    ['mention:"4111 1111 1111 1111"', 'mention_card:"4111111111111111"'],
  ])("%s is understood as %s", (text, explained) => {
    expect(understood(text)).toBe(explained);
    expect(understood(explained)).toBe(explained);
  });

  it("look for a value of no known form in several", () => {
    expect(understood("mention:ab-12")).toBe('(mention:"ab-12" OR mention:"12" OR mention:"AB12")');
  });
});
