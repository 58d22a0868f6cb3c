import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { type Socket, connect } from "node:net";
import path from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Context, openContext } from "../src/context.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { type ProcessLine, childrenOf, linesToProcesses } from "../src/testing/process-lines.ts";
import { type ServedApp, serveOn } from "../src/testing/served.ts";
import { type TestStorage, engines, testStorage } from "../src/testing/test-app.ts";

const patience = { timeout: 60_000, interval: 50 };
const processes = 2;

describe.each(engines)("a server of two processes on %s", (engine) => {
  let storage: TestStorage;
  let context: Context;
  let server: ServedApp;
  let owner: Person;
  let first: ProcessLine;
  let second: ProcessLine;

  beforeAll(async () => {
    storage = await testStorage(engine);
    context = await openContext(storage.config, pino({ level: "silent" }));
    await addDocuments(context, []);
    owner = await addPerson(context, { username: "owner", organizations: [1] });
    await addPerson(context, { username: "victim", password: "the right one" });
    server = await serveOn(storage.config, { QUIRE_PROCESSES: String(processes) });
    await reconnect();
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await context.close();
    await storage[Symbol.asyncDispose]();
  });

  const reconnect = async (): Promise<void> => {
    const [one, other] = await linesToProcesses(server.url, processes);
    if (one === undefined || other === undefined) throw new Error("there is no second process");
    [first, second] = [one, other];
  };

  const arriving = (): Promise<string[]> => readdir(path.join(storage.config.data, "files", ".incoming"));

  const make = async (fields: object, line = first): Promise<{ id: number; presigned_url: string }> => {
    const { headers } = owner;
    const answer = await line.ask("/api/documents/", { method: "POST", headers, body: fields });
    expect(answer.status).toBe(201);
    return answer.body;
  };

  it("counts attempts to sign in for all of them together", async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 12; time++)
      statuses.push(await guess(time % 2 === 0 ? first : second, "wrong"));
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
    for (const line of [first, second]) expect(await guess(line, "the right one")).toBe(429);
  });

  it("shows an acknowledged write in the very next answer of another process", async () => {
    const { id } = await make({ title: "Round 0", access: "public" });
    const { headers } = owner;
    for (let round = 1; round <= 20; round++) {
      const [writer, reader] = round % 2 === 0 ? [first, second] : [second, first];
      const title = `Round ${round}`;
      // Requested first, so that the reader has an answer in its cache.
      await reader.ask("/api/documents/");
      const change = { method: "PATCH", headers, body: { title } };
      expect((await writer.ask(`/api/documents/${id}/`, change)).status).toBe(200);
      expect((await reader.ask(`/api/documents/${id}/`, { headers })).body.title).toBe(title);
      const { body } = await reader.ask(`/api/documents/?user=${owner.id}`, { headers });
      expect(body.results.map((document: { title: string }) => document.title)).toContain(title);
    }
  });

  it("runs one upload of a file at a time, whichever processes receive them", async () => {
    const { id, presigned_url: address } = await make({ title: "Sent again" });
    // New connections, so each may reach either process. Among six, some reach another process than the one before.
    let before = await beginUpload(address);
    for (let time = 0; time < 6; time++) {
      await vi.waitFor(async () => expect(await arriving()).toHaveLength(1), patience);
      const next = await beginUpload(address);
      expect(await before.answer).toMatch(/^HTTP\/1\.1 409 /);
      before = next;
    }
    await vi.waitFor(async () => expect(await arriving()).toHaveLength(1), patience);
    expect((await fetch(address, { method: "PUT", body: "the whole file" })).status).toBe(200);
    expect(await before.answer).toMatch(/^HTTP\/1\.1 409 /);
    expect(await arriving()).toEqual([]);
    const file = await context.files.read(`documents/${id}/sent-again.pdf`);
    expect(String(await file?.toArray())).toBe("the whole file");
  });

  it("counts the event streams of a client for all of them together", async () => {
    const [id = 0] = await addDocuments(context, [{ access: "organization", status: "pending" }]);
    const target = new URL(`/api/documents/${id}/process/events/`, server.url);
    const opened = await Promise.all(Array.from({ length: 30 }, () => openStream(target, owner)));
    expect(opened.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array<number>(20).fill(200),
      ...Array<number>(10).fill(503),
    ]);
    for (const { close } of opened) close();
    // The places are free again once the server has noticed that the streams are closed.
    await vi.waitFor(async () => {
      const again = await openStream(target, owner);
      again.close();
      expect(again.status).toBe(200);
    }, patience);
  });

  it("streams the progress of a job that another process queued", async () => {
    const { headers } = owner;
    const { id, presigned_url: address } = await make({ title: "Read elsewhere" }, second);
    const file = buildPdf({ pages: [{ width: 612, height: 792, lines: ["A page."] }] });
    expect((await fetch(address, { method: "PUT", body: Buffer.from(file) })).status).toBe(200);
    const process = { method: "POST", headers, body: {} };
    expect((await second.ask(`/api/documents/${id}/process/`, process)).status).toBe(200);
    const events = await first.ask(`/api/documents/${id}/process/events/`, { headers });
    expect(events.body).toMatch(/"success"/);
  });

  it("loses nothing when one of them is killed, and replaces it", async () => {
    const made = await Promise.all(
      [first, second].map((line, index) => make({ title: `Kept ${index}`, access: "public" }, line)),
    );
    const before = childrenOf(server.pid);
    expect(before).toHaveLength(processes);
    process.kill(before[0] ?? 0, "SIGKILL");
    await vi.waitFor(() => {
      const now = childrenOf(server.pid);
      expect(now).toHaveLength(processes);
      expect(now).not.toEqual(before);
    }, patience);
    await reconnect();
    const { headers } = owner;
    for (const line of [first, second])
      for (const { id } of made)
        expect((await line.ask(`/api/documents/${id}/`, { headers })).status).toBe(200);
    await make({ title: "After it" }, first);
    await make({ title: "After it" }, second);
    await vi.waitFor(() => expect(server.written()).toContain("The process serves again"), patience);
    expect(server.written().match(/A process that answers requests has ended/g)).toHaveLength(1);
    expect(server.written()).toContain("It was ended by SIGKILL");
  });

  it("finishes requests in flight on SIGTERM, closes connections, and ends without an error", async () => {
    const statuses = new Map<string, Set<number>>();
    const underWay: Promise<void>[] = [];
    const working = [first, second].map(async (line) => {
      const busy = Promise.withResolvers<void>();
      underWay.push(busy.promise);
      for (let count = 0; ; count++) {
        if (count === 5) busy.resolve();
        const { status, headers } = await line.ask("/api/documents/");
        statuses.set(line.process, (statuses.get(line.process) ?? new Set()).add(status));
        if (headers.connection === "close") return;
      }
    });
    await Promise.all(underWay);
    const children = childrenOf(server.pid);
    const ended = server.stop();
    await Promise.all(working);
    expect(await ended).toEqual([0, null]);
    expect([...statuses.values()]).toEqual([new Set([200]), new Set([200])]);
    for (const child of children) expect(() => process.kill(child, 0)).toThrow("ESRCH");
  });
});

describe("the processes of a server", () => {
  const more = { QUIRE_PROCESSES: "2" };
  let storage: TestStorage;
  let running: ServedApp;
  beforeAll(async () => {
    storage = await testStorage("sqlite");
    running = await serveOn(storage.config, more);
  });
  afterAll(async () => {
    await running[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
  });

  it("report once why they cannot start, and end", async () => {
    const port = new URL(running.url).port;
    const refused = await serveOn(storage.config, { ...more, QUIRE_PORT: port }).then(
      () => "it serves",
      (error: Error) => error.message,
    );
    expect(refused).toMatch(/^It ended \(1 \)/);
    expect(refused.match(/EADDRINUSE/g)).toHaveLength(1);
  });

  it("end when their supervisor is killed", async () => {
    const children = childrenOf(running.pid);
    expect(children).toHaveLength(2);
    await running.kill();
    for (const child of children)
      await vi.waitFor(() => expect(() => process.kill(child, 0)).toThrow("ESRCH"), patience);
  });
});

/** The status of the answer to a sign-in. */
async function guess(line: ProcessLine, password: string): Promise<number> {
  const body = { username: "victim", password };
  return (await line.ask("/api/token/", { method: "POST", body })).status;
}

/** Opens a stream on a new connection. */
async function openStream(
  { hostname, port, pathname }: URL,
  { headers }: Person,
): Promise<{ status: number; close: () => void }> {
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${headers.authorization}\r\n\r\n`,
  );
  const [bytes] = (await once(socket, "data")) as [Buffer];
  return { status: Number(bytes.toString().slice(9, 12)), close: () => void socket.destroy() };
}

async function beginUpload(address: string): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port, pathname, search } = new URL(address);
  const socket = connect(Number(port), hostname);
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-length: 1000000\r\n\r\n`;
  socket.write(head + "a".repeat(5000));
  let answer = "";
  socket.on("data", (bytes: Buffer) => void (answer += bytes.toString()));
  socket.on("error", () => {});
  return { socket, answer: once(socket, "close").then(() => answer) };
}
