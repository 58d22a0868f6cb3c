import { createRequire } from "node:module";
import { TrueTypeFont } from "./true-type.ts";

export type DejavuName = "DejaVuSans" | "DejaVuSans-Bold" | "DejaVuSansMono";

const fonts = new Map<DejavuName, TrueTypeFont>();

/** A font that comes with Quire. It is read once in a process: nothing in it changes. */
export function dejavuFont(name: DejavuName): TrueTypeFont {
  const font = fonts.get(name) ?? new TrueTypeFont(pathOf(name));
  fonts.set(name, font);
  return font;
}

const pathOf = (name: DejavuName): string =>
  createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
