import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { reasonOf } from "../../errors.ts";
import type { ConversionAnswer, ConversionTask, Converted, Refusal } from "./conversion.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * The program that converts files with Quire's own code, one after another. Each line of its input, file descriptor 4,
 * is a {@link ConversionTask} as JSON, which it answers with a {@link ConversionAnswer}, a line too.
 */

type Convert = (task: ConversionTask) => Promise<Converted>;

// Each converter loads only the modules that it needs.
const image: Convert = async ({ from, extension, to }) =>
  (await import("./image-to-pdf.ts")).imageToPdf(from, extension, to);
const text: Convert = async ({ from, to }) => (await import("./text-to-pdf.ts")).textToPdf(from, to);
const html: Convert = async ({ from, to }) => (await import("./html-to-pdf.ts")).htmlToPdf(from, to);
const mail: Convert = async ({ from, to }) => (await import("./mail-to-pdf.ts")).mailToPdf(from, to);
const office: Convert = async ({ from, extension, to }) =>
  (await import("./office-to-pdf.ts")).officeToPdf(from, extension, to);

const converters = new Map<string, Convert>([
  ...["jpg", "jpeg", "png", "gif", "tif", "tiff", "bmp", "svg"].map((name) => [name, image] as const),
  ...["txt", "csv", "xml"].map((name) => [name, text] as const),
  ...["htm", "html"].map((name) => [name, html] as const),
  ["eml", mail],
  ...["docx", "xlsx", "pptx", "odt", "ods", "odp", "fodt", "fods", "fodp"].map(
    (name) => [name, office] as const,
  ),
]);

async function convert(task: ConversionTask): Promise<{ converted: Converted } | { refused: Refusal }> {
  try {
    const { from, extension, to, extract } = task;
    if (extract !== undefined) {
      const { extractPart } = await import("./extract.ts");
      return { converted: await extractPart(from, extension, to, extract) };
    }
    const converter = converters.get(extension);
    if (converter === undefined) throw new Error(`no converter for ${extension}`);
    return { converted: await converter(task) };
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
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
