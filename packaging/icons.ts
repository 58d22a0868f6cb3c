import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import * as present from "../src/contract/icons.ts";

/*
 * npm run icons -- NAME…: writes src/contract/icons.ts, with the icons that it has and those that are named, from the
 * package lucide-static. Pages contain the icons that they show, and scripts those that they import.
 */

const file = path.join(import.meta.dirname, "..", "src", "contract", "icons.ts");
const maxPiece = 100;

/** "trash-2" is the constant `trash2Icon`. */
const constantOf = (name: string): string =>
  `${name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())}Icon`;

export const nameOf = (exported: string): string =>
  exported.replace(/Icon$/, "").replaceAll(/[A-Z\d]/g, (letter) => `-${letter.toLowerCase()}`);

/** The elements of an icon of the package, as one text. */
export function elementsOf(name: string): string {
  const svg = readFileSync(createRequire(import.meta.url).resolve(`lucide-static/icons/${name}.svg`), "utf8");
  const elements = Array.from(svg.matchAll(/<(?!svg|!|\/)[^>]*>/g), ([element]) => element);
  return elements.map((element) => element.replaceAll(/\s*\/>/g, "/>").replaceAll('"', "'")).join("");
}

function constant(name: string): string {
  const pieces = elementsOf(name).match(new RegExp(`.{1,${maxPiece}}(?= |$)|.+`, "g")) ?? [];
  const text = pieces.map((piece) => JSON.stringify(piece)).join(" +\n  ");
  return `export const ${constantOf(name)} =\n  ${text};\n`;
}

function write(added: readonly string[]): void {
  const names = [...new Set([...Object.keys(present).map(nameOf), ...added])].toSorted();
  const head =
    "/*\n * The icons of pages and scripts: elements for an SVG of 24 by 24 units that are drawn with strokes.\n" +
    " * `npm run icons -- NAME…` writes this file from lucide-static: see https://lucide.dev/license. ISC licence,\n" +
    " * copyright (c) Lucide Icons and Contributors; some icons are from Feather: MIT licence, copyright (c) 2013-2023\n" +
    " * Cole Bemis.\n */\n\n";
  writeFileSync(file, head + names.map(constant).join("\n"));
}

if (import.meta.main) write(process.argv.slice(2));
