import { describe, expect, it } from "vitest";
import { inflected } from "../testing/inflected.ts";
import { languageOf } from "./text-language.ts";

const german = "Der Stadtrat hat die Verträge mit der Reederei gekündigt, weil die Schiffe nicht fuhren. ";
const english = "The council ended the contracts with the shipping company, which had no ships that sailed. ";

describe("the language of a text", () => {
  it("is recognised by one sentence, in 17 languages", async () => {
    const wrong: string[] = [];
    for (const { language, sentence } of inflected) {
      if ((await languageOf([sentence]))?.language !== language) wrong.push(sentence);
    }
    expect(wrong).toEqual([]);
  });

  it("is that of most of it, with the share as the certainty", async () => {
    const found = await languageOf([german.repeat(30), english.repeat(10)]);
    expect(found?.language).toBe("deu");
    expect(found?.certainty).toBeGreaterThan(0.5);
    expect(found?.certainty).toBeLessThan(1);
    expect(await languageOf([english.repeat(50)])).toEqual({ language: "eng", certainty: 1 });
  });

  it("is unknown of names and numbers, and of texts in many languages", async () => {
    expect(await languageOf([])).toBeNull();
    expect(await languageOf(["Müller 12.03.2024", "1 2 3"])).toBeNull();
    const sentences = new Map(inflected.map(({ language, sentence }) => [language, sentence]));
    expect(await languageOf([...sentences.values()])).toBeNull();
  });

  it("is looked for in a bounded part of a long text", async () => {
    const pages = Array.from({ length: 2000 }, () => german.repeat(20));
    expect(await languageOf(pages)).toEqual({ language: "deu", certainty: 1 });
    expect(await languageOf([german.repeat(20_000)])).toEqual({ language: "deu", certainty: 1 });
  });
});
