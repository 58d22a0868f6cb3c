import { computed, signal } from "@preact/signals";
import type { Upload } from "tus-js-client";
import type { DeskDocument } from "./desk-api.ts";
import { texts } from "./texts.ts";

/** What a person chooses for a file before it is uploaded. */
export interface Settings {
  access: string;
  project: number | null;
  language: string;
  source: string;
  forceOcr: boolean;
}

/** Where an upload stands; `sent` is the server's turn. */
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

/** A document that has the same file, or another file of the list. `href` leads to the document. */
export interface SameFile {
  title: string;
  href: string | null;
}

let lastKey = 0;

/** A file, or a web address, on its way to becoming a document. */
export class UploadItem {
  readonly key = (lastKey += 1);
  /** Null for a web address. */
  readonly file: File | null;
  /** The file's path in the folder that was brought, its name, or the address. */
  readonly path: string;

  readonly title = signal("");
  readonly settings = signal<Settings>(null as unknown as Settings);
  readonly state = signal<UploadState>("checking");
  /** What the row says beyond its state: a problem, a reason. */
  readonly message = signal("");
  readonly percent = signal(0);
  /** In bytes a second; 0 while it is unknown. */
  readonly speed = signal(0);
  readonly sameFile = signal<SameFile | null>(null);
  /** The share that had arrived before, in per cent; null for an upload that begins here. */
  readonly resumedFrom = signal<number | null>(null);
  readonly document = signal<DeskDocument | null>(null);

  /** The person has said that it is to be uploaded, as soon as it is checked. */
  isWanted = false;
  hash: string | null = null;
  upload: Upload | null = null;
  retry: { timer: ReturnType<typeof setTimeout>; count: number } | null = null;

  constructor(file: File | null, path: string, settings: Settings) {
    this.file = file;
    this.path = path;
    this.settings.value = settings;
  }

  get name(): string {
    return this.file?.name ?? this.path;
  }

  /** Whether its settings can still be changed. */
  readonly isOpen = computed(
    () => ["checking", "ready"].includes(this.state.value) && this.resumedFrom.value === null,
  );
  readonly isUnderWay = computed(() =>
    ["waiting", "sending", "interrupted", "sent"].includes(this.state.value),
  );
  readonly canRetry = computed(() => this.state.value === "failed" || this.state.value === "cancelled");

  fail(reason: string): void {
    this.message.value = texts.failed(reason);
    this.state.value = "failed";
  }

  /** Ends the waiting for another attempt. */
  stopWaiting(): number {
    const count = this.retry?.count ?? 0;
    clearTimeout(this.retry?.timer);
    this.retry = null;
    return count;
  }
}
