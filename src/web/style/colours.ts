import { readFileSync } from "node:fs";

/*
 * A site may have a colour of its own instead of Quire's blue. What is drawn in it stays legible: each shade is as near
 * to the colour as its contrast to the grounds of the tokens allows.
 */

type Shade = readonly [red: number, green: number, blue: number];

const black: Shade = [0, 0, 0];
const white: Shade = [255, 255, 255];
/** WCAG asks for 4.5; rounding to whole numbers takes a little of it. */
const minContrast = 4.6;

const tokens = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
/** The shades of a token in light and in dark mode. */
const shadesOf = (name: string): readonly [light: Shade, dark: Shade] => {
  const [, light = "", dark = ""] =
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(tokens) ?? [];
  return [shadeOf(light), shadeOf(dark)];
};
const grounds = ["sunken", "paper", "surface", "raised", "hover"].map(shadesOf);
const [lightGrounds, darkGrounds] = [grounds.map(([light]) => light), grounds.map(([, dark]) => dark)];

export function shadeOf(hex: string): Shade {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) =>
    Number.parseInt(hex.slice(start, start + 2), 16),
  );
  return [red, green, blue];
}

const hexOf = (shade: Shade): string =>
  `#${shade.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;

/** `share` of one shade, and the rest of another. */
function mixed(one: Shade, other: Shade, share: number): Shade {
  const part = (index: 0 | 1 | 2): number => Math.round(one[index] * share + other[index] * (1 - share));
  return [part(0), part(1), part(2)];
}

function luminance(shade: Shade): number {
  const [red = 0, green = 0, blue = 0] = shade.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast ratio of two shades as WCAG 2 defines it. */
export function contrastOf(one: Shade, other: Shade): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The nearest shade to one, on the way to black or white, that can be read on all of these grounds. */
function legible(shade: Shade, towards: Shade, on: readonly Shade[]): Shade {
  for (let share = 1; share > 0; share -= 0.02) {
    const candidate = mixed(shade, towards, share);
    if (on.every((ground) => contrastOf(candidate, ground) >= minContrast)) return candidate;
  }
  return towards;
}

/** The strongest tint of a ground on which the accent can still be read. */
function tinted(accent: Shade, ground: Shade, strongest: number): Shade {
  for (let share = strongest; share > 0; share -= 0.01) {
    const candidate = mixed(accent, ground, share);
    if (contrastOf(accent, candidate) >= minContrast) return candidate;
  }
  return ground;
}

/** The stylesheet that replaces Quire's accents by those of a colour, such as `#8a1c2b`. */
export function coloursOf(hex: string): string {
  const light = legible(shadeOf(hex), black, lightGrounds);
  const dark = legible(shadeOf(hex), white, darkGrounds);
  const [surfaceLight, surfaceDark] = shadesOf("surface");
  const rules: readonly (readonly [string, Shade, Shade])[] = [
    ["accent", light, dark],
    ["on-accent", white, mixed(dark, black, 0.12)],
    ["accent-hover", mixed(light, black, 0.75), mixed(dark, white, 0.75)],
    ["accent-soft", tinted(light, surfaceLight, 0.1), tinted(dark, surfaceDark, 0.16)],
    ["focus", light, dark],
  ];
  const lines = rules.map(([name, one, other]) => `  --${name}: light-dark(${hexOf(one)}, ${hexOf(other)});`);
  return `:root {\n${lines.join("\n")}\n}\n`;
}
