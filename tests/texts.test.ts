import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { exportTexts, flat, importTexts } from "../packaging/texts/exchange.ts";
import { differenceOf, pluralsIn } from "../packaging/texts/differences.ts";
import deFormats from "../src/texts/de/formats.json" with { type: "json" };
import enFormats from "../src/texts/en/formats.json" with { type: "json" };
import { Formats } from "../src/texts/formats.ts";
import { type Language, languages } from "../src/texts/languages.ts";
import { messageOf } from "../src/texts/message.ts";
import { pageTexts } from "../src/texts/pages.ts";
import { translations } from "../src/texts/translations.ts";
import { texts as desk } from "../src/desk/model/texts.ts";
import { editingTexts } from "../src/viewer/texts/editing-texts.ts";
import { texts as viewer } from "../src/viewer/texts/texts.ts";

const english = flat(translations.en);
const catalogues = path.join(import.meta.dirname, "../src/texts");

describe.each(languages)("the texts in %s", (language) => {
  const texts = flat(translations[language]);

  it("have the keys of the English ones, and none is empty", () => {
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    expect(Object.entries(texts).filter(([, text]) => text.trim() === "")).toEqual([
      ["editing/arrange/turns/0", ""],
    ]);
  });

  it("show the values that the English ones show", () => {
    const different = Object.entries(texts).flatMap(
      ([key, text]) => differenceOf(english[key] ?? "", text) ?? [],
    );
    expect(different).toEqual([]);
  });

  it("have a form for each number by the plural rules of the language", () => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    for (const [key, text] of Object.entries(texts)) {
      for (const { forms } of pluralsIn(text)) {
        const named = [...forms.keys()].filter((category) => !category.startsWith("="));
        // "Many" is the same as "other" where the number is not shown: "1 000 000 de pages", but "des pages".
        const showsNumber = forms
          .get("other")
          ?.some((part) => typeof part === "string" && part.includes("#"));
        const needed = pluralCategories.filter((category) => category !== "many" || showsNumber === true);
        expect([key, named.toSorted()]).toEqual([key, needed.toSorted()]);
      }
    }
  });

  it("are all read by the part of MessageFormat that Quire has", () => {
    const formats = new Formats({ ...enFormats, tag: language });
    for (const text of Object.values(texts)) {
      expect(messageOf(text, formats)({})).not.toMatch(/[{}]/);
      // Other programs take an apostrophe before a brace for a quotation mark of the format.
      expect(text).not.toMatch(/'[{}]/);
    }
  });
});

/** Arguments for the texts that take some: texts, numbers, lists, or several values as an object. */
const samples: readonly (readonly unknown[])[] = [
  ["‹one›", "‹two›", "‹three›"],
  [7, 11, 13, 17, 19],
  [["‹one›", "‹two›"], 7],
  ["‹one›", ["‹two›", "‹three›"], 7, 11],
  [{ total: 1207, done: 1302, failed: 1403, wrong: 1504, size: "‹size›" }],
  [{ label: "‹name›", object: "‹name›" }],
  [{ running: 1207, waiting: 1302, retrying: 1403 }],
  [
    {
      isPublic: false,
      organization: "‹organization›",
      projects: ["‹project›"],
      until: "‹until›",
      isReady: false,
    },
  ],
];

/** The text with these arguments; null if it takes others. */
function textWith(
  text: (...values: readonly unknown[]) => unknown,
  sample: readonly unknown[],
): string | null {
  try {
    const result = String(text(...sample));
    return /NaN|undefined|null|\[object/.test(result) ? null : result;
  } catch {
    return null;
  }
}

/** The texts of a catalogue as pages use them, by their paths. */
function entriesOf(catalogue: object, above = ""): [path: string, text: unknown][] {
  return Object.entries(catalogue).flatMap(([name, text]): [string, unknown][] => {
    if (text instanceof Formats) return [];
    const key = `${above}${name}`;
    return typeof text === "object" && text !== null ? entriesOf(text, `${key}/`) : [[key, text]];
  });
}

describe.each([
  ["the server's pages", pageTexts({ language: "en" })],
  ["the desk", desk],
  ["the viewer", viewer],
  ["the tools of the viewer", editingTexts],
])("the catalogue of %s", (_name, catalogue) => {
  const entries = entriesOf(catalogue);

  it("gives every text the values that it shows", () => {
    const withoutValues = entries.filter(([, text]) => typeof text === "string" && /[{}]/.test(text));
    expect(withoutValues).toEqual([]);
  });

  it.each(entries.filter(([, text]) => typeof text === "function"))(
    "shows all values in %s",
    (_path, text) => {
      const shown = samples.map((sample) => textWith(text as () => unknown, sample));
      expect(shown.filter((one) => one !== null)).not.toEqual([]);
    },
  );
});

describe("texts as files for translators", () => {
  let folder: string;
  let copy: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "quire-texts-"));
    copy = path.join(folder, "texts");
    cpSync(catalogues, copy, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const contents = (language: Language | "nl"): unknown[] =>
    readdirSync(path.join(copy, language))
      .filter((file) => file.endsWith(".json"))
      .map((file) => [file, JSON.parse(readFileSync(path.join(copy, language, file), "utf8"))]);
  const flatFile = (language: string): string => path.join(folder, "flat", `${language}.json`);
  const change = (language: string, changed: Record<string, string>): void => {
    const given = JSON.parse(readFileSync(flatFile("de"), "utf8")) as Record<string, string>;
    writeFileSync(flatFile(language), JSON.stringify({ ...given, ...changed }));
  };

  it("come back as they went out", () => {
    const before = languages.map(contents);
    expect(exportTexts(copy, path.join(folder, "flat")).toSorted()).toEqual(
      languages.map((language) => `${language}.json`).toSorted(),
    );
    importTexts(copy, path.join(folder, "flat"));
    expect(languages.map(contents)).toEqual(before);
  });

  it("change the catalogues of their language, and may begin another one", () => {
    exportTexts(copy, path.join(folder, "flat"));
    change("nl", {
      "common/save": "Opslaan",
      "common/close": "",
      "redacting/redact/consequences/0": "Pas op.",
    });
    importTexts(copy, path.join(folder, "flat"));
    const dutch = flat(Object.fromEntries(contents("nl") as [string, never][]));
    expect(dutch["common.json/save"]).toBe("Opslaan");
    expect(dutch["common.json/close"]).toBe("Close");
    expect(dutch["redacting.json/redact/consequences/0"]).toBe("Pas op.");
    expect(Object.keys(dutch)).toHaveLength(Object.keys(english).length);
  });

  it.each([
    [{ "common/unheard": "x" }, "common/unheard is no key of English"],
    [{ "viewer/ofPages": "von {number}" }, "viewer/ofPages shows number instead of count"],
    [{ "viewer/ofPages": "von" }, "viewer/ofPages shows no value instead of count"],
  ])("are refused whole if one is wrong: %j", (changed, problem) => {
    exportTexts(copy, path.join(folder, "flat"));
    const before = contents("de");
    change("de", { "common/save": "Sichern", ...changed });
    expect(() => importTexts(copy, path.join(folder, "flat"))).toThrow(problem);
    expect(contents("de")).toEqual(before);
  });
});

describe("a text with values", () => {
  const formats = new Formats(enFormats);
  const said = (text: string, shown: Parameters<ReturnType<typeof messageOf>>[0]): string =>
    messageOf(text, formats)(shown);

  it("shows values as they are, as numbers, and as lists", () => {
    expect(said("{name}’s {count, number} of {count}", { name: "{Ann}", count: 1234 })).toBe(
      "{Ann}’s 1,234 of 1234",
    );
    expect(said("{all}.", { all: ["a", "b", "c"] })).toBe("a, b and c.");
  });

  it("has forms by number, also within others", () => {
    const text =
      "{n, plural, =0 {none} one {# page of {m, plural, one {a file} other {# files}}} other {# pages}}";
    expect([0, 1, 1234].map((n) => said(text, { n, m: 2 }))).toEqual([
      "none",
      "1 page of 2 files",
      "1,234 pages",
    ]);
  });

  it.each(["{", "}", "{ n}", "{n, plural, one {x}}", "{n, plural, other {x}", "{n, date}"])(
    "is an error if it cannot be read: %s",
    (text) => {
      expect(() => messageOf(text, formats)).toThrow(text);
    },
  );
});

describe("the formats", () => {
  it("follow the plural rules and the numbers of a language", () => {
    const german = new Formats(deFormats);
    const pages = messageOf("{n, plural, one {# Seite} other {# Seiten}}", german);
    expect([0, 1, 2, 1234].map((n) => pages({ n }))).toEqual([
      "0 Seiten",
      "1 Seite",
      "2 Seiten",
      "1.234 Seiten",
    ]);
  });

  it("show moments in the reader's time zone", () => {
    const at = "2025-01-31T23:30:00.000000Z";
    expect(new Formats(enFormats).moment(at)).toBe("31 January 2025, 23:30 UTC");
    expect(new Formats(deFormats).moment(at, "Europe/Berlin")).toBe("1. Februar 2025, 00:30 MEZ");
  });
});
