import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { readFileSync, readdirSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pino from "pino";
import { readConfig } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { buildDocx, docxParagraph } from "../src/testing/office.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { addOwner, sendFile } from "../src/testing/sent-files.ts";
import { readOptions } from "./options.ts";
import { processorSeconds } from "./processor-time.ts";
import { startQuire } from "./quire-server.ts";
import { percentile } from "./statistics.ts";

/*
 * Measures how fast many small files become readable documents.
 *
 *   npm run bench:small-files [-- --files 100] [--owners 12] [--long 2000] [--tika tika-app.jar]
 *
 * Each kind of file is sent to the real server, several at a time, while a reader asks for the list. A row has the
 * processor time of a file, that of all processes of the server together, and the files a second. Poppler's pdftotext
 * and Apache Tika read the same files for comparison, where the machine has them; the start of each program is spread
 * over the files. With `--owners`, one more row has as many texts of each of so many users, sent in turn.
 * With `--long`, as many texts are sent in one go, and their rate is printed for each tenth.
 */

const options = readOptions(process.argv.slice(2), {
  files: "number",
  owners: "number",
  long: "number",
  tika: "text",
});
const fileCount = options.files ?? 100;
const sentAtOnce = 8;

const words = "harbour lighthouse keeper winter the of arrivals and Council ships counted".split(" ");
/** The texts differ, because a file that is known already is held back. */
const lineOf = (file: number, line: number): string =>
  [
    file,
    ...Array.from({ length: 11 }, (_, word) => words[(file * 7 + line * 3 + word * word) % words.length]),
  ].join(" ");
const linesOf = (file: number, count: number): string[] =>
  Array.from({ length: count }, (_, line) => lineOf(file, line));
const pdfOf = (file: number, pages: number): Uint8Array =>
  buildPdf({
    pages: Array.from({ length: pages }, (_, page) => ({
      width: 612,
      height: 792,
      lines: linesOf(file * pages + page, 40),
    })),
  });
const mailOf = (file: number): string =>
  [
    "From: Ada <ada@example.org>",
    "To: Ben <ben@example.org>",
    `Subject: Letter ${file}`,
    "Date: Mon, 2 Mar 2026 10:00:00 +0000",
    "Content-Type: text/plain; charset=utf-8",
    "",
    ...linesOf(file, 12),
  ].join("\r\n");
const htmlOf = (file: number): string =>
  `<!doctype html><title>${file}</title><h1>${lineOf(file, 0)}</h1><p>${linesOf(file, 12).join("</p><p>")}</p>`;

interface Kind {
  name: string;
  extension: string;
  make: (file: number) => Uint8Array;
}

const text: Kind = { name: "text", extension: "txt", make: (file) => Buffer.from(lineOf(file, 1)) };

const kinds: readonly Kind[] = [
  text,
  {
    name: "CSV",
    extension: "csv",
    make: (file) =>
      Buffer.from(
        linesOf(file, 20)
          .map((line) => line.replaceAll(" ", ","))
          .join("\n"),
      ),
  },
  { name: "mail", extension: "eml", make: (file) => Buffer.from(mailOf(file)) },
  { name: "HTML", extension: "html", make: (file) => Buffer.from(htmlOf(file)) },
  {
    name: "DOCX",
    extension: "docx",
    make: (file) => buildDocx(linesOf(file, 12).map(docxParagraph).join("")),
  },
  { name: "PDF, 1 page", extension: "pdf", make: (file) => pdfOf(file, 1) },
  { name: "PDF, 30 pages", extension: "pdf", make: (file) => pdfOf(file, 30) },
];

/** A process with those that it and its threads have started. */
function processesOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean),
  );
  return [pid, ...children.flatMap((child) => unlessEnded(() => processesOf(Number(child))) ?? [])];
}

/**
 * The processor time of a process and of those that it starts. A process that is killed with its parent leaves its time
 * to nobody, so all are read again and again while they run. The kernel counts hundredths of a second.
 */
class ProcessorTimes {
  readonly #pid: number;
  readonly #latest = new Map<number, number>();

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** In milliseconds, since the processes began. */
  read(): number {
    for (const pid of unlessEnded(() => processesOf(this.#pid)) ?? []) {
      const stat = unlessEnded(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
      const fields = stat?.replace(/^.*\) /s, "").split(" ");
      if (fields !== undefined) this.#latest.set(pid, (Number(fields[11]) + Number(fields[12])) * 10);
    }
    return this.#latest.values().reduce((sum, one) => sum + one, 0);
  }
}

function unlessEnded<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

async function peakMegabytesOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0);
}

const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
const read = readConfig({ QUIRE_DATA: path.join(folder, "data") });
if ("problems" in read) throw new Error(read.problems.join("\n"));
const context = await openContext(read.config, pino({ level: "silent" }));
const owner = await addOwner(context);
const owners = [owner];
for (let more = 1; more < (options.owners ?? 1); more++)
  owners.push(await addPerson(context, { username: `owner-${more}`, organizations: [1] }));
const server = await startQuire({ dataFolder: path.join(folder, "data"), databaseUrl: null });
const app = { fetch: (target: string, init?: RequestInit) => fetch(server.url + target, init) };

const spent = new ProcessorTimes(server.process.pid);

/** The time of each answer of the list until `work` is over, in milliseconds. */
async function listTimesDuring(work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const state = { isOver: false };
  const over = work.finally(() => (state.isOver = true));
  while (!state.isOver) {
    const started = performance.now();
    await (await app.fetch(`/api/documents/?per_page=25&n=${times.length}`)).arrayBuffer();
    times.push(performance.now() - started);
    spent.read();
    await wait(10);
  }
  await over;
  return times;
}

const countLeft = async (): Promise<number> => {
  const { reader } = context.database;
  const rows = await reader.selectFrom("jobs").select("id").execute();
  return rows.length;
};

/** Sends the files and waits until all have been read. */
async function takeIn(
  { extension, make }: Kind,
  first: number,
  count: number,
  senders: readonly Person[] = [owner],
): Promise<void> {
  let next = first;
  const sendOn = async (): Promise<void> => {
    while (next < first + count) {
      const file = next++;
      const sender = senders[file % senders.length] ?? owner;
      await sendFile(app, sender, { extension, bytes: make(file) }, `File ${file}`);
    }
  };
  await Promise.all(Array.from({ length: sentAtOnce }, sendOn));
  while ((await countLeft()) > 0) await wait(20);
}

async function check(count: number): Promise<void> {
  const { body } = await sendAs(app, owner, "GET", "/api/documents/?status=success&per_page=1");
  if (body.count < count) throw new Error(`Only ${body.count} of ${count} files could be read`);
}

/** Milliseconds of processor time a file; null if the program is not there. */
async function othersOf(kind: Kind): Promise<{ pdftotext: number | null; tika: number | null }> {
  const samples = path.join(folder, `samples-${kind.extension}`);
  const made = path.join(folder, "made");
  await mkdir(samples, { recursive: true });
  for (let file = 0; file < fileCount; file++)
    await writeFile(path.join(samples, `${file}.${kind.extension}`), kind.make(file));
  const hasPdftotext = spawnSync("pdftotext", ["-v"]).error === undefined && kind.extension === "pdf";
  const one = path.join(samples, `0.${kind.extension}`);
  const { tika } = options;
  const result = {
    pdftotext: hasPdftotext ? processorSeconds(["pdftotext", one, "-"], 20) * 1000 : null,
    tika:
      tika === undefined
        ? null
        : (processorSeconds(["java", "-jar", tika, "-t", "-i", samples, "-o", made]) * 1000) / fileCount,
  };
  for (const left of [samples, made]) await rm(left, { recursive: true, force: true });
  return result;
}

let next = 20;
let sent = 20;

/** The processor time of a file in milliseconds, the files a second, and the p95 of the list meanwhile. */
async function measure(kind: Kind, count: number, senders?: readonly Person[]): Promise<number[]> {
  const first = next;
  next += count + 10;
  await takeIn(kind, first, 10, senders);
  const before = spent.read();
  const started = performance.now();
  const times = await listTimesDuring(takeIn(kind, first + 10, count, senders));
  const seconds = (performance.now() - started) / 1000;
  const each = (spent.read() - before) / count;
  sent += count + 10;
  await check(sent);
  return [each, count / seconds, percentile(times, 0.95)];
}

const figure = (value: number | null): string => (value === null ? "-" : value.toFixed(value < 10 ? 1 : 0));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

try {
  const pid = server.process.pid;
  await takeIn({ name: "", extension: "txt", make: (file) => Buffer.from(`warm ${file}`) }, 0, 20);
  print(
    "| kind | processor time a file, ms | files/s | the list's p95 meanwhile, ms | pdftotext, ms | " +
      "Tika, ms |\n|---|---|---|---|---|---|",
  );
  for (const kind of kinds) {
    const own = await measure(kind, fileCount);
    const { pdftotext, tika } = await othersOf(kind);
    print(`| ${[kind.name, ...[...own, pdftotext, tika].map(figure)].join(" | ")} |`);
  }
  if (owners.length > 1) {
    const ofMany = { ...text, name: `text, ${owners.length} owners` };
    const own = await measure(ofMany, fileCount * owners.length, owners);
    print(`| ${[ofMany.name, ...[...own, null, null].map(figure)].join(" | ")} |`);
  }
  if (options.long !== undefined) {
    const tenth = Math.ceil(options.long / 10);
    const rates: string[] = [];
    for (let part = 0; part < 10; part++) {
      const started = performance.now();
      await takeIn(text, 1_000_000 + part * tenth, tenth);
      rates.push((tenth / ((performance.now() - started) / 1000)).toFixed(1));
    }
    print(`${options.long} texts, files/s for each tenth: ${rates.join(", ")}`);
  }
  const peaks = await Promise.all(processesOf(pid).map(peakMegabytesOf));
  print(`peak memory of each process at the end, MB: ${peaks.join(", ")}`);
} finally {
  await context.close();
  await server.process.stop();
  await rm(folder, { recursive: true });
}
