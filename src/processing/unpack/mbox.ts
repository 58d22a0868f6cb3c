import { createReadStream } from "node:fs";
import { headOf, headersIn, parseMail } from "./read-mail.ts";
import { shownName } from "./shown-path.ts";
import type { Entry, OpenedContainer } from "./unpacking.ts";

/** What is longer is not a mail. */
const maxMail = 256 * 1024 * 1024;

/**
 * The mails in a mailbox file. Each begins with a line `From `, and lines in it that begin so have a `>` before them.
 * Those up to `after` have been taken out, and are only counted.
 */
export function openMbox(from: string, after: number): OpenedContainer {
  return { entries: mailsIn(from, after) };
}

async function* mailsIn(from: string, after: number): AsyncGenerator<Entry> {
  let number = 0;
  for await (const bytes of mailsOf(from)) {
    number += 1;
    if (number - 1 <= after) {
      yield { path: "", bytes: () => [] };
      continue;
    }
    const { subject } = headOf(await parseMail(headersIn(bytes)));
    yield {
      path: `${String(number).padStart(6, "0")} ${shownName(subject) || "no subject"}.eml`,
      ...(subject !== "" && { title: subject }),
      contentType: "message/rfc822",
      bytes: () => [withoutQuotes(bytes)],
    };
  }
}

const newline = 10;
const carriageReturn = 13;
const start = Buffer.from("From ");

async function* mailsOf(from: string): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of createReadStream(from, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    let searched = Math.max(start.length, held.length - start.length);
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    if (isFirst && !held.subarray(0, start.length).equals(start)) return;
    isFirst = false;
    for (let at = nextStart(held, searched); at >= 0; at = nextStart(held, searched)) {
      yield afterFirstLine(held.subarray(0, at));
      held = held.subarray(at);
      searched = start.length;
    }
    if (held.length > maxMail) throw new Error("a mail in it is too long");
  }
  if (held.length > 0) yield afterFirstLine(held);
}

/** Where the next mail begins: after an empty line. */
function nextStart(held: Buffer, from: number): number {
  for (let at = held.indexOf(start, from); at >= 0; at = held.indexOf(start, at + 1)) {
    const before = held[at - 2] === carriageReturn ? at - 3 : at - 2;
    if (held[at - 1] === newline && held[before] === newline) return at;
  }
  return -1;
}

function afterFirstLine(mail: Buffer): Buffer {
  return mail.subarray(mail.indexOf(newline) + 1);
}

/** Removes one `>` from the lines in which it protects `From `. */
function withoutQuotes(mail: Buffer): Buffer {
  if (!mail.includes("\n>")) return mail;
  return Buffer.from(mail.toString("latin1").replaceAll(/^>(>*From )/gm, "$1"), "latin1");
}
