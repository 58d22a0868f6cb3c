import type { Readable } from "node:stream";
import { Busboy, type BusboyFileStream, type BusboyInstance } from "@fastify/busboy";
import { ApiError, brokenOff, tooLarge, unreadableBody } from "../../errors.ts";

/** The texts of a form by name, in the order in which they arrived. */
export type Form = ReadonlyMap<string, readonly string[]>;

/** The file part of a form, as a stream. */
export interface FilePart {
  /** The name that the client gave it, without folders. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

export interface MultipartLimits {
  /** In bytes: everything except the file. */
  texts: number;
  /** In bytes: the file, if the route takes one. */
  file: number;
}

/**
 * The name of the part that holds the file. Where a file is taken, another part with a file name is refused, because
 * its sender expects it to be stored. Browsers send a part without a file name if no file was chosen.
 */
export const fileField = "file";

/** Each part has a cost in addition to its bytes. */
export const maxFormParts = 1000;

/**
 * Parses a form as it arrives: texts are collected, and the file is passed on to `takeFile` with the texts that came
 * before it, no faster than `takeFile` reads. Without `takeFile` every part is a text. After a failure the rest of
 * `bytes` stays unread, and `takeFile` has ended.
 *
 * @throws {ApiError} 400 if this is not a form or has a second file; 413.
 */
export async function readMultipart(
  bytes: Readable,
  contentType: string,
  limits: MultipartLimits,
  takeFile: ((file: FilePart, before: Form) => Promise<void>) | null,
): Promise<Form> {
  const form = new Map<string, string[]>();
  const failure = Promise.withResolvers<never>();
  let taking: Promise<void> | null = null;
  let taken: BusboyFileStream | null = null;
  let misplaced: string | null = null;
  let textBytes = 0;
  const parser = parserOf(contentType, limits, takeFile !== null);
  const finished = new Promise<void>((resolve) => parser.on("finish", resolve));
  parser.on("error", () => failure.reject(unreadableForm()));
  parser.on("partsLimit", () => failure.reject(tooManyParts()));
  parser.on("field", (name: string | undefined, text) => {
    textBytes += Buffer.byteLength(text) + (name?.length ?? 0);
    if (textBytes > limits.texts) failure.reject(tooManyTexts());
    else if (name !== undefined) addText(form, name, text);
  });
  parser.on("file", (field, part, name) => {
    // The reader of the part receives the error; this handler keeps a part without a reader from ending the process.
    part.on("error", () => undefined);
    if (field !== fileField) {
      // The answer waits for the end of the form: most clients read none before they have sent all.
      part.resume();
      misplaced ??= field;
      return;
    }
    if (taking !== null || takeFile === null) {
      part.resume();
      failure.reject(
        new ApiError(400, { [fileField]: ["Send a single file: each file becomes its own document."] }),
      );
      return;
    }
    taken = part;
    taking = takeFile({ name, bytes: part }, form);
    taking.catch(failure.reject);
  });
  const feed = async (): Promise<void> => {
    let left = limits.texts + (takeFile === null ? 0 : limits.file);
    for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      left -= chunk.length;
      if (left < 0) throw tooManyTexts();
      const written = new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
      await Promise.race([written, failure.promise]);
    }
    parser.end();
    await Promise.race([finished, failure.promise]);
    await taking;
    if (misplaced !== null) throw new ApiError(400, { [misplaced]: [`The file goes in \`${fileField}\`.`] });
  };
  failure.promise.catch(() => undefined);
  try {
    await feed();
  } catch (error) {
    const reason = error instanceof Error ? error : new Error(String(error));
    (taken as BusboyFileStream | null)?.destroy(reason);
    await (taking as Promise<void> | null)?.catch(() => undefined);
    throw reason instanceof ApiError || !bytes.errored ? reason : brokenOff("the form");
  }
  return form;
}

function parserOf(contentType: string, limits: MultipartLimits, takesFile: boolean): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      isPartAFile: (_name, _type, fileName) => takesFile && (fileName ?? "") !== "",
      limits: { fieldSize: limits.texts + 1, parts: maxFormParts, headerPairs: 100, headerSize: 16 * 1024 },
    });
  } catch {
    throw unreadableForm();
  }
}

function unreadableForm(): ApiError {
  return unreadableBody("Multipart form parse error - the form could not be read");
}

export function tooManyParts(): ApiError {
  return tooLarge(`A form has no more than ${maxFormParts} parts.`);
}

export function addText(form: Map<string, string[]>, name: string, text: string): void {
  const texts = form.get(name);
  if (texts === undefined) form.set(name, [text]);
  else texts.push(text);
}

function tooManyTexts(): ApiError {
  return tooLarge("Request body is too large");
}
