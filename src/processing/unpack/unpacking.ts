import type { UnreadableKind } from "../unreadable-file.ts";

/** What is taken out of a container in one go. Positions count from 0. */
export interface Unpacking {
  /** An existing folder, which the files are written into. */
  folder: string;
  /** The position of the last entry that was taken out before; -1 if none was. */
  after: number;
  /** How many files may still be taken out altogether, how large they may be together, and how large each of them. */
  maxFiles: number;
  maxBytes: number;
  maxFileBytes: number;
  /** That of an encrypted archive; empty without one. */
  password: string;
}

/** A container, and what is needed to read it. */
export interface ContainerToOpen {
  from: string;
  extension: string;
  /** Entries up to this position are only counted, and may be empty. */
  after: number;
  /** Empty without one. */
  password: string;
  /** A folder for files that have to be written before they can be read. */
  folder: string;
  maxFileBytes: number;
}

/** A file in a container, and where it has been written. */
export interface UnpackedFile {
  position: number;
  /** Its name in the container, with folders, separated by slashes. Not safe as the name of a file. */
  path: string;
  /** Whether the container says nothing of its name. It is called as the container then, without the ending. */
  isUnnamed?: boolean;
  title: string;
  /** As the container states it; empty if it does not. */
  contentType: string;
  bytes: number;
  /** The name of the written file in the folder. */
  file: string;
}

/** Why a file is left out of which nothing is missing. */
export const emptyFile = "empty";

export interface LeftOut {
  path: string;
  /** For a person. */
  reason: string;
}

export interface Unpacked {
  files: UnpackedFile[];
  leftOut: LeftOut[];
  /** Where the next go continues; null if there is nothing more. */
  after: number | null;
  /** Why the rest could not be taken out. */
  failure: { kind: UnreadableKind; reason: string } | null;
  mail: MailHead | null;
}

/** What identifies a mail and relates it to others. Empty texts and lists where it says nothing. */
export interface MailHead {
  /** Addresses, in lower case. */
  from: string[];
  to: string[];
  subject: string;
  /** UTC, ISO 8601, to the second. */
  date: string;
  messageId: string;
  inReplyTo: string;
  references: string[];
}

/** The path of a file whose container says nothing of its name. */
export const unnamed = "contents";

/** A file in a container, which can be read once. */
export interface Entry {
  path: string;
  isUnnamed?: boolean;
  /** What its document is called, if that is not the name of the file. */
  title?: string;
  contentType?: string;
  /** How large it is in the container. */
  packedBytes?: number;
  /** Why it is left out; null if it can be read. */
  fault?: string | null;
  bytes: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface OpenedContainer {
  entries: AsyncIterable<Entry> | Iterable<Entry>;
  mail?: MailHead;
  close?: () => void;
}
