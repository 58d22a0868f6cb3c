import { closeSync } from "node:fs";
import path from "node:path";
import { openInPdfium } from "../pdf/pdf-facts.ts";
import { writeDecrypted } from "../pdf/write-decrypted.ts";
import { compilePdfium } from "../pdfium/pdfium-code.ts";
import { PdfiumInstance } from "../pdfium/pdfium-instance.ts";
import { Pdfium } from "../pdfium/pdfium.ts";
import { pagesOf } from "../prune/page-tree.ts";
import { type PdfObject, PdfObjects } from "../prune/pdf-objects.ts";
import { plainString } from "../prune/pdf-strings.ts";
import type { PdfDictionary, PdfValue } from "../prune/pdf-values.ts";
import { UnreadableFileError } from "../unreadable-file.ts";
import type { ContainerToOpen, Entry, OpenedContainer } from "./unpacking.ts";

/*
 * Files within a PDF: attached to the document, associated with it or with a page, or pinned to a page. pdfium gives
 * only some of them, so it writes a decrypted copy of the PDF, and they are looked for in that.
 */

const memoryLimitMb = 512;

/** @throws {UnreadableFileError} */
export async function openPdfAttachments(container: ContainerToOpen): Promise<OpenedContainer> {
  const copy = path.join(container.folder, "decrypted.pdf");
  const pdfium = new Pdfium(await PdfiumInstance.start(await compilePdfium(), memoryLimitMb));
  const descriptor = openInPdfium(pdfium, container.from, container.password);
  try {
    writeDecrypted(pdfium, copy, "w");
  } finally {
    closeSync(descriptor);
  }
  const objects = new PdfObjects(copy);
  return { entries: entriesOf(objects), close: () => objects.close() };
}

function* entriesOf(objects: PdfObjects): Generator<Entry> {
  const seen = new Set<number>();
  for (const file of filesOf(objects)) {
    const number = streamOf(objects, file);
    if (number === null || seen.has(number)) continue;
    seen.add(number);
    const name = nameOf(objects, file);
    yield {
      path: name === "" ? `attachment-${seen.size}` : name,
      bytes: () => bytesOf(objects, objects.find(number)),
    };
  }
}

function* bytesOf(objects: PdfObjects, found: PdfObject | null): Generator<Uint8Array> {
  const { stream = null, value } = found ?? {};
  const isPacked = value instanceof Map && value.has("Filter");
  if (stream !== null && !isPacked) return yield* objects.chunks(stream);
  const bytes = found === null ? null : objects.decoded(found);
  if (bytes === null) throw new UnreadableFileError("broken", "it cannot be unpacked");
  yield bytes;
}

/** The values that state which files there are, in the order of the document. */
function* filesOf(objects: PdfObjects): Generator<PdfValue> {
  const catalog = objects.dictionary(objects.trailer.get("Root"));
  yield* namedFiles(objects, objects.dictionary(catalog?.get("Names"))?.get("EmbeddedFiles"));
  yield* listIn(objects, catalog?.get("AF"));
  for (const { members } of pagesOf(objects)) {
    yield* listIn(objects, members.get("AF"));
    for (const annotation of listIn(objects, members.get("Annots"))) {
      const pinned = objects.dictionary(annotation)?.get("FS");
      if (pinned !== undefined) yield pinned;
    }
  }
}

const maxDepth = 30;

/** The leaves of a tree of names. */
function* namedFiles(objects: PdfObjects, node: PdfValue | undefined, depth = 0): Generator<PdfValue> {
  const members = objects.dictionary(node);
  if (members === null || depth > maxDepth) return;
  for (const [index, value] of listIn(objects, members.get("Names")).entries())
    if (index % 2 === 1) yield value;
  for (const kid of listIn(objects, members.get("Kids"))) yield* namedFiles(objects, kid, depth + 1);
}

function listIn(objects: PdfObjects, value: PdfValue | undefined): PdfValue[] {
  const found = objects.resolve(value);
  return Array.isArray(found) ? found : [];
}

/** By the names of the systems for which a PDF may have a file; the first one is usual. */
const systems = ["UF", "F", "Unix", "Mac", "DOS"];

/** The number of the object with a file's bytes; null if they are not in the PDF. */
function streamOf(objects: PdfObjects, file: PdfValue): number | null {
  const streams = objects.dictionary(objects.dictionary(file)?.get("EF"));
  for (const system of systems) {
    const stream = streams?.get(system);
    if (stream !== undefined && typeof stream !== "string" && "object" in stream) return stream.object;
  }
  return null;
}

function nameOf(objects: PdfObjects, file: PdfValue): string {
  const members: PdfDictionary | null = objects.dictionary(file);
  for (const system of systems) {
    const written = objects.resolve(members?.get(system));
    const name = typeof written === "string" ? textOf(plainString(written)) : "";
    if (name !== "") return name;
  }
  return "";
}

/** The text of a string: UTF-16 or UTF-8 if it begins with their mark. Others have a character in each byte. */
function textOf(string: string): string {
  const bytes = Buffer.from(string, "latin1");
  if (string.startsWith("\u00fe\u00ff")) return new TextDecoder("utf-16be").decode(bytes);
  return string.startsWith("\u00ef\u00bb\u00bf") ? new TextDecoder().decode(bytes) : string;
}
