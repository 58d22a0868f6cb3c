import type http from "node:http";
import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Event, WebhookDelivery } from "../../contract/event.ts";
import { setRows } from "../../database/rows.ts";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { addPerson } from "../../testing/people.ts";
import { startRemoteServer } from "../../testing/remote-server.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp, useStarted } from "../../testing/test-app.ts";
import { useWorker } from "../../testing/use-worker.ts";
import type { EventRow } from "../events/store.ts";
import { addDeliveries, findDue, findNextDue, noteAttempt } from "./delivery-store.ts";
import { webhookJob } from "./store.ts";

interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  event: Event;
}

const past = "2025-01-01T00:00:00.000000Z";

const accept = (_message: Received): number | null => 204;

describe.each(defaultEngines)("webhooks on %s", (engine) => {
  const received: Received[] = [];
  /** What the receiver answers; null for nothing at all. */
  let answerTo: (message: Received) => number | null | Promise<number | null> = accept;

  async function respond(response: http.ServerResponse, message: Received): Promise<void> {
    const status = await answerTo(message);
    if (status !== null) response.writeHead(status, status === 302 ? { location: inside.url } : {}).end();
  }

  const receive: http.RequestListener = (request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString();
      const { data } = JSON.parse(body) as { data: Event };
      const headers = request.headers as Record<string, string>;
      const message = { path: request.url ?? "", headers, body, event: data };
      received.push(message);
      void respond(response, message);
    });
  };

  const receiver = useStarted(() => startRemoteServer(receive));
  const inside = useStarted(() => startRemoteServer((_request, response) => response.end("a secret")));
  const app = useApp(engine, () => ({
    QUIRE_FETCH_ALLOWED_HOSTS: `127.0.0.1:${receiver.port}`,
    QUIRE_FETCH_TIME_LIMIT_SECONDS: "5",
    QUIRE_URL: "https://quire.example",
    QUIRE_MAIL_URL: "smtp://127.0.0.1:9",
    QUIRE_MAIL_FROM: "quire@quire.example",
  }));
  const worker = useWorker(app, { lookEverySeconds: 0.05, backoffSeconds: () => 0 });
  const mara = app.person("mara", { organizations: [1], password: "any" });
  beforeEach(async () => {
    await app.context.database.write((writer) => writer.deleteFrom("webhooks").execute());
    answerTo = accept;
    received.length = 0;
  });

  const send = (method: string, target: string, value?: unknown, person = mara): Promise<Reply> =>
    sendAs(app, person, method, target, value);

  async function hook(more: object = {}, url = receiver.url): Promise<{ at: string; secret: string }> {
    const { status, body } = await send("POST", "/api/webhooks/", { url: `${url}/hook`, ...more });
    expect(status).toBe(201);
    return { at: `/api/webhooks/${body.id}/`, secret: body.secret as string };
  }

  async function deliveriesOf(at: string): Promise<WebhookDelivery[]> {
    const { body } = await send("GET", `${at}deliveries/?per_page=100`);
    return (body.results as WebhookDelivery[]).toReversed();
  }

  /** Waits for all deliveries to be in these states. */
  const states = (at: string, expected: readonly string[]): Promise<void> =>
    vi.waitFor(
      async () =>
        expect((await deliveriesOf(at)).map(({ state, attempts }) => `${state} ${attempts}`)).toEqual(
          expected,
        ),
      { timeout: 60_000, interval: 10 },
    );

  /** Ends the pause before the next attempts. */
  async function goOn(): Promise<void> {
    await app.context.database.write(async (writer) => {
      await writer
        .updateTable("webhook_deliveries")
        .set({ due_at: past })
        .where("state", "=", "waiting")
        .execute();
      await writer
        .updateTable("jobs")
        .set({ due_at: past })
        .where("kind", "=", webhookJob)
        .where("lease", "is", null)
        .execute();
    });
    worker.notify();
  }

  const add = async (title = "Dues"): Promise<number> =>
    (await send("POST", "/api/documents/", { title })).body.id as number;

  it("are told what happens, with signatures of the standard, also while a secret is replaced", async () => {
    const { at, secret } = await hook({ name: "Chat" });
    const document = await add();
    await states(at, ["delivered 1"]);
    const [message] = received;
    expect(message?.event).toMatchObject({ type: "document.created", document });
    expect(new Webhook(secret).verify(message?.body ?? "", message?.headers ?? {})).toMatchObject({
      type: "document.created",
    });
    const { body: other } = await send("POST", `${at}secret/`);
    expect(JSON.stringify((await send("GET", at)).body)).not.toContain("whsec_");
    const stored = await app.context.database.reader.selectFrom("webhooks").selectAll().execute();
    for (const text of [secret, other.secret]) expect(JSON.stringify(stored)).not.toContain(text);
    await send("PATCH", `/api/documents/${document}/`, { title: "Harbour dues" });
    await states(at, ["delivered 1", "delivered 1"]);
    for (const each of [secret, other.secret])
      new Webhook(each).verify(received[1]?.body ?? "", received[1]?.headers ?? {});
    const stranger = new Webhook(`whsec_${Buffer.alloc(32).toString("base64")}`);
    expect(() => stranger.verify(received[1]?.body ?? "", received[1]?.headers ?? {})).toThrow(
      "No matching signature found",
    );
    const [first] = await deliveriesOf(at);
    expect(first).toMatchObject({ status: 204, problem: null, next_at: null, event: message?.event });
    expect((await send("POST", `${at}deliveries/${first?.id}/`)).status).toBe(202);
    await vi.waitFor(() => expect(received).toHaveLength(3), { timeout: 60_000 });
    expect(received[2]?.headers["webhook-id"]).toBe(message?.headers["webhook-id"]);
    expect(received[2]?.body).toBe(message?.body);
  });

  it("are told only of their project and their types, and nothing while they are off", async () => {
    const project = await addProject(app.context, {}, []);
    const { at } = await hook({ project, types: ["project.document_added", "document.changed"] });
    expect((await send("POST", "/api/webhooks/", { url: receiver.url, project: 999_999 })).status).toBe(400);
    expect((await send("POST", "/api/webhooks/", { url: "ftp://example.org/" })).status).toBe(400);
    const [inProject, elsewhere] = [await add(), await add()];
    const join = (document_id: number) =>
      app.context.database.write((writer) =>
        writer
          .insertInto("project_memberships")
          .values({ project_id: project, document_id, edit_access: false })
          .execute(),
      );
    await join(inProject);
    for (const id of [elsewhere, inProject]) await send("PATCH", `/api/documents/${id}/`, { title: "New" });
    await states(at, ["delivered 1", "delivered 1"]);
    expect(received.map(({ event }) => [event.type, event.document])).toEqual([
      ["project.document_added", inProject],
      ["document.changed", inProject],
    ]);
    await send("PATCH", at, { enabled: false });
    await send("PATCH", `/api/documents/${inProject}/`, { title: "Newer" });
    expect((await send("PATCH", at, { enabled: true })).body.enabled).toBe(true);
    await states(at, ["delivered 1", "delivered 1", "delivered 1"]);
  });

  it("keep what waits while they are off, and send it first once they are on", async () => {
    answerTo = () => 500;
    const { at } = await hook();
    const [document, hidden] = [await add(), await add()];
    await states(at, ["waiting 1", "waiting 1"]);
    await send("PATCH", at, { enabled: false });
    answerTo = accept;
    received.length = 0;
    const [first] = await deliveriesOf(at);
    expect((await send("POST", `${at}deliveries/${first?.id}/`)).status).toBe(202);
    await send("PATCH", `/api/documents/${document}/`, { title: "Newer" });
    await app.context.database.write((writer) =>
      setRows(writer, "documents", { id: hidden }, { user_id: 1, organization_id: 2 }),
    );
    await goOn();
    await worker.drain();
    expect(received).toEqual([]);
    await states(at, ["waiting 0", "waiting 1"]);
    // The pause of the last attempt is over, and its attempts do not count.
    await app.context.database.write((writer) =>
      setRows(writer, "webhook_deliveries", { state: "waiting" }, { attempts: 9, due_at: "2999-01-31" }),
    );
    await send("PATCH", at, { enabled: true });
    await states(at, ["delivered 1", "withdrawn 0", "delivered 1"]);
    expect(received.map(({ event }) => [event.type, event.document])).toEqual([
      ["document.created", document],
      ["document.changed", document],
    ]);
  });

  it("arrive at least once, and in order for each document, while the receiver fails, hangs and redirects", async () => {
    let turn = 0;
    const accepted: Received[] = [];
    const inTurn = [500, 204, 204, 302, 204, 503, 204];
    answerTo = (message) => {
      const status = turn === 4 ? null : (inTurn[turn % inTurn.length] ?? 204);
      turn += 1;
      if (status === 204) accepted.push(message);
      return status;
    };
    const { at } = await hook();
    const documents = [await add(), await add(), await add()];
    for (const title of ["A", "B", "C"])
      for (const id of documents) await send("PATCH", `/api/documents/${id}/`, { title });
    await vi.waitFor(
      async () => {
        await goOn();
        const all = await deliveriesOf(at);
        expect(all).toHaveLength(12);
        expect(all.filter(({ state }) => state !== "delivered")).toEqual([]);
      },
      { timeout: 60_000, interval: 20 },
    );
    expect(inside.connections()).toBe(0);
    const order = (await deliveriesOf(at)).map(({ event }) => event.id);
    for (const document of documents) {
      const all = accepted.filter(({ event }) => event.document === document).map(({ event }) => event.id);
      // An answer that comes too late is not heard, and its event is sent again.
      const ids = all.filter((id, index) => id !== all[index - 1]);
      expect(ids).toEqual(order.filter((id) => ids.includes(id)));
      expect(ids).toHaveLength(4);
    }
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(12);
  });

  it("wait with what follows about a document until the first is due again, and with nothing else", async () => {
    const { database } = app.context;
    const { at } = await hook({ enabled: false });
    const webhook = Number(at.split("/")[3]);
    const [first, second] = ["2026-01-02T00:00:00.000000Z", "2026-01-03T00:00:00.000000Z"];
    const happened = (id: number, document_id: number): EventRow => ({
      id,
      transaction_id: 0,
      at: past,
      type: "document.changed",
      document_id,
      project_id: null,
      object_id: null,
      seen_by: null,
      search_uuid: null,
    });
    const dueAt = async (now: string): Promise<number[]> =>
      (await findDue(database, webhook, { now, limit: 10 })).map(({ event_id }) => event_id);
    await database.write(async (writer) => {
      await addDeliveries(writer, webhook, [happened(1, 7), happened(2, 7), happened(3, 8)]);
      const setDue = (event: number, due_at: string) =>
        setRows(writer, "webhook_deliveries", { webhook_id: webhook, event_id: event }, { due_at });
      await setDue(1, first);
      await setDue(2, past);
      await setDue(3, second);
    });
    expect(await dueAt(past)).toEqual([]);
    expect(await findNextDue(database.reader, webhook)).toBe(first);
    expect(await dueAt(first)).toEqual([1]);
    expect(await dueAt(second)).toEqual([1, 3]);
    await database.write(async (writer) => {
      for (const row of await findDue(database, webhook, { now: first, limit: 10 }))
        await noteAttempt(writer, row, { state: "delivered" });
    });
    expect(await findNextDue(database.reader, webhook)).toBe(past);
    expect(await dueAt(past)).toEqual([2]);
  });

  it("connect to no address inside the network, and say so", async () => {
    const { at } = await hook({}, `http://localhost:${inside.port}`);
    await add();
    await states(at, ["waiting 1"]);
    expect((await deliveriesOf(at))[0]).toMatchObject({
      status: null,
      problem: "The address may not be used, or leads to nothing on the public internet",
    });
    expect((await send("GET", at)).body.failing_since).not.toBeNull();
    expect(inside.connections()).toBe(0);
  });

  it("tell nothing that their owner may not see any more", async () => {
    answerTo = () => 500;
    const [document = 0] = await addDocuments(app.context, [{ access: "organization", organization_id: 1 }]);
    const { at } = await hook();
    await app.context.database.write((writer) =>
      writer.updateTable("documents").set({ title: "Told" }).where("id", "=", document).execute(),
    );
    await states(at, ["waiting 1"]);
    await app.context.database.write((writer) =>
      writer.updateTable("documents").set({ access: "private" }).where("id", "=", document).execute(),
    );
    answerTo = () => 204;
    received.length = 0;
    await goOn();
    await states(at, ["withdrawn 1"]);
    expect(received).toEqual([]);
  });

  it("tell nothing more once rights are taken from their owner, also while a slow receiver still reads", async () => {
    const other = await addPerson(app.context, { username: "otto", organizations: [1] });
    const { at } = await hook({ enabled: false, types: ["document.created"] });
    const value = { title: "Shared", access: "organization" };
    let last = 0;
    // Four are sent at once, and one run sends them all.
    for (let count = 0; count < 16; count++)
      last = (await send("POST", "/api/documents/", value, other)).body.id as number;
    let leaving: Promise<unknown> | undefined;
    answerTo = async () => {
      leaving ??= app.context.database.write((writer) =>
        writer.deleteFrom("organization_members").where("user_id", "=", mara.id).execute(),
      );
      await leaving;
      return 204;
    };
    await send("PATCH", at, { enabled: true });
    await vi.waitFor(
      async () => {
        const { event, state } = (await deliveriesOf(at)).at(-1) ?? {};
        expect([event?.document, state]).toEqual([last, "withdrawn"]);
      },
      { timeout: 60_000, interval: 10 },
    );
    expect(received.map(({ event }) => event.document)).not.toContain(last);
    await app.context.database.write((writer) =>
      writer
        .insertInto("organization_members")
        .values({ user_id: mara.id, organization_id: 1, is_admin: false })
        .execute(),
    );
  });

  it("are switched off, with a notice, after three days without a success or when the receiver is gone", async () => {
    for (const status of [500, 410]) {
      answerTo = () => status;
      const { at } = await hook();
      await app.context.database.write((writer) => writer.deleteFrom("mails").execute());
      await add();
      if (status === 500) {
        await states(at, ["waiting 1"]);
        await app.context.database.write((writer) =>
          writer.updateTable("webhooks").set({ failing_since: past }).execute(),
        );
        await goOn();
      }
      await vi.waitFor(
        async () =>
          expect((await send("GET", at)).body).toMatchObject({
            enabled: false,
            problem: "It was answered with an error",
          }),
        { timeout: 60_000, interval: 10 },
      );
      const mails = await app.context.database.reader
        .selectFrom("mails")
        .select(["kind", "user_id"])
        .execute();
      expect(mails).toEqual([{ kind: "stopped webhooks", user_id: mara.id }]);
      answerTo = () => 204;
      await send("PATCH", at, { enabled: true });
      await goOn();
      await states(at, ["delivered 1"]);
      await send("DELETE", at);
    }
  });
});
