/** The note beside a file that arrives in parts. */
export interface UploadNote {
  /** The final size in bytes. */
  size: number;
  /** The client's metadata, without the password. */
  metadata: Readonly<Record<string, string | null>>;
  /** The password that opens the file, encrypted; absent if the client sent none, and after the upload is complete. */
  sealedPassword?: string | undefined;
  /** The document for which the file is meant; null for one that is still to be created. */
  documentId: number | null;
  /** The upload is complete: the file now belongs to that document. */
  isDone: boolean;
}

/** The state of a file that arrives in parts. */
export interface PartialFile {
  note: UploadNote;
  /** In bytes; 0 if its bytes were removed. */
  received: number;
  /** When its last bytes arrived or its note changed. */
  touchedAt: Date;
}

/** A complete file on this machine, until it is disposed of. It may only be read. */
export interface WholeFile extends AsyncDisposable {
  readonly path: string;
}

/** How many uploads of one user may be unfinished. */
export interface UploadLimit {
  user: number;
  max: number;
}

/** Where files that arrive in parts are kept until they belong to a document. */
export interface PartialFiles {
  /** Starts an upload, unless too many of the user's are unfinished. Returns whether it did. */
  begin(name: string, note: UploadNote, limit: UploadLimit): Promise<boolean>;
  /** Null if there is no such upload. What counts as received survives a crash of the server. */
  find(name: string): Promise<PartialFile | null>;
  /**
   * Writes these bytes from this offset on and returns the offset after them. If they fail, those that arrived before
   * remain.
   */
  append(name: string, start: number, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Replaces the note, completely or not at all. Of a completed upload only the note remains. */
  write(name: string, note: UploadNote): Promise<void>;
  /** The names of all uploads that were not removed. */
  list(): Promise<string[]>;
  /** The names of the uploads that are not complete. */
  listUnfinished(): Promise<string[]>;
  /** Whether neither bytes nor a note have been written since then. */
  isOlder(name: string, than: Date): Promise<boolean>;
  remove(name: string): Promise<void>;
  /** The bytes of an upload that has all of them. */
  whole(name: string): Promise<WholeFile>;
  /** Resolves when no other server finishes or removes this upload. Until it is disposed of, none does. */
  claim(name: string): Promise<AsyncDisposable>;
}

/** Whether an upload is the user's: its name begins with the user's id. */
export function isUploadOf(user: number, name: string): boolean {
  return name.startsWith(`${user}-`);
}

/** Whether this user may not begin another upload, if these are the unfinished ones of all users. */
export function isLimitReached({ user, max }: UploadLimit, unfinished: readonly string[]): boolean {
  return unfinished.filter((name) => isUploadOf(user, name)).length >= max;
}

/** Names of uploads consist of ASCII letters, digits, `-` and `_`. */
export function isUploadName(name: string): boolean {
  return /^[\w-]{1,200}$/.test(name);
}
