import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { type MockInstance, describe, expect, it, vi } from "vitest";
import { runAll } from "../../../testing/job-queue.ts";
import type { Person } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { buildWorker } from "../../../worker.ts";
import { findKnownUser } from "../../users/viewer-store.ts";
import { fillDocument } from "./document-of-file.ts";
import { acquireFileLock } from "../files/file-lock-store.ts";
import { noteArrival } from "../files/received-file-store.ts";
import { receiveFile, storeFile } from "./receive-file.ts";

const list = "/api/documents/";
const key = (id: number): string => `documents/${id}/original/a-file.txt`;
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

describe.each(engines)("files for one document at the same time on %s", (engine) => {
  const app = useApp(engine, { QUIRE_UPLOAD_LIMIT_MB: "1" });
  const owner = app.person("owner", { organizations: [1] });

  const jobs = () => app.context.database.reader.selectFrom("jobs").selectAll().execute();
  const locks = () => app.context.database.reader.selectFrom("file_locks").selectAll().execute();
  const jobsAndLocks = async () => [...(await jobs()), ...(await locks())];

  /** Runs all queued jobs. */
  const work = (): Promise<void> => runAll(buildWorker(app.context), app.context.database);

  async function viewerOf({ id }: Person) {
    const found = await findKnownUser(app.context.database, { id });
    if (found === null) throw new Error("nobody");
    return { ...found.viewer, mayWrite: true, hasPersonalToken: false, csrfToken: null };
  }

  async function waiting(): Promise<number> {
    const title = "A file";
    const made = await sendAs(app, owner, "POST", list, { title, original_extension: "txt" });
    return made.body.id as number;
  }

  const storedText = async (id: number): Promise<string> =>
    buffer((await app.context.files.read(key(id))) ?? Readable.from([])).then(String);
  const received = async (id: number): Promise<{ bytes: number; sha256: string }[]> =>
    (await sendAs(app, owner, "GET", `${list}${id}/receipts/`)).body.results.filter(
      ({ step }: { step: string }) => step === "received",
    );

  /** Pauses for this many milliseconds after the first file is stored. */
  function slowly(meanwhile: Promise<unknown>): MockInstance {
    const put = app.context.files.put.bind(app.context.files);
    return vi.spyOn(app.context.files, "put").mockImplementationOnce(async (...parameters) => {
      await put(...parameters);
      await Promise.race([meanwhile, wait(300)]);
    });
  }

  it("are processed with the options of the accepted one, and the others are refused and not stored", async () => {
    const viewer = await viewerOf(owner);
    const id = await waiting();
    const { uploads } = app.context;
    const texts = ["the first", "another one"];
    const localFiles = await Promise.all(
      texts.map(async (text) => (await uploads.take(Readable.from([Buffer.from(text)]))).path),
    );
    const second = Promise.withResolvers<void>();
    const spy = slowly(second.promise);
    const outcomes = await Promise.allSettled(
      localFiles.map(async (localFile, index) => {
        if (index === 1) await vi.waitUntil(() => spy.mock.calls.length > 0, 60_000);
        await fillDocument(app.context, viewer, id, { localFile, processOptions: {} }).finally(
          index === 1 ? second.resolve : null,
        );
      }),
    );
    spy.mockRestore();
    expect(outcomes).toMatchObject([{ status: "fulfilled" }, { reason: { status: 409 } }]);
    expect(await storedText(id)).toBe("the first");
    expect(await received(id)).toMatchObject([{ bytes: 9, sha256: hashOf("the first") }]);
    await work();
    const { body } = await sendAs(app, owner, "GET", `${list}${id}/`);
    expect(body.status).toBe("success");
    expect(await jobsAndLocks()).toEqual([]);
    for (const localFile of localFiles) await uploads.drop(localFile);
  });

  it("replace earlier ones, and the last one recorded is the one stored", async () => {
    const id = await waiting();
    const texts = Array.from({ length: 6 }, (_, index) => `number ${index}${".".repeat(index)}`);
    await Promise.all(
      texts.map((text) => receiveFile(app.context, id, Readable.from([Buffer.from(text)]), null)),
    );
    const last = (await received(id)).at(-1);
    expect(await received(id)).toHaveLength(6);
    expect(last?.sha256).toBe(hashOf(await storedText(id)));
    expect(await jobsAndLocks()).toEqual([]);
  });

  it("wait no longer than a minute for one that a dead process was storing", async () => {
    const id = await waiting();
    const { database } = app.context;
    await database.write((writer) => acquireFileLock(writer, id, "a process that has died"));
    const coming = receiveFile(app.context, id, Readable.from([Buffer.from("alive")]), null);
    await wait(250);
    expect(await app.context.files.stat(key(id))).toBeNull();
    expect(await sendAs(app, owner, "POST", `${list}${id}/process/`, {})).toMatchObject({
      status: 400,
      body: { error: `Already processing: ${id}` },
    });
    const [lock] = await locks();
    expect(Date.parse(lock?.expires_at ?? "") - Date.now()).toBeLessThanOrEqual(60_000);
    await database.write((writer) =>
      writer.updateTable("file_locks").set({ expires_at: "2000-01-01T00:00:00.000000Z" }).execute(),
    );
    await coming;
    expect(await storedText(id)).toBe("alive");
    expect(await jobsAndLocks()).toEqual([]);
  });

  it("are not recorded if their document refuses them after they are stored, and are abandoned once", async () => {
    const id = await waiting();
    const calls: string[] = [];
    const target = {
      key: key(id),
      extension: "txt",
      checkBefore: async () => void calls.push("before"),
      checkAfter: async () => {
        calls.push("after");
        throw new Error("It has its file already.");
      },
      abandon: async () => void calls.push("abandon"),
    };
    const note = async (): Promise<void> => void calls.push("note");
    const sent = { bytes: Readable.from([Buffer.from("late")]), announcedBytes: null, note };
    await expect(storeFile(app.context, id, target, sent)).rejects.toThrow("It has its file already.");
    expect(calls).toEqual(["before", "after", "abandon"]);
    expect(await jobsAndLocks()).toEqual([]);
  });

  it("are not recorded if the lock of their sender has expired, and another one has it", async () => {
    const id = await waiting();
    const { database, files } = app.context;
    const put = files.put.bind(files);
    const storing = vi.spyOn(files, "put").mockImplementationOnce(async (...parameters) => {
      await put(...parameters);
      await database.write((writer) =>
        writer.updateTable("file_locks").set({ holder: "another" }).where("document_id", "=", id).execute(),
      );
    });
    const late = receiveFile(app.context, id, Readable.from([Buffer.from("late")]), null);
    await expect(late).rejects.toMatchObject({ status: 409 });
    storing.mockRestore();
    expect([await received(id), await locks()]).toMatchObject([[], [{ document_id: id, holder: "another" }]]);
    await database.write((writer) => writer.deleteFrom("file_locks").execute());
  });

  it("may have as many bytes as the limit says, in however many chunks, and not one more", async () => {
    const limit = 1024 * 1024;
    for (const chunks of [[limit], [limit - 1, 1], [1, limit - 1], [limit / 2, 0, limit / 2]]) {
      const texts = chunks.map((length) => Buffer.alloc(length, "x"));
      for (const announced of [null, limit]) {
        const id = await waiting();
        await receiveFile(app.context, id, Readable.from(texts), announced);
        expect(await app.context.files.stat(key(id))).toMatchObject({ size: limit });
        expect(await received(id)).toMatchObject([{ bytes: limit }]);
      }
      const id = await waiting();
      const tooMany = Readable.from([...texts, Buffer.from("x")]);
      await expect(receiveFile(app.context, id, tooMany, null)).rejects.toMatchObject({ status: 413 });
      expect([await app.context.files.stat(key(id)), await received(id)]).toEqual([null, []]);
    }
    const id = await waiting();
    const announced = receiveFile(app.context, id, Readable.from([Buffer.from("x")]), limit + 1);
    await expect(announced).rejects.toMatchObject({ status: 413 });
    expect(await jobsAndLocks()).toEqual([]);
  });

  it("are removed with their document if it is deleted while one is being recorded", async () => {
    const id = await waiting();
    let deleting: Promise<Reply> | undefined;
    await receiveFile(
      app.context,
      id,
      Readable.from([Buffer.from("too late")]),
      null,
      async (writer, file) => {
        deleting = sendAs(app, owner, "DELETE", `${list}${id}/`);
        await Promise.race([deleting, wait(300)]);
        await noteArrival(writer, id, file, { isRead: false });
      },
    );
    expect((await deleting)?.status).toBe(204);
    expect(await app.context.files.stat(key(id))).toBeNull();
  });
});
