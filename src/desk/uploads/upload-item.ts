import { computed, signal } from "@preact/signals";
import type { Upload } from "tus-js-client";
import type { DeskDocument } from "../model/desk-api.ts";

/** The settings of a file, which a person chooses before it is uploaded. */
export interface Settings {
  access: string;
  project: number | null;
  language: string;
  source: string;
  forceOcr: boolean;
}

/** The state of an upload. `sent` means that the server is processing the document. */
export type UploadState =
  | "checking"
  | "wrong"
  | "ready"
  | "waiting"
  | "sending"
  | "interrupted"
  | "sent"
  | "locked"
  | "done"
  | "failed"
  | "cancelled";

/** A document with the same file, or an identical file in the list, which has neither id nor address. */
export interface SameFile {
  id: number | null;
  title: string;
  href: string | null;
  /** Whether that document's file could not be read. */
  hasFailed: boolean;
}

let lastKey = 0;

/** A file or web address to upload as a document. */
export class UploadItem {
  readonly key = (lastKey += 1);
  /** Null for a web address. */
  readonly file: File | null;
  /** The file's path from the chosen folder on, its name if it was chosen individually, or the web address. */
  readonly path: string;
  /** Whether the file replaces that of a document, instead of becoming one. */
  readonly isReplacement: boolean;

  readonly title = signal("");
  readonly settings = signal<Settings>(null as unknown as Settings);
  readonly state = signal<UploadState>("checking");
  /** Details of the state for the row, such as the reason of a failure. */
  readonly message = signal("");
  readonly percent = signal(0);
  /** In bytes per second; 0 while it is unknown. */
  readonly speed = signal(0);
  readonly sameFile = signal<SameFile | null>(null);
  /** The percentage that an earlier visit had uploaded; null for an upload that starts from the beginning. */
  readonly resumedFrom = signal<number | null>(null);
  readonly document = signal<DeskDocument | null>(null);

  /** Whether the upload starts as soon as the file is checked, because the user has pressed the button. */
  isWanted = false;
  hash: string | null = null;
  upload: Upload | null = null;
  retry: { timer: ReturnType<typeof setTimeout>; count: number } | null = null;

  constructor(file: File | null, path: string, settings: Settings, isReplacement: boolean) {
    this.file = file;
    this.path = path;
    this.isReplacement = isReplacement;
    this.settings.value = settings;
  }

  get name(): string {
    return this.file?.name ?? this.path;
  }

  /** Whether it is in a folder that was chosen. */
  get isInFolder(): boolean {
    return this.file !== null && this.path.includes("/");
  }

  /** Whether its settings can still be changed. */
  readonly isOpen = computed(
    () =>
      !this.isReplacement &&
      ["checking", "ready"].includes(this.state.value) &&
      this.resumedFrom.value === null,
  );
  readonly isUnderWay = computed(() =>
    ["waiting", "sending", "interrupted", "sent"].includes(this.state.value),
  );
  readonly canRetry = computed(() => this.state.value === "failed" || this.state.value === "cancelled");

  fail(message: string): void {
    this.message.value = message;
    this.state.value = "failed";
  }

  /** The file cannot be uploaded. */
  reject(reason: string): void {
    this.message.value = reason;
    this.state.value = "wrong";
  }

  /** Cancels the timer of the next attempt. Returns the number of attempts that have failed in a row. */
  stopWaiting(): number {
    const count = this.retry?.count ?? 0;
    clearTimeout(this.retry?.timer);
    this.retry = null;
    return count;
  }
}

/** The same for the same file in the same place. */
export function identityOf(file: File | null, path: string): string {
  return file === null ? path : `${path}-${file.size}-${file.lastModified}`;
}
