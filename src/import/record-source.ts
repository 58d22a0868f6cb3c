import { isUtf8 } from "node:buffer";
import { reasonOf } from "../errors.ts";
import { ArrayElements } from "./array-elements.ts";

/*
 * A source is a page of the list, a JSON array of records, or one record on each line. Its first bytes show which. It
 * is read as a stream: memory holds one chunk and one value at a time. Only an object that spans several lines, such as
 * a page that a person has saved, is read whole.
 */

/** One value of a source, or the reason why it cannot be read, with its position in the source. */
export interface Candidate {
  /** From 1. Null if the source is not read by lines. */
  line: number | null;
  /** From 1 within a page or an array. Null if each line is a record. */
  record: number | null;
  /** Its approximate size. */
  bytes: number;
  value: unknown;
  /** The value alone as JSON, if the source has it so. */
  text: Buffer | null;
  fault: string | null;
}

/** A longer value is neither a record nor a page. */
export const maxBytes = 32 * 1024 * 1024;

/** Reads the values of a source, a chunk at a time. An invalid value does not end the reading. */
export async function* readCandidates(
  chunks: AsyncIterable<Uint8Array>,
  limitBytes: number = maxBytes,
): AsyncGenerator<Candidate[]> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    const { form, head } = await recognise(source, limitBytes);
    const all = followedBy(head, source);
    if (form === "array") yield* readArray(all, limitBytes);
    else if (form === "object") yield* readWhole(all, limitBytes);
    else yield* readLines(all, limitBytes);
  } finally {
    await source.return?.();
  }
}

/** "a file, line 5, record 3" */
export function positionOf(name: string, { line, record }: Pick<Candidate, "line" | "record">): string {
  const parts = [name];
  if (line !== null) parts.push(`line ${line}`);
  if (record !== null) parts.push(`record ${record}`);
  return parts.join(", ");
}

/** The value as a record, or its records if it is a page of the list. */
export function candidatesIn(
  value: unknown,
  line: number | null,
  bytes: number,
  text: Buffer | null = null,
): Candidate[] {
  if (typeof value === "object" && value !== null && "results" in value && Array.isArray(value.results)) {
    const share = bytes / value.results.length;
    return value.results.map((record, index) => ({
      line,
      record: index + 1,
      bytes: share,
      value: record as unknown,
      text: null,
      fault: null,
    }));
  }
  return [{ line, record: null, bytes, value, text, fault: null }];
}

const newLine = 0x0a;
const openingBracket = 0x5b;
const byteOrderMark = Buffer.from("\ufeff");

type Form = "array" | "object" | "lines";

/** Reads enough to recognise the form: to the end of the first line, if that is near. */
async function recognise(
  source: AsyncIterator<Uint8Array>,
  limitBytes: number,
): Promise<{ form: Form; head: Buffer }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  let start: number | undefined;
  for (;;) {
    const { done, value } = await source.next();
    if (done !== true) {
      parts.push(value);
      length += value.length;
      start ??= firstByte(value);
    }
    const isEnough = start === openingBracket || (start !== undefined && value?.includes(newLine) === true);
    if (done !== true && !isEnough && length <= limitBytes) continue;
    const whole = Buffer.concat(parts);
    const head = whole.indexOf(byteOrderMark) === 0 ? whole.subarray(byteOrderMark.length) : whole;
    if (firstByte(head) === openingBracket) return { form: "array", head };
    const firstLine = /^\s*([^\n]*)/.exec(head.toString("latin1"))?.[1]?.trimEnd() ?? "";
    // A value continues on the next line if a line ends like this.
    return { form: /[{[,:]$/.test(firstLine) ? "object" : "lines", head };
  }
}

function firstByte(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== newLine);
}

async function* followedBy(
  head: Buffer,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Buffer, void, undefined> {
  yield head;
  for (;;) {
    const { done, value } = await source.next();
    if (done === true) return;
    yield Buffer.from(value.buffer, value.byteOffset, value.length);
  }
}

async function* readLines(chunks: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Candidate[]> {
  let line = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const add = (part: Buffer): void => {
    begunBytes += part.length;
    if (begunBytes <= limitBytes) begun.push(part);
    else begun = [];
  };
  const end = (): Candidate[] => {
    line += 1;
    const candidates =
      begunBytes > limitBytes
        ? [faulty(line, null, tooLong(limitBytes))]
        : candidatesOf(begun.length === 1 ? (begun[0] as Buffer) : Buffer.concat(begun), line, null);
    begun = [];
    begunBytes = 0;
    return candidates;
  };
  for await (const chunk of chunks) {
    const candidates: Candidate[] = [];
    let start = 0;
    for (let at = chunk.indexOf(newLine); at !== -1; at = chunk.indexOf(newLine, start)) {
      add(chunk.subarray(start, at));
      candidates.push(...end());
      start = at + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
    yield candidates;
  }
  if (begunBytes > 0) yield end();
}

async function* readArray(chunks: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Candidate[]> {
  const elements = new ArrayElements(limitBytes);
  let record = 0;
  for await (const chunk of chunks) {
    yield elements.feed(chunk).flatMap((element) => {
      record += 1;
      return element === null
        ? [faulty(null, record, tooLong(limitBytes))]
        : candidatesOf(element, null, record);
    });
    if (elements.fault !== null) break;
  }
  const fault = elements.fault ?? (elements.isComplete ? null : "the array does not end");
  if (fault !== null) yield [faulty(null, record + 1, fault)];
}

async function* readWhole(chunks: AsyncIterable<Buffer>, limitBytes: number): AsyncGenerator<Candidate[]> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limitBytes) {
      yield [faulty(1, null, `begins an object over several lines that is ${tooLong(limitBytes)}`)];
      return;
    }
    parts.push(chunk);
  }
  yield candidatesOf(Buffer.concat(parts), null, null);
}

/** Blank text has no value. */
function candidatesOf(text: Buffer, line: number | null, record: number | null): Candidate[] {
  if (!isUtf8(text)) return [faulty(line, record, "not UTF-8")];
  try {
    const value: unknown = JSON.parse(text.toString());
    return record === null
      ? candidatesIn(value, line, text.length, text)
      : [{ line, record, bytes: text.length, value, text, fault: null }];
  } catch (error) {
    if (record === null && firstByte(text) === undefined) return [];
    return [faulty(line, record, `not JSON: ${reasonOf(error)}`)];
  }
}

function faulty(line: number | null, record: number | null, fault: string): Candidate {
  return { line, record, bytes: 0, value: undefined, text: null, fault };
}

function tooLong(limitBytes: number): string {
  return `longer than ${limitBytes / 1024 / 1024} MB`;
}
