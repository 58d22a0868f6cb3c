import { setTimeout as wait } from "node:timers/promises";
import type { Account } from "./world.ts";

/** The JSON of an answer. Tests state what they expect of it. */
export type Json = any; // oxlint-disable-line typescript/no-explicit-any

export interface Options {
  /** The two addresses with which a script is configured. */
  api: string;
  accounts: string;
  account?: Account;
  /** The client's clock, in milliseconds. */
  now?: () => number;
}

export class Refused extends Error {
  readonly status: number;
  readonly body: Json;

  constructor(status: number, body: Json) {
    super(`${status}: ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

const groupSize = 25;
const refreshEarlySeconds = 30;
const pollMilliseconds = 20;
const maxWaitMilliseconds = 20_000;

export interface PlainFile {
  title: string;
  bytes: Uint8Array;
}

/**
 * Behaves like the Python client for DocumentCloud: it signs in and refreshes in the same way, sends the same requests
 * in the same order, requires the same members, follows the same links, and treats the same answers as failures.
 */
export class Client {
  /** The number of requests for tokens, by kind. */
  readonly asked = { token: 0, refresh: 0 };
  readonly #options: Options;
  #access: string | null = null;
  #refresh: string | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Throws if the request is refused. An empty answer is null. */
  async json(method: string, target: string, value?: unknown): Promise<Json> {
    const answer = await this.request(method, target, value);
    const text = await answer.text();
    if (!answer.ok)
      throw new Refused(
        answer.status,
        answer.headers.get("content-type") === "text/html" ? text : read(text),
      );
    return text === "" ? null : read(text);
  }

  /** Refreshes the token shortly before it expires, and also if it is refused; then it tries the request once more. */
  async request(method: string, target: string, value?: unknown): Promise<Response> {
    const { account, now = Date.now } = this.#options;
    if (
      account !== undefined &&
      (this.#access === null || endOf(this.#access) - now() / 1000 < refreshEarlySeconds)
    )
      await this.#signIn(account);
    const first = await this.#send(method, target, value);
    if (account === undefined || (first.status !== 401 && first.status !== 403)) return first;
    await first.body?.cancel();
    await this.#signIn(account);
    return this.#send(method, target, value);
  }

  /** Returns every item of a list by following its links. */
  async all(target: string): Promise<Json[]> {
    const items: Json[] = [];
    for (let next: string | null = target; next !== null;) {
      const page: Json = await this.json("GET", next);
      for (const key of ["next", "previous", "results"])
        if (!Object.hasOwn(page, key)) throw new Error(`no ${key} in ${JSON.stringify(page)}`);
      if (page.next !== null && !URL.canParse(page.next)) throw new Error(`no address: ${page.next}`);
      items.push(...page.results);
      next = page.next;
    }
    return items;
  }

  async document(id: number, query = ""): Promise<Json> {
    const document = await this.json("GET", `documents/${id}/${query}`);
    for (const name of ["created_at", "updated_at"]) timeOf(document[name]);
    return document;
  }

  /** Creates the record, sends the bytes, and starts processing, one after the other. */
  async upload({ title, bytes }: PlainFile, values: object = {}): Promise<Json> {
    const document = await this.json("POST", "documents/", { title, ...values });
    await putBytes(document.presigned_url, bytes);
    await this.json("POST", `documents/${document.id}/process/`, {});
    return document;
  }

  /** Uploads files in groups. It matches records with files by the order of their titles. */
  async uploadFolder(files: readonly PlainFile[], values: object = {}): Promise<Json[]> {
    const made: Json[] = [];
    for (let start = 0; start < files.length; start += groupSize) {
      const group = files.slice(start, start + groupSize).toSorted(byTitle);
      const wanted = group.map(({ title }) => ({ title, ...values }));
      const documents: Json[] = await this.json("POST", "documents/", wanted);
      for (const [index, document] of documents.toSorted(byTitle).entries())
        await putBytes(document.presigned_url, (group[index] as PlainFile).bytes);
      const orders = documents.map(({ id }) => ({ id, force_ocr: false, ocr_engine: "tess4" }));
      await this.json("POST", "documents/process/", orders);
      made.push(...documents);
    }
    return made;
  }

  /** Polls the pending documents and the record until processing has ended. */
  async finished(id: number): Promise<Json> {
    const end = performance.now() + maxWaitMilliseconds;
    for (;;) {
      const pending: Json[] = await this.json("GET", "documents/pending/");
      const document = await this.document(id);
      const isPending = pending.some(({ doc_id }) => doc_id === id);
      if (!isPending && ["success", "error"].includes(document.status)) return document;
      if (performance.now() > end) throw new Error(`still ${document.status}: ${id}`);
      await wait(pollMilliseconds);
    }
  }

  /** Sends all fields that the client knows, changed or not, except the extension. */
  async save(document: Json): Promise<Json> {
    const names = "access data description language publish_at published_url related_article source title";
    const sent = Object.fromEntries(names.split(" ").map((name) => [name, document[name]]));
    return this.json("PUT", `documents/${document.id}/`, sent);
  }

  /** Fetches a file. The client sends its token only to the host of the API. */
  async asset(document: Json, name: string): Promise<Uint8Array> {
    const address = `${document.asset_url}documents/${document.id}/${name.replace("{slug}", document.slug)}`;
    const isAtApi = new URL(address).host === new URL(this.#options.api).host;
    const answer = isAtApi ? await this.request("GET", address) : await fetch(address);
    if (!answer.ok) throw new Refused(answer.status, await answer.text());
    return new Uint8Array(await answer.arrayBuffer());
  }

  async assetText(document: Json, name: string): Promise<string> {
    return Buffer.from(await this.asset(document, name)).toString();
  }

  /** Makes the access token invalid, as if it had just expired. */
  spoilAccess(): void {
    this.#access = this.#access?.replace(/.{8}$/, "AAAAAAAA") ?? null;
  }

  /** The client's tokens, so that another client can continue with them. */
  tokens(): [access: string | null, refresh: string | null] {
    return [this.#access, this.#refresh];
  }

  goOnWith([access, refresh]: [access: string | null, refresh: string | null]): void {
    this.#access = access;
    this.#refresh = refresh;
  }

  async #signIn(account: Account): Promise<void> {
    if (this.#refresh !== null) {
      this.asked.refresh++;
      const answer = await this.#ask("refresh/", { refresh: this.#refresh });
      this.#refresh = null;
      if (answer.ok) return this.#keep(await answer.json());
    }
    this.asked.token++;
    const answer = await this.#ask("token/", { username: account.username, password: account.password });
    if (!answer.ok) throw new Refused(answer.status, await answer.json());
    return this.#keep(await answer.json());
  }

  #keep({ access, refresh }: Json): void {
    this.#access = access;
    this.#refresh = refresh;
  }

  #ask(target: string, value: unknown): Promise<Response> {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify(value);
    return fetch(new URL(target, this.#options.accounts), { method: "POST", headers, body });
  }

  #send(method: string, target: string, value?: unknown): Promise<Response> {
    return fetch(new URL(target, this.#options.api), {
      method,
      headers: {
        ...(this.#access === null ? {} : { authorization: `Bearer ${this.#access}` }),
        ...(value === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(value === undefined ? {} : { body: JSON.stringify(value) }),
    });
  }
}

/** The pages and words in the highlights of a search result. */
export function mentionsIn(found: Json): { page: number; text: string }[] {
  return Object.entries(found.highlights ?? {}).flatMap(([name, texts]) =>
    (texts as string[]).map((text) => ({ page: Number(/^page_no_(\d+)$/.exec(name)?.[1]), text })),
  );
}

/** Parses a timestamp. The client cannot read one without a fraction of a second. */
export function timeOf(text: string): Date {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}Z$/.test(text)) throw new Error(`not a time: ${text}`);
  return new Date(text);
}

const byTitle = (one: PlainFile, other: PlainFile): number =>
  one.title < other.title ? -1 : Number(one.title > other.title);

/** Sends the bytes without a content type. */
async function putBytes(address: string, bytes: Uint8Array): Promise<void> {
  const answer = await fetch(address, { method: "PUT", body: bytes as Uint8Array<ArrayBuffer> });
  if (!answer.ok) throw new Refused(answer.status, await answer.text());
}

function endOf(token: string): number {
  const [, claims = ""] = token.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).exp as number;
}

function read(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`not JSON: ${text.slice(0, 200)}`);
  }
}
