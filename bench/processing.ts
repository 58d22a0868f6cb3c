import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import pino from "pino";
import { readConfig } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { findOcrData } from "../src/processing/ocr/ocr-data.ts";
import { openOcr } from "../src/processing/ocr/ocr.ts";
import { openPdfReader } from "../src/processing/pdf/pdf-pages.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import type { Person } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { scanOf } from "../src/testing/scan.ts";
import { addOwner, sendFile } from "../src/testing/sent-files.ts";
import { processorSeconds } from "./processor-time.ts";
import { type QuireServer, startQuire } from "./quire-server.ts";
import { median, percentile } from "./statistics.ts";

/*
 * Measures the way from a file to a readable document.
 *
 *   npm run bench:processing [-- --quick]
 *
 * Recognising text: pages per second of one core, by processor time, compared in turn with Debian's tesseract with one
 * thread on the same images. Tesseract runs with Quire's data and with Debian's, which is smaller and less accurate.
 * The start of each program counts, spread over the pages. The other figures come from the real server: the time from
 * an upload until the document is readable and until it is done, the time for a page's image that is first requested,
 * the time for two documents at once compared with one, and how all this slows down requests for the list.
 */

const isQuick = process.argv.includes("--quick");
const [rounds, scans] = isQuick ? [1, 2] : [3, 6];

const print = (...figures: string[]): void => void process.stdout.write(`${figures.join(" · ")}\n`);

const words = "harbour lighthouse keeper winter the of arrivals and Council ships counted".split(" ");
const lineOf = (page: number, line: number): string =>
  Array.from({ length: 11 }, (_, word) => words[(page * 7 + line * 3 + word * word) % words.length]).join(
    " ",
  );
const linesOf = (page: number): string[] => Array.from({ length: 42 }, (_, line) => lineOf(page, line));
const bookOf = (pages: number): Uint8Array =>
  buildPdf({
    pages: Array.from({ length: pages }, (_, page) => ({ width: 612, height: 792, lines: linesOf(page) })),
  });

const onOneThread = (command: string[]): number =>
  processorSeconds(command, 1, { ...process.env, OMP_THREAD_LIMIT: "1" });

async function recognising(folder: string): Promise<void> {
  const book = path.join(folder, "book.pdf");
  await writeFile(book, bookOf(scans));
  const reader = openPdfReader({ timeLimitSeconds: 60, memoryLimitMb: 1024 });
  const files: string[] = [];
  {
    await using pdf = await reader.open(book);
    for (let page = 0; page < scans; page++) {
      const file = path.join(folder, `page-${page}.pgm`);
      await writeFile(file, (await pdf.raster(page)).bytes);
      files.push(file);
    }
  }
  await reader.close();
  const list = path.join(folder, "pages.txt");
  await writeFile(list, files.join("\n"));
  const data = await findOcrData("eng", []);
  const packed = await readFile(path.join(data.folder, `${data.language}.traineddata.gz`));
  await writeFile(path.join(folder, "eng.traineddata"), gunzipSync(packed));
  const oursOn = [process.execPath, import.meta.filename, "--recognise", ...files];
  const theirsOn = ["tesseract", list, "-", "--dpi", "300", "-l", "eng"];
  const hasTesseract = spawnSync("tesseract", ["--version"]).error === undefined;
  const rates: Record<string, number[]> = { ours: [], "the same data": [], "its own data": [] };
  for (let round = 0; round < rounds; round++) {
    rates["ours"]?.push(scans / onOneThread(oursOn));
    if (!hasTesseract) continue;
    rates["the same data"]?.push(scans / onOneThread([...theirsOn, "--tessdata-dir", folder]));
    rates["its own data"]?.push(scans / onOneThread(theirsOn));
  }
  const ours = median(rates["ours"] ?? []);
  print(`text of images, pages a second of one core: ours ${ours.toFixed(2)}`);
  if (!hasTesseract)
    print("tesseract is missing, so there is nothing to compare with: install tesseract-ocr");
  for (const name of hasTesseract ? ["the same data", "its own data"] : []) {
    const theirs = median(rates[name] ?? []);
    print(`tesseract with ${name} ${theirs.toFixed(2)}`, `ratio ${(ours / theirs).toFixed(2)} (aim 0.7)`);
  }
}

/** The work that runs in its own process, so that its processor time can be measured. */
async function recognise(files: readonly string[]): Promise<void> {
  const ocr = openOcr({ timeLimitSeconds: 120, memoryLimitMb: 1024, atOnce: 1, dataFolders: [] });
  for (const file of files) {
    const raster = { width: 2550, height: 3300, bytes: new Uint8Array(await readFile(file)) };
    await ocr.read(raster, "eng", new AbortController().signal);
  }
  await ocr.close();
}

interface Ground extends Pick<QuireServer, "url"> {
  owner: Person;
  fetch(target: string, init?: RequestInit): Promise<Response>;
}

/** In milliseconds since the upload began. */
async function uploaded(
  ground: Ground,
  file: { extension: string; bytes: Uint8Array },
): Promise<{ id: number; readable: number; success: number }> {
  const started = performance.now();
  const id = await sendFile(ground, ground.owner, file, "A book");
  let readable: number | null = null;
  for (;;) {
    const { body } = await sendAs(ground, ground.owner, "GET", `/api/documents/${id}/`);
    const milliseconds = performance.now() - started;
    if (["readable", "success"].includes(body.status)) readable ??= milliseconds;
    if (body.status === "success") return { id, readable: readable ?? milliseconds, success: milliseconds };
    if (body.status === "error") throw new Error(`document ${id} could not be read`);
    await wait(2);
  }
}

async function tenPages(ground: Ground): Promise<void> {
  const bytes = bookOf(10);
  const times: { id: number; readable: number; success: number }[] = [];
  await uploaded(ground, { extension: "pdf", bytes });
  for (let run = 0; run < (isQuick ? 3 : 15); run++)
    times.push(await uploaded(ground, { extension: "pdf", bytes }));
  const of = (name: "readable" | "success"): string => median(times.map((one) => one[name])).toFixed(0);
  print(
    "ten pages of a PDF",
    `readable ${of("readable")} ms after the upload began`,
    `done ${of("success")} ms`,
  );
  const figures: string[] = [];
  const [last] = times.slice(-1);
  for (const size of ["xlarge", "large", "normal", "small", "thumbnail"]) {
    const images: number[] = [];
    for (let page = 1; page <= 10; page++) {
      const started = performance.now();
      const address = `/files/documents/${last?.id}/pages/a-book-p${page}-${size}.gif`;
      const answer = await ground.fetch(address, { headers: ground.owner.headers });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`);
      images.push(performance.now() - started);
    }
    figures.push(`${size} ${median(images).toFixed(0)} ms`);
  }
  print("an image of a page when it is first asked for", ...figures);
}

async function bothCores(ground: Ground, scan: Buffer): Promise<void> {
  const file = { extension: "png", bytes: scan };
  await uploaded(ground, file);
  const one = median(
    [await uploaded(ground, file), await uploaded(ground, file)].map(({ success }) => success),
  );
  const started = performance.now();
  await Promise.all([uploaded(ground, file), uploaded(ground, file)]);
  const two = performance.now() - started;
  print(
    `a scanned page ${one.toFixed(0)} ms`,
    `two at once ${two.toFixed(0)} ms`,
    `${((2 * one) / two).toFixed(2)} times the pages of one`,
  );
}

async function listTimes({ url }: Ground, over: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!over()) {
    const started = performance.now();
    const answer = await fetch(`${url}/api/documents/?per_page=25&n=${times.length}`);
    await answer.arrayBuffer();
    times.push(performance.now() - started);
    await wait(5);
  }
  return times;
}

function after(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() > end;
}

async function listMeanwhile(ground: Ground): Promise<void> {
  await listTimes(ground, after(1));
  const idle = await listTimes(ground, after(isQuick ? 2 : 6));
  let isDone = false;
  const bytes = bookOf(isQuick ? 200 : 1000);
  const processing = uploaded(ground, { extension: "pdf", bytes }).finally(() => {
    isDone = true;
  });
  const busy = await listTimes(ground, () => isDone);
  await processing;
  const [before, during] = [percentile(idle, 0.99), percentile(busy, 0.99)];
  print(
    `the list's p99: idle ${before.toFixed(1)} ms`,
    `while a book is read ${during.toFixed(1)} ms`,
    `ratio ${(during / before).toFixed(2)} (aim 2)`,
  );
}

const asked = process.argv.indexOf("--recognise");
if (asked !== -1) {
  await recognise(process.argv.slice(asked + 1));
  process.exit();
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
try {
  await recognising(folder);
  const read = readConfig({ QUIRE_DATA: path.join(folder, "data") });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const context = await openContext(read.config, pino({ level: "silent" }));
  const owner = await addOwner(context);
  await context.close();
  const server = await startQuire({ dataFolder: path.join(folder, "data"), databaseUrl: null });
  const { url } = server;
  const ground = { url, owner, fetch: (target: string, init?: RequestInit) => fetch(url + target, init) };
  try {
    await tenPages(ground);
    await bothCores(ground, await scanOf(linesOf(1), { width: 612, height: 792 }));
    await listMeanwhile(ground);
  } finally {
    await server.process.stop();
  }
} finally {
  await rm(folder, { recursive: true });
}
