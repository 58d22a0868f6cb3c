import { globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fontFiles } from "./static-routes.ts";

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, file), "utf8");
const tokens = read("style/tokens.css");
/** The named colours of the stylesheet, in light mode and in dark mode. */
const pairs = Array.from(tokens.matchAll(/--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g));
const [light, dark] = [2, 3].map(
  (which) => new Map(pairs.map((found) => [found[1] as string, (found[which] ?? found[4]) as string])),
);

/** The contrast ratio of two colours as WCAG 2 defines it. */
function contrast(one: string | undefined, other: string | undefined): number {
  const [lighter = 0, darker = 0] = [one, other].map(luminance).toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour = ""): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const grounds = ["sunken", "paper", "surface", "raised", "hover"];
const texts = ["ink", "muted", "accent", "good", "doubtful", "bad"];
const jsonTexts = ["json-key", "json-string", "json-number", "json-literal"];
/** Texts that stand on a ground of their own. */
const ownGrounds = [
  ["on-accent", "accent"],
  ["on-accent", "accent-hover"],
  ["on-mark", "mark"],
  ...["accent", "good", "doubtful", "bad"].flatMap((name) => [
    [name, `${name}-soft`],
    ["ink", `${name}-soft`],
  ]),
];

describe.each([
  ["light", light],
  ["dark", dark],
])("the stylesheet in %s", (_name, colours) => {
  it("gives text enough contrast to its ground", () => {
    const common = [...texts, ...jsonTexts].flatMap((text) => grounds.map((ground) => [text, ground]));
    for (const [text = "", ground = ""] of [...common, ...ownGrounds])
      expect
        .soft(contrast(colours?.get(text), colours?.get(ground)), `${text} on ${ground}`)
        .toBeGreaterThanOrEqual(4.5);
  });

  it("gives the edges of controls and the focus ring enough contrast to their surroundings", () => {
    for (const line of ["edge", "focus"])
      for (const ground of grounds)
        expect
          .soft(contrast(colours?.get(line), colours?.get(ground)), `${line} on ${ground}`)
          .toBeGreaterThanOrEqual(3);
  });
});

describe("the other stylesheets", () => {
  const files = globSync(["style/*.css", "../{viewer,desk}/**/*.css"], { cwd: import.meta.dirname });
  const declared = new Set(Array.from(tokens.matchAll(/(--[\w-]+):/g), ([, name]) => name));

  it.each(files.filter((file) => !file.endsWith("tokens.css")))(
    "take colours, corners and the sizes of small text from the tokens: %s",
    (file) => {
      const rules = read(file);
      expect(
        rules.match(/#[\da-f]{3,8}\b|rgb\(|border-radius: \d+px|font-size: 0\.\d+rem|url\(/gi) ?? [],
      ).toEqual([]);
      const own = new Set(Array.from(rules.matchAll(/(--[\w-]+):/g), ([, name]) => name));
      const used = Array.from(rules.matchAll(/var\((--[\w-]+)/g), ([, name = ""]) => name);
      expect(used.filter((name) => !declared.has(name) && !own.has(name))).toEqual([]);
    },
  );
});

describe("the tokens", () => {
  it("load nothing but the two fonts, which are small", () => {
    const loaded = Array.from(tokens.matchAll(/url\("?([^")]+)|@import/g), ([, file]) => file);
    expect(loaded).toEqual(Object.keys(fontFiles).map((name) => `${name}.woff2`));
    const bytes = Object.values(fontFiles).map(
      (file) => statSync(path.join(import.meta.dirname, "../../node_modules", file)).size,
    );
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(110_000);
  });
});
