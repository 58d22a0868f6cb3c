import { setTimeout as wait } from "node:timers/promises";
import type { Account } from "./world.ts";

/** What a server answered; tests say what they expect of it. */
export type Json = any; // oxlint-disable-line typescript/no-explicit-any

export interface Options {
  /** The two addresses that a script is given. */
  api: string;
  accounts: string;
  account?: Account;
  /** The clock that it looks at, in milliseconds. */
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
 * Behaves towards a server as the Python client for DocumentCloud does: how it signs in and refreshes, what it sends in
 * which order, which members it cannot do without, what it follows and what it takes to be a failure.
 */
export class Client {
  /** How often it had to ask for tokens, by what it asked. */
  readonly asked = { token: 0, refresh: 0 };
  readonly #options: Options;
  #access: string | null = null;
  #refresh: string | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Throws what is refused; an empty answer is null. */
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

  /** Refreshes before a token ends, and again when it is refused all the same; then it tries once more. */
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

  /** Every item of a list, by the addresses that it gives for what follows. */
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

  /** One after the other: the record, the bytes, and the word to read them. */
  async upload({ title, bytes }: PlainFile, values: object = {}): Promise<Json> {
    const document = await this.json("POST", "documents/", { title, ...values });
    await putBytes(document.presigned_url, bytes);
    await this.json("POST", `documents/${document.id}/process/`, {});
    return document;
  }

  /** In groups; which answer is of which file it tells by the order of their titles. */
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

  /** Looks at what is pending and at the record, in turns, until it is neither new nor in work. */
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

  /** All that it knows of, whether it was changed or not; not the extension, which it never sends. */
  async save(document: Json): Promise<Json> {
    const names = "access data description language publish_at published_url related_article source title";
    const sent = Object.fromEntries(names.split(" ").map((name) => [name, document[name]]));
    return this.json("PUT", `documents/${document.id}/`, sent);
  }

  /** With its token for files on the host of the API, and for no other. */
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

  /** Breaks the token that it holds, as if it had ended on the way. */
  spoilAccess(): void {
    this.#access = this.#access?.replace(/.{8}$/, "AAAAAAAA") ?? null;
  }

  /** The tokens it holds, for another client to go on with. */
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

/** What the highlights of a search result say: on which page which words were found. */
export function mentionsIn(found: Json): { page: number; text: string }[] {
  return Object.entries(found.highlights ?? {}).flatMap(([name, texts]) =>
    (texts as string[]).map((text) => ({ page: Number(/^page_no_(\d+)$/.exec(name)?.[1]), text })),
  );
}

/** It cannot read a time without a fraction of a second. */
export function timeOf(text: string): Date {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}Z$/.test(text)) throw new Error(`not a time: ${text}`);
  return new Date(text);
}

const byTitle = (one: PlainFile, other: PlainFile): number =>
  one.title < other.title ? -1 : Number(one.title > other.title);

/** Bytes without a type. */
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
