import { reasonOf } from "../../errors.ts";
import type { ConversionAnswer, ConversionTask, Converted } from "./conversion.ts";
import { UnreadableFileError, type UnreadableKind } from "../unreadable-file.ts";

/*
 * The program that converts a file with Quire's own code. Its argument is a {@link ConversionTask} as JSON, and it
 * prints a {@link ConversionAnswer}.
 */

type Convert = (task: ConversionTask) => Promise<Converted>;

// Each converter loads only the modules that it needs.
const image: Convert = async ({ from, extension, to }) =>
  (await import("./image-to-pdf.ts")).imageToPdf(from, extension, to);
const text: Convert = async ({ from, to }) => (await import("./text-to-pdf.ts")).textToPdf(from, to);
const html: Convert = async ({ from, to }) => (await import("./text-to-pdf.ts")).htmlToPdf(from, to);
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

const memoryMb = (): number => Math.round(process.resourceUsage().maxRSS / 1024);

async function answer(task: ConversionTask): Promise<ConversionAnswer> {
  try {
    if (task.extract !== undefined) {
      const { from, extension, to, extract } = task;
      const { extractPart } = await import("./extract.ts");
      return { converted: await extractPart(from, extension, to, extract), memoryMb: memoryMb() };
    }
    const convert = converters.get(task.extension);
    if (convert === undefined) throw new Error(`no converter for ${task.extension}`);
    return { converted: await convert(task), memoryMb: memoryMb() };
  } catch (error) {
    return { refused: refusalOf(error), memoryMb: memoryMb() };
  }
}

function refusalOf(error: unknown): { kind: UnreadableKind; reason: string } {
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

const [, , task = "{}"] = process.argv;
process.stdout.write(JSON.stringify(await answer(JSON.parse(task) as ConversionTask)));
