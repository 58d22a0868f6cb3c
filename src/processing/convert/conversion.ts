import type { Unpacking } from "../unpack/unpacking.ts";
import type { UnreadableKind } from "../unreadable-file.ts";

/** A file to convert: its path, its extension without a dot, and the path that the PDF is written to. */
export interface ConversionTask {
  from: string;
  extension: string;
  to: string;
  /** That of an encrypted archive. */
  password?: string;
  /** If given, a part of the file is written there as JSON, or a searchable or stamped copy of it. */
  extract?: Extract;
}

/**
 * The part of a file to read: some rows of a table, the headers of a mail, or the files in it, which are written. Or a
 * copy of a PDF, with the words in another file as invisible text, or with a strip below each page.
 */
export type Extract =
  | ({ kind: "table" } & TableRange)
  | { kind: "mail" }
  | ({ kind: "files" } & Unpacking)
  | { kind: "searchable"; wordsPath: string; memoryLimitMb: number }
  | ({ kind: "stamped"; memoryLimitMb: number } & Stamps);

/** What is written below the pages of a PDF, the same at the left of all, and a number at the right of each. */
export interface Stamps {
  left: string;
  /** From the first page on. */
  right: string[];
}

/** Sheets and rows count from 0. */
export interface TableRange {
  sheet: number;
  offset: number;
  limit: number;
}

export interface TableRows {
  /** The names of the sheets. A CSV file has one sheet without a name. Empty if the requested sheet does not exist. */
  sheets: string[];
  /** Fewer rows than requested if together they would be too long. */
  rows: string[][];
  /** Whether there are rows after these. */
  hasMore: boolean;
}

export interface MailPerson {
  name: string;
  address: string;
}

export interface MailParts {
  from: MailPerson[];
  to: MailPerson[];
  cc: MailPerson[];
  bcc: MailPerson[];
  subject: string;
  /** The date as it is written in the mail. */
  date: string;
  /** All of them, in their order. */
  headers: { name: string; value: string }[];
  /** Sizes are in bytes. */
  attachments: { name: string; contentType: string; size: number }[];
}

export interface Converted {
  engine: "image" | "text" | "mail" | "contents" | "office-text" | "libreoffice" | "extract";
  pages?: number;
  /** Sentences for a person. */
  notes: string[];
}

/** The output of the conversion process for one file, with what the process has used since it started. */
export type ConversionAnswer = ({ converted: Converted } | { refused: Refusal }) & {
  /** At its peak. */
  memoryMb: number;
  processorSeconds: number;
};

export interface Refusal {
  kind: UnreadableKind;
  reason: string;
}
