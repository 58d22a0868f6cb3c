import { createHash } from "node:crypto";
import { closeSync, globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { hostilePdfs } from "../../testing/hostile-pdfs.ts";
import { buildPdf } from "../../testing/pdf.ts";
import { isDeep } from "../../testing/runs.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { openInPdfium, readPdfFacts } from "../pdf/pdf-facts.ts";
import { readPageImage, readPageText } from "../pdf/pdf-page-reading.ts";
import { compilePdfium, type PdfiumCode } from "./pdfium-code.ts";
import { Pdfium } from "./pdfium.ts";
import { PdfiumInstance } from "./pdfium-instance.ts";

const root = path.join(import.meta.dirname, "../../..");
const memoryLimitMb = 256;

/** Hostile files that take seconds without a time limit. */
const slow = new Set([
  "makes millions of pages of one",
  "takes long to draw",
  "has a million words on a page",
]);

let code: PdfiumCode;
const folder = useFolder("pdfium");
const files = new Map<string, string>();

beforeAll(async () => {
  code = await compilePdfium();
  for (const sample of globSync(path.join(root, "samples/*.pdf"))) files.set(path.basename(sample), sample);
  const made: [string, Uint8Array][] = [
    ["is sound", buildPdf({ pages: [{ width: 300, height: 200, lines: ["A good page"] }] })],
    ...hostilePdfs()
      .filter(([what]) => !slow.has(what))
      .map(([what, bytes]): [string, Uint8Array] => [what, bytes]),
  ];
  for (const [index, [what, bytes]] of made.entries()) {
    const file = path.join(folder, `${index}.pdf`);
    await writeFile(file, bytes);
    files.set(what, file);
  }
});
/** What is read from a file, and whether pdfium could read it. */
function reading(instance: PdfiumInstance, file: string): { found: string; isSound: boolean } {
  const pdfium = new Pdfium(instance);
  const found: unknown[] = [];
  let descriptor: number | null = null;
  let isSound = true;
  try {
    descriptor = openInPdfium(pdfium, file);
    const facts = readPdfFacts(pdfium);
    found.push(
      facts.pageCount,
      facts.pageSizes.slice(0, 10),
      facts.brokenPages.slice(0, 10),
      pdfium.outline(),
    );
    for (let page = 0; page < Math.min(3, facts.pageCount); page++) {
      found.push(readPageText(pdfium, page));
      found.push(
        createHash("sha1")
          .update(readPageImage(pdfium, page, 200))
          .digest("hex"),
      );
    }
  } catch (error) {
    isSound = false;
    found.push(String(error));
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
  return { found: JSON.stringify(found), isSound };
}

/** The bytes of the memory. */
const memoryOf = ({ exports }: PdfiumInstance): Buffer => Buffer.from(exports.memory.buffer);

const start = (): Promise<PdfiumInstance> => PdfiumInstance.start(code, memoryLimitMb);

describe("an instance of pdfium", () => {
  it("reads each file as a new one would, whatever it read before, and has the same memory again", async () => {
    const fresh = new Map<string, string>();
    for (const [what, file] of files) fresh.set(what, reading(await start(), file).found);
    let instance = await start();
    const memory = Buffer.from(memoryOf(instance));
    let restored = 0;
    const different: string[] = [];
    // Each file comes after another one than it did for the fresh readings; in deep runs after two others.
    for (const [what, file] of [...(isDeep ? files : []), ...[...files].toReversed()]) {
      const { found, isSound } = reading(instance, file);
      if (found !== fresh.get(what)) different.push(`the reading of a file that ${what}`);
      if (isSound && instance.restore()) {
        if (!memoryOf(instance).equals(memory)) different.push(`the memory after a file that ${what}`);
        restored += 1;
      } else {
        instance = await start();
      }
    }
    expect(different).toEqual([]);
    expect(restored).toBeGreaterThan(files.size / 2);
  });

  it("is not used again if it has taken more memory, or was given a function", async () => {
    const grown = await start();
    grown.exports.malloc(32 * 1024 * 1024);
    expect(grown.restore()).toBe(false);
    const given = await start();
    given.addFunction(() => 0, "i");
    expect(given.restore()).toBe(false);
  });

  it("has the globals that are restored, and no others", async () => {
    const module = createRequire(import.meta.url).resolve("@embedpdf/pdfium/pdfium.wasm");
    expect(changingGlobals(await readFile(module))).toBe(4);
    const { exports } = await start();
    const names = ["emscripten_stack_get_current", "_emscripten_stack_restore", "_emscripten_tempret_set"];
    expect(Object.keys(exports)).toEqual(expect.arrayContaining(names));
  });
});

/** The number of mutable globals in a WebAssembly module, all of which are 32-bit constants at the start. */
function changingGlobals(module: Uint8Array): number {
  const globals = 6;
  let at = 8;
  const next = (): number => module[at++] ?? 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = next();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  };
  for (;;) {
    const section = next();
    const length = number();
    if (section !== globals) {
      at += length;
      continue;
    }
    let changing = 0;
    for (let left = number(); left > 0; left--) {
      const [type, isMutable, operation] = [next(), next(), next()];
      if (type !== 0x7f || operation !== 0x41) throw new Error("A global is no 32-bit constant");
      number();
      next();
      changing += isMutable;
    }
    return changing;
  }
}
