import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const css = readFileSync(path.join(import.meta.dirname, "style.css"), "utf8");
/** The named colours of the stylesheet, in light mode and in dark mode. */
const pairs = Array.from(css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g));
const [light, dark] = [2, 3].map(
  (which) => new Map(pairs.map((found) => [found[1] as string, found[which] as string])),
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

const backgrounds = ["paper", "surface", "sunken"];
const texts = ["ink", "muted", "accent", "good", "doubtful", "bad"];
const jsonTexts = ["json-key", "json-string", "json-number", "json-literal"];

describe.each([
  ["light", light],
  ["dark", dark],
])("the stylesheet in %s", (_name, colours) => {
  it("gives text enough contrast to its background", () => {
    for (const text of [...texts, ...jsonTexts]) {
      for (const background of backgrounds) {
        expect(
          contrast(colours?.get(text), colours?.get(background)),
          `${text} on ${background}`,
        ).toBeGreaterThan(4.5);
      }
    }
    expect(contrast(colours?.get("on-accent"), colours?.get("accent"))).toBeGreaterThan(4.5);
  });

  it("gives the edges of controls and the focus ring enough contrast to their surroundings", () => {
    for (const line of ["edge", "focus"]) {
      for (const background of backgrounds) {
        expect(
          contrast(colours?.get(line), colours?.get(background)),
          `${line} on ${background}`,
        ).toBeGreaterThan(3);
      }
    }
  });
});

describe("the other stylesheets", () => {
  it.each(globSync("../{viewer,desk}/**/*.css", { cwd: import.meta.dirname }))(
    "take colours, corners and the sizes of small text from this one: %s",
    (file) => {
      const rules = readFileSync(path.join(import.meta.dirname, file), "utf8");
      expect(
        rules.match(/#[\da-f]{3,8}\b|rgb\(|border-radius: [68]px|font-size: 0\.[89]\d+rem/gi),
      ).toBeNull();
    },
  );
});

describe("the stylesheet", () => {
  it("loads nothing from other origins", () => {
    expect(css).not.toMatch(/url\(|@import|@font-face/);
  });
});
