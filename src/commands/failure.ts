import { tmpdir } from "node:os";
import { relative } from "node:path";
import { isDatabaseFull } from "../database/dialects.ts";
import { isOutOfRoom, reasonOf } from "../errors.ts";

/**
 * The text about an error that ends the program: its message and the chain of its causes, or their stacks, and what to
 * free if a disk is full.
 */
export function failureText(
  thrown: unknown,
  { withStacks, data }: { withStacks: boolean; data: string },
): string {
  const chain = [...causes(thrown)];
  const advice = chain.map((error) => adviceOn(error, data)).find((text) => text !== null) ?? "";
  if (withStacks) {
    return chain.map((error, depth) => `${lead(depth)}${stackOf(error)}\n`).join("") + advice;
  }
  const messages = chain.map(messageOf);
  // A wrapping error often repeats what it wraps.
  const distinct = messages.filter(
    (message, depth) => !messages.slice(0, depth).some((before) => before.includes(message)),
  );
  return distinct.map((message, depth) => `${lead(depth)}${message}\n`).join("") + advice;
}

/** What to free on a full disk; null for any other error. */
function adviceOn(error: unknown, data: string): string | null {
  if (isDatabaseFull(error)) {
    return `  Free space on the disk of ${data}, or with PostgreSQL on that of its server. ${adviceOnData}\n`;
  }
  const { path = null } = (error ?? {}) as NodeJS.ErrnoException;
  if (!isOutOfRoom(error) || path === null) return null;
  if (path === tmpdir())
    return "  Free space there, or name another folder for temporary files with TMPDIR.\n";
  const isOfData = !/^\.\.(?:\/|$)|^\//.test(relative(data, path));
  const advice = isOfData ? adviceOnData : "The --keep options of quire backup remove old backups.";
  return `  Free space there. ${advice}\n`;
}

const adviceOnData =
  "QUIRE_PAGE_IMAGES_MB limits page images, and a backup or an export on SQLite takes as much as the " +
  "database while it runs.";

const lead = (depth: number): string => (depth === 0 ? "quire: " : "  because: ");

function* causes(thrown: unknown): Generator {
  const seen = new Set<unknown>();
  for (let error = thrown; error !== undefined && error !== null && !seen.has(error);) {
    seen.add(error);
    yield error;
    error = error instanceof Error ? error.cause : undefined;
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error);
}

/** What is wrong with the file or the folder that a failed system call names. */
const pathProblems: Readonly<Record<string, string>> = {
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  EROFS: "the file system cannot be written to",
  ENOSPC: "the disk is full",
  EDQUOT: "this user's share of the disk is used up",
  ENOENT: "there is no such file or folder",
  EEXIST: "a file with that name is in the way",
  ENOTDIR: "a part of that path is a file, not a folder",
  EISDIR: "that is a folder",
};

/** An AggregateError, such as that of a host with several addresses, may have its messages only in its parts. */
function messageOf(error: unknown): string {
  const { code = "", path } = (error ?? {}) as NodeJS.ErrnoException;
  const problem = path === undefined ? undefined : pathProblems[code];
  if (problem !== undefined) return `${path}: ${problem} (${code})`;
  const message = reasonOf(error);
  if (message !== "") return message;
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.name : "an error without a message";
}
