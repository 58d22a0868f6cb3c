import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, open, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildApp } from "../src/app.ts";
import { type Context, openContext } from "../src/context.ts";
import type { JobRunner } from "../src/jobs/runner.ts";
import { documentFileKey } from "../src/files/keys.ts";
import { examineDocuments } from "../src/resources/documents/processing/examine-documents.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import type { Person } from "../src/testing/people.ts";
import { type Reply, sendAs } from "../src/testing/requests.ts";
import { addOwner, endOf, sendFile } from "../src/testing/sent-files.ts";
import { testStorage } from "../src/testing/test-app.ts";
import { buildWorker } from "../src/worker.ts";

/**
 * A disk of 24 MB in memory if this machine allows to mount one. Otherwise a folder with simulated writers, which fail
 * as on a full disk.
 */
class SmallDisk implements AsyncDisposable {
  readonly folder: string;
  readonly #isMounted: boolean;
  #isFull = false;

  private constructor(folder: string, isMounted: boolean) {
    this.folder = folder;
    this.#isMounted = isMounted;
  }

  static async make(): Promise<SmallDisk> {
    const folder = await mkdtemp(path.join(tmpdir(), "quire-test-"));
    const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=24m", "none", folder]);
    return new SmallDisk(folder, status === 0);
  }

  /** Fills the disk to the last byte. */
  async fill(): Promise<void> {
    this.#isFull = true;
    if (!this.#isMounted) return;
    await using ballast = await open(path.join(this.folder, "ballast"), "a");
    for (let bytes = 1024 * 1024; bytes >= 1; bytes = Math.floor(bytes / 16)) {
      const chunk = Buffer.alloc(bytes);
      while (
        await ballast.appendFile(chunk).then(
          () => true,
          () => false,
        )
      );
    }
  }

  async makeRoom(): Promise<void> {
    this.#isFull = false;
    await rm(path.join(this.folder, "ballast"), { force: true });
  }

  /** The same object, except that these methods fail while the disk is full. */
  on<T extends object>(target: T, ...names: string[]): T {
    if (this.#isMounted) return target;
    return new Proxy(target, {
      get: (_target, name) => {
        const found: unknown = Reflect.get(target, name, target);
        if (typeof found !== "function") return found;
        return (...given: unknown[]): unknown => {
          const fails = this.#isFull && names.includes(String(name));
          if (fails) return Promise.reject(Object.assign(new Error("no space left"), { code: "ENOSPC" }));
          return Reflect.apply(found, target, given);
        };
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isMounted) spawnSync("umount", ["-l", this.folder]);
    await rm(this.folder, { recursive: true, force: true });
  }
}

const lines = ["The harbour master counts the ships"];
const onePage = buildPdf({ pages: [{ width: 300, height: 200, lines }] });
const large = buildPdf({
  pages: Array.from({ length: 1000 }, () => ({
    width: 612,
    height: 792,
    lines: Array(30).fill(lines[0]) as string[],
  })),
});

async function put(address: string, bytes: Uint8Array): Promise<number> {
  const answer = await fetch(address, { method: "PUT", body: new Uint8Array(bytes) });
  await answer.arrayBuffer();
  return answer.status;
}

describe("a server whose disk is full", () => {
  let disk: SmallDisk;
  let context: Context;
  let close: () => Promise<void>;
  let app: { url: string; fetch(target: string, init?: RequestInit): Promise<Response> };
  let worker: JobRunner;
  let owner: Person;

  beforeAll(async () => {
    disk = await SmallDisk.make();
    const temporary = path.join(disk.folder, "tmp");
    await mkdir(temporary);
    vi.stubEnv("TMPDIR", temporary);
    const storage = await testStorage("sqlite", {
      QUIRE_DATA: path.join(disk.folder, "data"),
      QUIRE_LIBREOFFICE: "off",
    });
    const opened = await openContext(storage.config, pino({ level: "silent" }));
    context = {
      ...opened,
      files: disk.on(opened.files, "put"),
      uploads: disk.on(opened.uploads, "take", "begin", "append", "write"),
      database: disk.on(opened.database, "write"),
    };
    owner = await addOwner(context);
    const built = buildApp(context);
    await built.listen({ host: "127.0.0.1", port: 0 });
    const url = `http://127.0.0.1:${(built.server.address() as AddressInfo).port}`;
    app = { url, fetch: (target, init) => fetch(`${url}${target}`, init) };
    worker = buildWorker(context, { backoffSeconds: () => 0.2 });
    close = async () => {
      await worker.stop();
      await built.close();
      await opened.close();
      vi.unstubAllEnvs();
      await disk[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    };
  });
  afterAll(() => close());

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, owner, method, target, value);
  async function processed(id: number): Promise<string> {
    await worker.drain();
    return (await endOf(app, owner, id)).status;
  }

  it("reports it at every write, loses no acknowledged write, and continues when there is room again", async () => {
    worker.start();
    const kept = await sendFile(app, owner, { extension: "pdf", bytes: onePage }, "Kept");
    expect(await processed(kept)).toBe("success");
    await worker.stop();
    const { body: waiting } = await send("POST", "/api/documents/", { title: "Waiting" });
    const queued = await sendFile(app, owner, {
      extension: "csv",
      bytes: Buffer.from("ship,cargo\nMinerva,salt\n"),
    });
    const queuedPdf = await sendFile(app, owner, { extension: "pdf", bytes: onePage });
    const { body: before } = await send("GET", "/api/documents/");

    await disk.fill();
    expect(await put(waiting.presigned_url, large)).toBe(507);
    expect(await context.files.stat(documentFileKey(waiting.id, "waiting", "pdf"))).toBeNull();
    const form = new FormData();
    form.set("title", "In a form");
    form.set("file", new Blob([new Uint8Array(large)]), "form.pdf");
    const { headers } = owner;
    expect((await app.fetch("/api/documents/", { method: "POST", headers, body: form })).status).toBe(507);
    const tus = {
      ...headers,
      "tus-resumable": "1.0.0",
      "upload-length": String(large.length),
      "upload-metadata": `filename ${btoa("parts.pdf")}`,
    };
    expect((await app.fetch("/uploads/tus/", { method: "POST", headers: tus })).status).toBe(507);
    // A record may still fit into a database page with free space.
    const titles: string[] = [];
    let refused: Reply | null = null;
    for (let index = 0; index < 200 && refused === null; index++) {
      const made = await send("POST", "/api/documents/", {
        title: `Late ${index}`,
        description: "x".repeat(3000),
      });
      if (made.status === 201) titles.push(made.body.title);
      else refused = made;
    }
    expect(refused).toMatchObject({
      status: 507,
      body: { detail: "There is no room to keep this. Nothing was changed." },
    });
    const image = await app.fetch(`/files/documents/${kept}/pages/kept-p1-large.gif`, { headers });
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/gif"]);
    expect((await app.fetch(`/files/documents/${kept}/kept.pdf`, { headers })).status).toBe(200);
    expect((await send("GET", "/api/documents/")).status).toBe(200);
    worker.start();
    await worker.stop();
    for (const id of [queued, queuedPdf])
      expect((await endOf(app, owner, id)).status).toMatch(/pending|readable/);

    await disk.makeRoom();
    worker.start();
    expect(await processed(queued)).toBe("success");
    expect(await processed(queuedPdf)).toBe("success");
    expect(await put(waiting.presigned_url, large)).toBe(200);
    expect((await send("POST", `/api/documents/${waiting.id}/process/`)).status).toBe(200);
    expect(await processed(waiting.id)).toBe("success");
    const { body: after } = await send("GET", "/api/documents/?per_page=1000");
    const shown = after.results.map(({ title }: { title: string }) => title);
    expect(shown).toHaveLength(before.results.length + titles.length);
    expect(shown).toEqual(expect.arrayContaining(titles));
    expect(await Array.fromAsync(examineDocuments(context), ({ what }) => what)).toEqual([]);
  });
});
