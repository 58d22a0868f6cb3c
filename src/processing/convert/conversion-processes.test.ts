import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hostileOthers } from "../../testing/hostile-others.ts";
import { buildDocx, buildXlsx, docxParagraph } from "../../testing/office.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { ConversionProcesses, type ConversionResult } from "./conversion-processes.ts";
import { Sandbox } from "./sandbox.ts";

const limits = { timeLimitSeconds: 10, memoryLimitMb: 256, outputLimitMb: 50 };
const mail = (text: string): string => `From: a@example.org\r\nSubject: A mail\r\n\r\n${text}\r\n`;

const row = `<row><c t="inlineStr"><is><t>Aurora</t></is></c></row>`;

interface File {
  what: string;
  extension: string;
  bytes: Uint8Array;
}

const good: File[] = [
  { what: "a text", extension: "txt", bytes: Buffer.from("The harbour and its ships\n") },
  { what: "a table", extension: "csv", bytes: Buffer.from("Ship,Month\nAurora,May\n") },
  { what: "a mail", extension: "eml", bytes: Buffer.from(mail("Come at noon.")) },
  { what: "a web page", extension: "html", bytes: Buffer.from("<p>Opening <b>hours</b>") },
  { what: "a letter", extension: "docx", bytes: buildDocx(docxParagraph("Dear keeper")) },
  { what: "a workbook", extension: "xlsx", bytes: buildXlsx("Ships", row, []) },
];
/** Of the hostile files those that take no seconds: their ends do not depend on the time limit. */
const hostile: File[] = hostileOthers("http://127.0.0.1:9")
  .filter(([what]) => /cut off|server's own|entities|mail in mail/.test(what))
  .map(([what, extension, bytes]) => ({ what: `a file that ${what}`, extension, bytes: bytes() }));

const folder = useFolder("conversions");
let count = 0;
const sandbox = new Sandbox();

/** The result of a conversion, without what the process has used, and the bytes that it wrote. */
async function converted(
  processes: ConversionProcesses,
  file: File,
  owner?: number,
  timeLimitSeconds = limits.timeLimitSeconds,
): Promise<unknown> {
  const from = path.join(folder, `${(count += 1)}.${file.extension}`);
  const to = `${from}.pdf`;
  await writeFile(from, file.bytes);
  const signal = undefined;
  try {
    const task = { from, to, extension: file.extension, owner, folder, signal };
    const { memoryMb: _, ...result }: ConversionResult = await processes.convert(task, timeLimitSeconds);
    return { ...result, pdf: (await readFile(to)).toString("latin1") };
  } catch (error) {
    return String(error);
  }
}

describe("a process that converts files", () => {
  it("leaves what it has compiled to the next one, although it is killed", async () => {
    const cache = path.join(folder, "compiled");
    await mkdir(cache, { recursive: true });
    const keeping: Pick<Sandbox, "start"> = {
      start: (command, given) => {
        expect(Object.keys(given.environment ?? {})).toEqual(["NODE_COMPILE_CACHE"]);
        return sandbox.start(command, { ...given, environment: { NODE_COMPILE_CACHE: cache } });
      },
    };
    const processes = new ConversionProcesses(keeping, limits);
    for (const file of good.slice(0, 1)) await converted(processes, file);
    expect((await readdir(cache, { recursive: true })).length).toBeGreaterThan(10);
  });

  it("makes of each file what a new process makes of it, whatever came before", async () => {
    const fresh = new Map<string, unknown>();
    const files = hostile.flatMap((one, index) => [good[index % good.length] ?? one, one]);
    const processes = new ConversionProcesses(sandbox, limits);
    try {
      expect(hostile.length).toBeGreaterThan(3);
      for (const file of [...good, ...hostile]) fresh.set(file.what, await converted(processes, file));
      for (const file of [...files, ...files.toReversed()]) {
        const { what } = file;
        const result = await converted(processes, file, 1);
        expect({ what, result }).toEqual({ what, result: fresh.get(what) });
      }
    } finally {
      await processes.close();
    }
  });

  it("is kept for files of the same owner only, and not after a file that it could not convert", async () => {
    let started = 0;
    const counting: Pick<Sandbox, "start"> = {
      start: (...given) => {
        started += 1;
        return sandbox.start(...given);
      },
    };
    const processes = new ConversionProcesses(counting, limits);
    const [text, table] = good as [File, File];
    const broken = { what: "no mail", extension: "docx", bytes: Buffer.from("PK\u0003\u0004 no more") };
    try {
      const after = async (file: File, owner?: number): Promise<number> => {
        await converted(processes, file, owner);
        return started;
      };
      expect(await after(text, 1)).toBe(1);
      expect(await after(table, 1)).toBe(1);
      expect(await after(text, 2)).toBe(2);
      expect(await after(text, 1)).toBe(2);
      expect(await after(text)).toBe(3);
      // It is tried in the kept process and in a new one, and neither is kept.
      expect(await after(broken, 1)).toBe(4);
      expect(await after(text, 1)).toBe(5);
      expect(await after(text, 2)).toBe(5);
    } finally {
      await processes.close();
    }
  });

  it("ends at the time limit of a file or its signal, and the next file gets a new one", async () => {
    const [text] = good as [File];
    const from = path.join(folder, "stopped.txt");
    await writeFile(from, "A text");
    const processes = new ConversionProcesses(sandbox, limits);
    const task = { from, to: `${from}.pdf`, extension: "txt", owner: 1, folder };
    try {
      // The limits that the kernel holds a process to stay as they are, so the clock ends it, not the kernel.
      expect(await converted(processes, text, 1, 0.001)).toBe(
        "UnreadableFileError: took longer than 0.001 s",
      );
      const signal = AbortSignal.abort(new Error("The worker was asked to stop"));
      await expect(processes.convert({ ...task, signal })).rejects.toThrow("The worker was asked to stop");
      expect(await converted(processes, text, 1)).toMatchObject({ engine: "text" });
    } finally {
      await processes.close();
    }
  });
});
