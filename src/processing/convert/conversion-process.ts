import { flushCompileCache } from "node:module";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { type ConverterName, fileKinds } from "../../file-kinds.ts";
import { reasonOf } from "../../errors.ts";
import type { ConversionAnswer, ConversionTask, Converted, Refusal } from "./conversion.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * The program that converts files with Quire's own code, one after another. Each line of its input, file descriptor 4,
 * is a {@link ConversionTask} as JSON, which it answers with a {@link ConversionAnswer}, a line too.
 */

type Convert = (task: ConversionTask) => Promise<Converted>;

/** By the names in `file-kinds.ts`. Each loads only the modules that it needs. */
const converters: Readonly<Record<ConverterName, Convert>> = {
  image: async ({ from, extension, to }) =>
    (await import("./image-to-pdf.ts")).imageToPdf(from, extension, to),
  text: async ({ from, to }) => (await import("./text-to-pdf.ts")).textToPdf(from, to),
  html: async ({ from, to }) => (await import("./html-to-pdf.ts")).htmlToPdf(from, to),
  mail: async ({ from, extension, to }) => (await import("./mail-to-pdf.ts")).mailToPdf(from, extension, to),
  contents: async (task) => (await import("./contents-to-pdf.ts")).contentsToPdf(task),
  office: async ({ from, extension, to }) =>
    (await import("./office-to-pdf.ts")).officeToPdf(from, extension, to),
};

async function convert(task: ConversionTask): Promise<{ converted: Converted } | { refused: Refusal }> {
  try {
    const { from, extension, to, extract } = task;
    if (extract !== undefined) {
      const { extractPart } = await import("./extract.ts");
      return { converted: await extractPart(from, extension, to, extract) };
    }
    const { converter, fallback } = fileKinds.get(extension) ?? {};
    const name = converter ?? fallback;
    if (name === undefined) throw new Error(`no converter for ${extension}`);
    return { converted: await converters[name](task) };
  } catch (error) {
    return { refused: refusalOf(error) };
  }
}

function used(): Pick<ConversionAnswer, "memoryMb" | "processorSeconds"> {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return { memoryMb: Math.round(maxRSS / 1024), processorSeconds: (userCPUTime + systemCPUTime) / 1e6 };
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof UnreadableFileError) return { kind: error.kind, reason: error.message };
  const [reason = ""] = reasonOf(error).split("\n");
  if (/pixel limit|too large/i.test(reason))
    return { kind: "too-large", reason: "too large: it has too many pixels" };
  if (/allocat|memory|Invalid (?:string|array) length|longer than 0x/i.test(reason)) {
    return { kind: "too-much-memory", reason: "needs more memory than there is for it" };
  }
  if (/EFBIG|file too large/i.test(reason)) return { kind: "too-large", reason: "too large as a PDF" };
  return { kind: "broken", reason: `broken: ${reason}` };
}

for await (const line of createInterface({ input: new Socket({ fd: 4 }) })) {
  const answer: ConversionAnswer = { ...(await convert(JSON.parse(line) as ConversionTask)), ...used() };
  // The server may kill this process after the answer, and Node itself keeps what it has compiled only at an end.
  flushCompileCache();
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
