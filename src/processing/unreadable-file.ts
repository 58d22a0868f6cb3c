export type UnreadableKind =
  | "unreachable"
  | "too-large"
  | "not-a-pdf"
  | "wrong-kind"
  | "no-converter"
  | "no-ocr-data"
  | "no-ocr"
  | "encrypted"
  | "empty"
  | "broken"
  | "too-slow"
  | "too-much-memory";

/** A file that cannot become a document. The message is the reason, for a person: `encrypted: …`, `broken: …`. */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
  readonly kind: UnreadableKind;

  constructor(kind: UnreadableKind, reason: string) {
    super(reason);
    this.kind = kind;
  }
}

const openingFaults: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "it may not be read",
  EPERM: "it may not be read",
};

/** The error for a file that the file system cannot open. */
export function unreachableFile({ code = "", message }: NodeJS.ErrnoException): UnreadableFileError {
  return new UnreadableFileError("unreachable", `cannot be opened: ${openingFaults[code] ?? message}`);
}
