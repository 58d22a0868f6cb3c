import { expect } from "vitest";
import { FakeNetwork, type PageRequest, type PageResponse } from "../../testing/fake-network.ts";
import { FakeTusServer, FakeUrlStorage, fakeTus } from "../../testing/fake-tus.ts";
import type { DeskOptions } from "../../contract/page-options.ts";
import { DeskApi } from "../model/desk-api.ts";
import type { UploadItem, UploadState } from "../uploads/upload-item.ts";
import { NewDocuments, Replacement } from "../uploads/upload-target.ts";
import { Uploads } from "../uploads/uploads.ts";

export const tusRoot = "/quire/api/uploads/tus/";

const options = {
  api: "/quire/api/",
  tus: `http://quire.test${tusRoot}`,
  csrfToken: "of the page",
  user: 1,
  extensions: ["pdf", "txt"],
  maxBytes: 1000,
} as unknown as DeskOptions;

/** A PDF, by its name, or else a text. */
export const fileOf = (name: string, text: string = name): File =>
  new File([name.endsWith(".pdf") ? `%PDF-1.7 ${text}` : text], name, { lastModified: 1 });

/**
 * A person on the page for uploads: their browser, and the server. With `replaces`, the page replaces the file of that
 * document. Tests use false timers.
 */
export class UploadVisit {
  readonly server = new FakeTusServer(tusRoot);
  readonly network = new FakeNetwork((request) => this.#respond(request));
  readonly storage = new FakeUrlStorage();
  readonly page = new EventTarget();
  uploads: Uploads;
  /** The status and other members of documents on the server, by id. */
  readonly documents = new Map<number, object>();

  constructor(replaces: number | null = null) {
    this.uploads = this.open(replaces);
  }

  /** What the server does instead of its usual response; null for the usual one. */
  interfere: (request: PageRequest) => PageResponse | Promise<PageResponse> | null = () => null;

  async #respond(request: PageRequest): Promise<PageResponse> {
    const other = await this.interfere(request);
    if (other !== null) return other;
    if (request.path.includes("/duplicates/")) return { body: { results: [] } };
    const id = Number(/documents\/(\d+)\//.exec(request.path)?.[1] ?? 99);
    const document = { id, status: "pending", page_count: 2, ...this.documents.get(id) };
    return this.server.respond(request) ?? { body: { ...document, results: [], next: null } };
  }

  /** Opens the page: what the browser keeps, and what the server has, are as they are. */
  open(replaces: number | null = null, user = options.user): Uploads {
    const api = new DeskApi({ ...options, user }, this.network);
    const target = replaces === null ? new NewDocuments(api) : new Replacement(api, replaces);
    return new Uploads(api, target, {
      page: this.page as never,
      tus: fakeTus(this.network, this.storage),
    });
  }

  /** Adds files, and waits until they are checked. */
  async add(...files: readonly File[]): Promise<UploadItem[]> {
    const { items } = this.uploads;
    this.uploads.add({ files: files.map((file) => ({ file, path: file.name })), leftOut: 0 });
    const added = items.peek().filter(({ file }) => file !== null && files.includes(file));
    for (const item of added) await untilNot(item, "checking");
    return added;
  }

  /** Adds one file, and starts its upload. */
  async send(name = "tides.pdf"): Promise<UploadItem> {
    const [item] = await this.add(fileOf(name));
    if (item === undefined) throw new Error(`${name} is in the list already`);
    this.uploads.start();
    return item;
  }

  /** The progress of the work on a document. */
  progress(id: number, status: string, more: object = {}): void {
    const event = { id, status, step: null, pages_done: null, pages: null, ...more };
    this.network.streams.at(-1)?.send("progress", event);
  }

  /** The requests of a method below the endpoint of uploads. */
  tusRequests(method: string): PageRequest[] {
    return this.network.requests.filter(
      (request) => request.method === method && request.path.startsWith(tusRoot),
    );
  }
}

export const stateOf = ({ state }: UploadItem): UploadState => state.peek();

const patiently = { timeout: 60_000, interval: 1 };

export async function until(item: UploadItem | undefined, state: UploadState): Promise<void> {
  await expect.poll(() => item && stateOf(item), patiently).toBe(state);
}

export async function untilNot(item: UploadItem | undefined, state: UploadState): Promise<void> {
  await expect.poll(() => item && stateOf(item), patiently).not.toBe(state);
}
