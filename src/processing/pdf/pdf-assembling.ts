import { closeSync, fstatSync, openSync, rmSync, writeSync } from "node:fs";
import { hasLayers, markHiddenLayers } from "../prune/pdf-layers.ts";
import type { PdfiumAssembly } from "../pdfium/pdfium-assembly.ts";
import type { Pdfium } from "../pdfium/pdfium.ts";
import { prunePdf } from "../prune/prune-pdf.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/** A page of a new file: the source and its page, counting from 0, and the quarter turns clockwise. */
export interface AssembledPage {
  source: number;
  page: number;
  quarterTurns: number;
}

export interface AssemblyPlan {
  /** Paths of PDFs. */
  sources: string[];
  pages: AssembledPage[];
  to: string;
  /** Fails rather than keep an object that may not be shown on any page. */
  strictly: boolean;
}

/** Writes a new PDF from pages of others, and copies nothing else from those. @throws {UnreadableFileError} */
export function assemblePdf(pdfium: Pdfium, { sources, pages, to, strictly }: AssemblyPlan): void {
  const whole = `${to}.whole`;
  const marked = sources.map((_source, index) => `${to}.source-${index}`);
  try {
    join(pdfium, { sources, pages, to: whole });
    if (hasLayers(whole)) {
      copySources(pdfium, sources, pages, marked);
      for (const path of marked) markHiddenLayers(path);
      rmSync(whole);
      join(pdfium, { sources: marked, pages, to: whole });
    }
    prunePdf(whole, to, { strictly });
  } finally {
    for (const path of [whole, ...marked]) rmSync(path, { force: true });
  }
}

type Joining = Pick<AssemblyPlan, "sources" | "pages" | "to">;

/** Writes the pages, together with everything that pdfium copies with them. */
function join(pdfium: Pdfium, { sources, pages, to }: Joining): void {
  const assembly = pdfium.assembly();
  const opened = sources.map((path) => openSync(path, "r"));
  try {
    importAll(assembly, opened, pages);
    for (const [index, { quarterTurns }] of pages.entries()) {
      if (quarterTurns % 4 !== 0) assembly.turn(index, quarterTurns);
    }
    save(assembly, to);
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

/** Rewrites each source with pdfium, so that Quire's own reader can read it whatever its original form. */
function copySources(
  pdfium: Pdfium,
  sources: readonly string[],
  pages: readonly AssembledPage[],
  to: readonly string[],
): void {
  const assembly = pdfium.assembly();
  for (const [index, path] of sources.entries()) {
    const descriptor = openSync(path, "r");
    try {
      const source = openSource(assembly, descriptor);
      assembly.drawForms(
        source,
        new Set(pages.flatMap(({ source: from, page }) => (from === index ? [page] : []))),
      );
      save(assembly, to[index] ?? "", source);
    } finally {
      closeSync(descriptor);
    }
  }
}

function openSource(assembly: PdfiumAssembly, descriptor: number): number {
  const source = assembly.open(descriptor, fstatSync(descriptor).size);
  if (source === 0) throw new UnreadableFileError("broken", "broken: its structure cannot be made out");
  return source;
}

function save(assembly: PdfiumAssembly, to: string, source?: number): void {
  const file = openSync(to, "wx");
  try {
    const isSaved = assembly.save((bytes) => {
      for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    }, source);
    if (!isSaved) throw new UnreadableFileError("broken", "broken: it cannot be written again");
  } finally {
    closeSync(file);
  }
}

/**
 * Imports all pages of a source at once if possible, because pages that are imported together share their fonts and
 * images in the new file. The pages of the first source are imported first, then runs of the others' pages between
 * them.
 */
function importAll(
  assembly: PdfiumAssembly,
  descriptors: readonly number[],
  pages: readonly AssembledPage[],
): void {
  const isThere = pages.map(() => false);
  for (const [number, descriptor] of descriptors.entries()) {
    const positions = [...pages.keys()].filter((position) => pages[position]?.source === number);
    if (positions.length === 0) continue;
    const source = openSource(assembly, descriptor);
    const pageAt = (position: number): number => pages[position]?.page ?? 0;
    assembly.drawForms(source, new Set(positions.map(pageAt)));
    for (const run of number === 0 ? [positions] : runsOf(positions)) {
      const first = run[0] ?? 0;
      const before = isThere.slice(0, first).filter(Boolean).length;
      if (!assembly.import(source, run.map(pageAt), before)) {
        throw new UnreadableFileError("broken", "broken: a page of it cannot be read");
      }
      for (const position of run) isThere[position] = true;
    }
  }
}

/** Groups consecutive positions. */
function runsOf(positions: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const position of positions) {
    const last = runs.at(-1);
    if (last?.at(-1) === position - 1) last.push(position);
    else runs.push([position]);
  }
  return runs;
}
