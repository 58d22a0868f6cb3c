import { describe, expect, it } from "vitest";
import { textQuality } from "./text-quality.ts";

const prose = "The harbour office was open on 312 days; 4,201 ships called.";

describe("the quality of a page's text", () => {
  it.each([
    ["nothing", "", "none"],
    ["space", " \n\t\u00a0\n", "none"],
    ["rules and dots", "______ ..... — - ·", "none"],
    ["prose", prose, "good"],
    ["German", "Grüße aus Köln, schöne Straße.", "good"],
    ["Greek", "Καλημέρα κόσμε", "good"],
    ["Arabic", "مرحبا بالعالم", "good"],
    ["Japanese", "港湾事務所の年次報告書", "good"],
    ["Hindi, half of it vowel signs", "कृपया ध्यान दीजिए", "good"],
    ["letters beyond 16 bits", "𝐓𝐡𝐞 𝐡𝐚𝐫𝐛𝐨𝐮𝐫", "good"],
    ["a table of contents", "Introduction ........................................ 5", "good"],
    ["a table of figures", "12.5% | 33 | (4)\n€ 1,204 | 17 | (2)", "good"],
    ["a formula", "f(x) = ∫ (a·x² + b·x) dx, x ∈ [0, 1]", "good"],
    ["a page number", "7", "good"],
    ["a long list with private bullets", `\uf0b7 ${prose}\n\uf0b7 ${prose}`, "good"],
    ["a page with one character lost", `${prose} \ufffd`, "good"],
    ["characters that are lost", "\ufffd\ufffd\ufffd \ufffd\ufffd", "garbage"],
    ["every sixth lost", "7KLV\ufffdLV\ufffdD\ufffdWHVW", "garbage"],
    ["control characters", "\u0001\u0002a\u0003\u0004b\u0005", "garbage"],
    ["private characters", "\ue000\ue001\ue002 \ue003", "garbage"],
    ["halves of surrogate pairs", "a\ud800b\udc00c", "garbage"],
    ["signs only", "!!\"#$ %&'() *+,/ :;<=> ?@[]", "garbage"],
  ])("is rated: %s", (_what, text, quality) => {
    expect(textQuality(text)).toBe(quality);
  });
});
