import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type PdfReader, openPdfReader } from "../src/processing/pdf/pdf-pages.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { processorSeconds } from "./processor-time.ts";
import { median } from "./statistics.ts";

/*
 * Text and images of PDF pages: pages per second on one core, compared in turn with Debian's pdftotext on the same
 * files.
 *
 *   node bench/pdf-text.ts [file.pdf …]      by default the samples and a book of 500 pages
 *
 * Quire returns words with their positions as well as text, so pdftotext runs twice, also with -bbox. The figures are
 * processor time without the start of either program; the start of pdftotext is the time that it takes to print its
 * version.
 */

const limits = { timeLimitSeconds: 60, memoryLimitMb: 256 };
const rounds = 3;
const imageWidths = [2000, 1000, 700, 180, 60];

interface Measured {
  pages: number;
  seconds: number;
}

/** Processor time, unless noted otherwise. */
const perSecond = ({ pages, seconds }: Measured): number => pages / seconds;

async function readText(
  file: string,
  reader: PdfReader,
  kind: "plainText" | "text" = "plainText",
): Promise<Measured> {
  await using pdf = await reader.open(file);
  const before = process.cpuUsage();
  for (let page = 0; page < pdf.facts.pageCount; page++) await pdf[kind](page);
  const { user, system } = process.cpuUsage(before);
  return { pages: pdf.facts.pageCount, seconds: (user + system) / 1e6 };
}

/** Wall-clock time, for documents read at the same time. */
async function readAtOnce(file: string, reader: PdfReader, documents: number): Promise<Measured> {
  const started = performance.now();
  const read = await Promise.all(Array.from({ length: documents }, () => readText(file, reader)));
  return {
    pages: read.reduce((sum, { pages }) => sum + pages, 0),
    seconds: (performance.now() - started) / 1000,
  };
}

const runsOfPdftotext = 40;

function runPdftotext(file: string, pages: number, options: string[]): Measured {
  const startSeconds = processorSeconds(["pdftotext", "-v"], runsOfPdftotext);
  const seconds =
    processorSeconds(["pdftotext", ...options, file, "/dev/null"], runsOfPdftotext) - startSeconds;
  return { pages, seconds: Math.max(seconds, 1e-4) };
}

async function compare(file: string, reader: PdfReader, hasPdftotext: boolean): Promise<void> {
  const { pages } = await readText(file, reader, "text");
  const figures: string[] = [];
  for (const { kind, what, options } of [
    { kind: "plainText", what: "text", options: [] },
    { kind: "text", what: "with the places of words", options: ["-bbox"] },
  ] as const) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      ours.push(perSecond(await readText(file, reader, kind)));
      if (hasPdftotext) theirs.push(perSecond(runPdftotext(file, pages, [...options])));
    }
    const ratio = (median(ours) / median(theirs)).toFixed(2);
    const besides = hasPdftotext ? `, pdftotext ${median(theirs).toFixed(0)} (ratio ${ratio})` : "";
    figures.push(`${what} ${median(ours).toFixed(0)} pages/s${besides}`);
  }
  print(`${path.basename(file)}, ${pages} pages`, ...figures);
}

async function imageTimes(file: string, reader: PdfReader): Promise<void> {
  await using pdf = await reader.open(file);
  const pages = Math.min(20, pdf.facts.pageCount);
  const figures: string[] = [];
  for (const width of imageWidths) {
    let bytes = 0;
    const times: number[] = [];
    for (let page = 0; page < pages; page++) {
      const started = performance.now();
      bytes += (await pdf.image(page, width)).length;
      times.push(performance.now() - started);
    }
    figures.push(`${width} px ${median(times).toFixed(0)} ms ${(bytes / pages / 1024).toFixed(0)} KB`);
  }
  print(`${path.basename(file)}, images`, ...figures);
}

const print = (...figures: string[]): void => void process.stdout.write(`${figures.join(" · ")}\n`);

async function benchFiles(folder: string): Promise<string[]> {
  const samples = path.join(import.meta.dirname, "..", "samples");
  const names = (await readdir(samples)).filter((name) => name.endsWith(".pdf"));
  const book = path.join(folder, "A book of 500 pages.pdf");
  const words = [
    "harbour",
    "lighthouse",
    "keeper",
    "winter",
    "the",
    "of",
    "arrivals",
    "and",
    "Council",
    "42",
  ];
  const line = (page: number, index: number): string =>
    Array.from({ length: 11 }, (_, word) => words[(page * 7 + index * 3 + word * word) % words.length]).join(
      " ",
    );
  const pages = Array.from({ length: 500 }, (_, page) => ({
    width: 612,
    height: 792,
    lines: Array.from({ length: 42 }, (_line, index) => line(page, index)),
  }));
  await writeFile(book, buildPdf({ pages }));
  return [...names.map((name) => path.join(samples, name)), book];
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
const reader = openPdfReader(limits);
try {
  const named = process.argv.slice(2);
  const files = named.length > 0 ? named : await benchFiles(folder);
  const hasPdftotext = spawnSync("pdftotext", ["-v"]).error === undefined;
  if (!hasPdftotext)
    print("pdftotext is missing, so there is nothing to compare with: install poppler-utils");
  for (const file of files) await compare(file, reader, hasPdftotext);
  for (const file of files) await imageTimes(file, reader);
  const largest = files.at(-1) ?? "";
  const one = perSecond(await readAtOnce(largest, reader, 1));
  const two = perSecond(await readAtOnce(largest, reader, 2));
  print(`two documents at once: ${(two / one).toFixed(2)} times the pages of one`);
} finally {
  await reader.close();
  await rm(folder, { recursive: true });
}
