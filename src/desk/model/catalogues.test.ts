import { describe, expect, it } from "vitest";
import { Formats } from "../../texts/formats.ts";
import * as english from "../../texts/pages-english.ts";
import * as german from "../../texts/pages-german.ts";
import { editingEnglish } from "../../viewer/texts/editing-english.ts";
import { editingGerman } from "../../viewer/texts/editing-german.ts";
import * as viewerEnglish from "../../viewer/texts/english.ts";
import * as viewerGerman from "../../viewer/texts/german.ts";
import * as desk from "./texts.ts";

type Entry = [name: string, value: unknown];

/** The entries of a catalogue, by their paths. Formats are not texts. */
function entriesOf(catalogue: object, path = ""): Entry[] {
  return Object.entries(catalogue).flatMap(([name, value]): Entry[] =>
    value instanceof Formats
      ? []
      : typeof value === "object" && value !== null
        ? entriesOf(value, `${path}${name}.`)
        : [[`${path}${name}`, value]],
  );
}

/** Arguments for the texts that take some: texts, numbers, lists, or several values as an object. */
const samples: readonly (readonly unknown[])[] = [
  ["‹one›", "‹two›", "‹three›"],
  [7, 11, "‹three›"],
  [7, 11, 13],
  [["‹one›", "‹two›"], 7],
  [7, "‹two›", 13, 17, 19],
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
function textOf(value: unknown, sample: readonly unknown[]): string | null {
  if (typeof value !== "function") return String(value);
  try {
    const text = String((value as (...all: readonly unknown[]) => unknown)(...sample));
    return /NaN|undefined|\[object/.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** The arguments that appear in a text: what a translation must not lose. */
function shownIn(text: string, sample: readonly unknown[]): string[] {
  const digits = text.replaceAll(/(?<=\d)[.,](?=\d{3})/g, "");
  const values = sample.flatMap((one) => (typeof one === "object" ? Object.values(one as object) : [one]));
  return values.map(String).filter((shown) => digits.includes(shown));
}

describe.each([
  ["the server's pages", english.english, german.german],
  ["the desk", desk.english, desk.german],
  ["the viewer", viewerEnglish.english, viewerGerman.german],
  ["the tools of the viewer", editingEnglish, editingGerman],
])("the catalogue of %s", (_name, one, other) => {
  const translated = new Map(entriesOf(other));

  it("has the same keys in both languages", () => {
    expect(
      entriesOf(other)
        .map(([key]) => key)
        .toSorted(),
    ).toEqual(
      entriesOf(one)
        .map(([key]) => key)
        .toSorted(),
    );
  });

  it.each(entriesOf(one))("shows the same values in %s", (key, value) => {
    const translation = translated.get(key);
    expect(typeof translation).toBe(typeof value);
    const compared = samples.flatMap((sample) => {
      const texts = [textOf(value, sample), textOf(translation, sample)] as const;
      if (texts[0] === null || texts[1] === null) return [];
      expect(shownIn(texts[1], sample)).toEqual(shownIn(texts[0], sample));
      return [sample];
    });
    expect(compared).not.toEqual([]);
  });
});

describe("the formats", () => {
  it("follow the plural rules and the numbers of a language", () => {
    const forms = { one: "# Seite", other: "# Seiten" };
    const formats = new Formats("de");
    expect([0, 1, 2, 1234].map((count) => formats.plural(count, forms))).toEqual([
      "0 Seiten",
      "1 Seite",
      "2 Seiten",
      "1.234 Seiten",
    ]);
  });

  it("show moments in the reader's time zone", () => {
    const at = "2025-01-31T23:30:00.000000Z";
    expect(new Formats("en").moment(at)).toBe("31 January 2025, 23:30 UTC");
    expect(new Formats("de").moment(at, "Europe/Berlin")).toBe("1. Februar 2025, 00:30 MEZ");
  });
});
