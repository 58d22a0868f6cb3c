import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentFileKey } from "../../../files/keys.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { runsOn } from "../../../testing/runs.ts";
import { type S3Server, startS3Server } from "../../../testing/s3-server.ts";
import { storageRoot } from "../../../testing/storage-root.ts";
import {
  type TestApp,
  type TestStorage,
  engines,
  startAppOn,
  testStorage,
} from "../../../testing/test-app.ts";
import { ResumableUploads } from "./resumable-uploads.ts";
import { Publisher } from "../record/publisher.ts";
import { SharedPartialFiles } from "./shared-partial-files.ts";

const endpoint = "/uploads/tus/";

const streamOf = (text: string | Uint8Array): Readable => Readable.from([Buffer.from(text)]);

async function* broken(): AsyncGenerator<Uint8Array> {
  yield Buffer.from("0123456789");
  yield Buffer.from("abc");
  throw new Error("The connection broke");
}

describe.each(engines)("uploads in parts at two servers with one bucket, on %s", (engine) => {
  let server: S3Server;
  let storage: TestStorage;
  let otherFolder: string;
  let apps: [TestApp, TestApp];
  let owner: Person;
  let stranger: Person;
  beforeAll(async () => {
    server = await startS3Server();
    storage = await testStorage(engine, {
      ...server.environment,
      QUIRE_SECRET: "a-secret-that-both-servers-know-and-nobody-else",
      QUIRE_UNFINISHED_UPLOADS: "3",
    });
    const { config } = storage;
    // On PostgreSQL the servers share no folder. SQLite's database is in it.
    otherFolder = await mkdtemp(path.join(await storageRoot, "quire-other-"));
    const other = engine === "postgres" ? { ...config, data: otherFolder } : config;
    apps = [await startAppOn(config), await startAppOn(other)];
    await addDocuments(apps[0].context, []);
    owner = await addPerson(apps[0].context, { username: "owner", organizations: [1] });
    stranger = await addPerson(apps[0].context, { username: "stranger", organizations: [2] });
  });
  afterAll(async () => {
    for (const app of apps) await app[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await rm(otherFolder, { recursive: true });
  });

  const tus = (
    at: 0 | 1,
    method: string,
    target: string,
    headers: Record<string, string> = {},
    body?: Uint8Array,
  ): Promise<Response> =>
    apps[at].fetch(target, {
      method,
      headers: { "tus-resumable": "1.0.0", ...owner.headers, ...headers },
      ...(body !== undefined && { body: new Uint8Array(body) }),
    });

  const post = (at: 0 | 1, size: number): Promise<Response> =>
    tus(at, "POST", endpoint, {
      "upload-length": String(size),
      "upload-metadata": `filename ${Buffer.from("parts.txt").toString("base64")}`,
    });

  async function begin(at: 0 | 1, size: number): Promise<string> {
    const answer = await post(at, size);
    expect(answer.status).toBe(201);
    return new URL(answer.headers.get("location") ?? "").pathname;
  }

  const append = (at: 0 | 1, target: string, offset: number, bytes: Uint8Array): Promise<Response> => {
    const headers = { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" };
    return tus(at, "PATCH", target, headers, bytes);
  };

  const offsetAt = async (at: 0 | 1, target: string): Promise<number> =>
    Number((await tus(at, "HEAD", target)).headers.get("upload-offset"));

  const count = async (): Promise<number> =>
    (await apps[0].context.database.reader.selectFrom("documents").select("id").execute()).length;

  async function storedBytes(id: number): Promise<Buffer> {
    const { body } = await sendAs(apps[0], owner, "GET", `/api/documents/${id}/`);
    const key = documentFileKey(id, body.slug, "txt");
    const chunks: Uint8Array[] = [];
    for await (const chunk of (await apps[1].context.files.read(key))!) chunks.push(chunk as Uint8Array);
    return Buffer.concat(chunks);
  }

  const partsLeft = async (): Promise<string[]> =>
    (await server.keys()).filter((key) => key.startsWith("uploads/"));

  it("go on at whichever server gets the next request, and become one document", async () => {
    const bytes = randomBytes(30_000);
    const target = await begin(0, bytes.length);
    expect((await tus(1, "HEAD", target)).headers.get("upload-offset")).toBe("0");
    for (let offset = 0, turn = 1; offset < bytes.length; offset += 10_000, turn++) {
      expect(await offsetAt((turn % 2) as 0 | 1, target)).toBe(offset);
      const answer = await append(
        (turn % 2) as 0 | 1,
        target,
        offset,
        bytes.subarray(offset, offset + 10_000),
      );
      expect([answer.status, answer.headers.get("upload-offset")]).toEqual([204, String(offset + 10_000)]);
    }
    const ids = await Promise.all(
      ([0, 1] as const).map(async (at) => (await tus(at, "HEAD", target)).headers.get("quire-document")),
    );
    expect(ids[0]).toMatch(/^\d+$/);
    expect(ids[1]).toBe(ids[0]);
    expect((await storedBytes(Number(ids[0]))).equals(bytes)).toBe(true);
    expect(await partsLeft()).toEqual([]);
  });

  it("are nobody else's, and are gone everywhere when they are cancelled", async () => {
    const target = await begin(0, 10);
    const theirs = await apps[1].fetch(target, {
      method: "HEAD",
      headers: { "tus-resumable": "1.0.0", ...stranger.headers },
    });
    expect(theirs.status).toBe(404);
    expect((await append(0, target, 0, Buffer.from("12345"))).status).toBe(204);
    expect((await tus(1, "DELETE", target)).status).toBe(204);
    expect((await tus(0, "HEAD", target)).status).toBe(404);
    expect(await partsLeft()).toEqual([]);
  });

  it("are counted at both servers together", async () => {
    const targets = [await begin(0, 10), await begin(1, 10), await begin(0, 10)];
    expect((await post(1, 10)).status).toBe(429);
    for (const target of targets) expect((await tus(1, "DELETE", target)).status).toBe(204);
  });

  it("are finished once when both servers are asked at the same time", async () => {
    const before = await count();
    const bytes = Buffer.from("The last answer was lost\n".repeat(400));
    const target = await begin(0, bytes.length);
    const name = path.basename(target);
    const files = new SharedPartialFiles(apps[0].context);
    // All bytes are there, as after a crash before the end.
    await files.append(name, 0, streamOf(bytes));
    const asked = await Promise.all(([0, 1, 0, 1] as const).map((at) => tus(at, "HEAD", target)));
    const ids = asked.map((answer) => answer.headers.get("quire-document"));
    expect(new Set(ids).size).toBe(1);
    expect([ids[0], await count()]).toEqual([expect.stringMatching(/^\d+$/), before + 1]);
  });

  it("keep their bytes in order, whichever of two servers is late", async () => {
    const target = await begin(0, 8);
    const name = path.basename(target);
    const files = ([0, 1] as const).map((at) => new SharedPartialFiles(apps[at].context));
    const sent = await Promise.allSettled([
      files[0]!.append(name, 0, streamOf("1234")),
      files[1]!.append(name, 0, streamOf("abc")),
    ]);
    const kept = sent.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const refused = sent.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect([kept.length, refused]).toMatchObject([1, [{ status: 409 }]]);
    expect(await offsetAt(1, target)).toBe(kept[0]);
    expect((await partsLeft()).length).toBe(1);
    expect((await tus(1, "DELETE", target)).status).toBe(204);
  });

  it("hold the limit of one person at both servers, when they begin at the same moment", async () => {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, index) => post(index % 2 === 0 ? 0 : 1, 9)),
      );
      const begun = answers.filter(({ status }) => status === 201);
      expect(begun.length).toBe(3);
      expect(answers.filter(({ status }) => status === 429).length).toBe(5);
      for (const { headers } of begun) {
        const target = new URL(headers.get("location") ?? "").pathname;
        expect((await tus(0, "DELETE", target)).status).toBe(204);
      }
    }
  });

  it("keep what arrived before a connection broke, and store long parts in pieces", async () => {
    const target = await begin(0, 100);
    const name = path.basename(target);
    const files = new SharedPartialFiles(apps[0].context, 8);
    await expect(files.append(name, 0, broken())).rejects.toThrow("The connection broke");
    expect([await offsetAt(1, target), (await partsLeft()).length]).toEqual([13, 2]);
    expect((await tus(1, "DELETE", target)).status).toBe(204);
  });

  it("lose no acknowledged byte while the bucket is away", async () => {
    const target = await begin(0, 10);
    expect((await append(0, target, 0, Buffer.from("12345"))).status).toBe(204);
    server.broken = true;
    expect((await append(1, target, 5, Buffer.from("67890"))).status).toBe(503);
    server.broken = false;
    expect(await offsetAt(0, target)).toBe(5);
    const answer = await append(1, target, 5, Buffer.from("67890"));
    expect((await storedBytes(Number(answer.headers.get("quire-document")))).toString()).toBe("1234567890");
  });

  it("are removed when they have expired, with bytes whose upload is gone", async () => {
    const { context } = apps[1];
    const target = await begin(0, 10);
    expect((await append(0, target, 0, Buffer.from("12345"))).status).toBe(204);
    const orphan = `uploads/${owner.id}-${randomUUID()}/0-x`;
    await context.files.put(orphan, streamOf("left"));
    const uploadsOf = (uploadExpiryHours: number): ResumableUploads =>
      new ResumableUploads(
        { ...context, config: { ...context.config, uploadExpiryHours } },
        new Publisher(context.database, { isReadOnly: false }),
      );
    await uploadsOf(1).removeExpired();
    expect(await offsetAt(1, target)).toBe(5);
    expect(await partsLeft()).toHaveLength(2);
    await uploadsOf(-1).removeExpired();
    expect((await tus(0, "HEAD", target)).status).toBe(404);
    expect(await partsLeft()).toEqual([]);
  });

  it("always become exactly what was sent, whatever parts go where", async () => {
    const step = fc.record({
      at: fc.constantFrom(0 as const, 1 as const),
      size: fc.integer({ min: 1, max: 4000 }),
      /** How far the client believes that it is, beside the truth. */
      wrongBy: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: -500, max: 500 })),
      isTwice: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12_000 }),
        fc.array(step, { minLength: 1, maxLength: 12 }),
        async (size, steps) => {
          const before = await count();
          const bytes = randomBytes(size);
          const target = await begin(0, size);
          let sent = 0;
          let id: string | null = null;
          for (let turn = 0; sent < size; turn++) {
            const { at, size: wanted, wrongBy, isTwice } = steps[turn % steps.length]!;
            const isLast = turn > 40;
            const offset = isLast ? sent : Math.min(size, Math.max(0, sent + wrongBy));
            const part = bytes.subarray(offset, isLast ? size : offset + wanted);
            if (part.length === 0) continue;
            const requests = [append(at, target, offset, part)];
            if (isTwice) requests.push(append(at === 0 ? 1 : 0, target, offset, part));
            const answers = await Promise.all(requests);
            const taken = answers.filter(({ status }) => status === 204);
            for (const { status } of answers) expect([204, 409, 404]).toContain(status);
            expect(taken.length > 0).toBe(offset === sent);
            if (offset === sent) sent += part.length;
            id ??=
              taken.map(({ headers }) => headers.get("quire-document")).find((found) => found !== null) ??
              null;
            expect(await offsetAt(at, target)).toBe(sent);
          }
          id ??= (await tus(1, "HEAD", target)).headers.get("quire-document");
          expect((await storedBytes(Number(id))).equals(bytes)).toBe(true);
          expect([await count(), await partsLeft()]).toEqual([before + 1, []]);
        },
      ),
      { numRuns: runsOn(engine, 12) },
    );
  });
});
