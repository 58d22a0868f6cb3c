import { setTimeout as wait } from "node:timers/promises";
import type { Person } from "../../src/testing/people.ts";
import { sendAs } from "../../src/testing/requests.ts";
import { scanOf } from "../../src/testing/scan.ts";
import { sendFile } from "../../src/testing/sent-files.ts";

export const say = (line: string): void => void process.stdout.write(`${line}\n`);

export function check(what: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`Not so: ${what}`);
  say(`  ${what}`);
}

/** Only a fault lasts this long, and no busy machine. */
const maxMilliseconds = 300_000;

/** Resolves when it is so. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + maxMilliseconds;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Never so: ${what}`);
    await wait(100);
  }
}

export const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

export async function titles(url: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/documents/`);
  const { results } = (await answer.json()) as { results: { title: string }[] };
  return results.map(({ title }) => title).toSorted();
}

/** Somebody with a token, who uploads files as a program does. */
export class Uploader {
  readonly #app: { fetch(target: string, init?: RequestInit): Promise<Response> };
  readonly #person: Person;

  constructor(url: string, token: string) {
    this.#app = { fetch: (target, init) => fetch(new URL(target, url), init) };
    this.#person = { id: 0, username: "admin", headers: { authorization: `Bearer ${token.trim()}` } };
  }

  /** Uploads a text and a scan, and returns their ids. */
  async upload(): Promise<{ text: number; scan: number }> {
    const send = (extension: string, bytes: Uint8Array): Promise<number> =>
      sendFile(this.#app, this.#person, { extension, bytes });
    return {
      text: await send("txt", Buffer.from("The lighthouse keeper counted herring.")),
      scan: await send("png", await scanOf(["The harbour master"], { width: 200, height: 100 })),
    };
  }

  async status(id: number): Promise<string> {
    return (await this.#record(id)).status;
  }

  /** Resolves when both have been read, and checks what was found in them. */
  async checkTexts({ text, scan }: { text: number; scan: number }): Promise<void> {
    for (const id of [text, scan])
      await until("a document has been read", async () => /success|error/.test(await this.status(id)));
    check("it reads a text, which it converts", (await this.#textOf(text)).includes("herring"));
    check("it reads a scan", (await this.#textOf(scan)).includes("harbour"));
  }

  async #record(id: number): Promise<{ status: string; asset_url: string; slug: string }> {
    const { body } = await sendAs(this.#app, this.#person, "GET", `/api/documents/${id}/`);
    return body;
  }

  async #textOf(id: number): Promise<string> {
    const { asset_url: files, slug } = await this.#record(id);
    return (await this.#app.fetch(`${files}documents/${id}/${slug}.txt`, this.#person)).text();
  }
}
