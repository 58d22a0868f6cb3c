import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Notifications } from "../../contract/notification.ts";
import type { JobRunner } from "../../jobs/runner.ts";
import { addDocuments } from "../../testing/factories.ts";
import { buildPdf } from "../../testing/pdf.ts";
import { type Person, addPerson, beginSession } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { runsOn } from "../../testing/runs.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { buildWorker } from "../../worker.ts";
import { namesIn } from "../notes/mentions.ts";

const path = "/api/account/notifications/";

describe.each(engines)("notifications on %s", (engine) => {
  const app = useApp(engine);
  let worker: JobRunner;
  const ada = app.person("Ada", { organizations: [1], password: "any" });
  const bob = app.person("bob", { organizations: [2], password: "any" });
  const eve = app.person("eve", { organizations: [2], password: "any" });
  beforeAll(async () => {
    worker = buildWorker(app.context, { backoffSeconds: () => 0 });
  });
  afterAll(() => worker.stop());

  const toldTo = async (person: Person): Promise<Notifications> =>
    (await sendAs(app, person, "GET", path)).body as Notifications;
  const markAllRead = async (person: Person): Promise<Notifications> =>
    (await sendAs(app, person, "PATCH", path, {})).body as Notifications;
  const made = async (person: Person, target: string, value: object): Promise<number> => {
    const { status, body } = await sendAs(app, person, "POST", target, value);
    expect([status, body]).toEqual([201, body]);
    return body.id as number;
  };

  it("tell of a shared project, and of it no more when it is hidden again", async () => {
    const project = await made(ada, "/api/projects/", { title: "The harbour", private: true });
    await sendAs(app, ada, "POST", `/api/projects/${project}/users/`, {
      user: bob.id,
      email: "bob@example.org",
    });
    expect(await toldTo(bob)).toEqual({
      unread: 1,
      results: [
        {
          id: expect.any(Number),
          kind: "shared",
          created_at: expect.any(String),
          is_new: true,
          count: 1,
          by: ada.id,
          by_name: "Ada",
          title: "The harbour",
          canonical_url: `${app.url}/projects/${project}-the-harbour/`,
        },
      ],
    });
    expect((await toldTo(ada)).results).toEqual([]);
    expect(await markAllRead(bob)).toMatchObject({ unread: 0, results: [{ is_new: false }] });
    await sendAs(app, ada, "DELETE", `/api/projects/${project}/users/${bob.id}/`);
    expect(await toldTo(bob)).toEqual({ unread: 0, results: [] });
  });

  it("tell the people whom a note names, if they see it, once", async () => {
    const [id = 0] = await addDocuments(app.context, [
      { user_id: ada.id, organization_id: 1, access: "public", status: "success", page_count: 3 },
    ]);
    const notes = `/api/documents/${id}/notes/`;
    const text = { title: "Look", page_number: 2, content: "@BOB and @Ada, not x@eve.example or @nobody" };
    const note = await made(ada, notes, { ...text, access: "public" });
    await made(ada, notes, { ...text, content: "@bob", access: "private" });
    await made(ada, notes, { ...text, content: "@bob @eve", access: "organization" });
    const { unread, results } = await toldTo(bob);
    expect([unread, results[0]]).toEqual([
      1,
      expect.objectContaining({
        kind: "mentioned",
        by: ada.id,
        canonical_url: expect.stringMatching(new RegExp(`/documents/${id}.*#document/p3/a${note}$`)),
      }),
    ]);
    expect(await toldTo(eve)).toEqual({ unread: 0, results: [] });
    expect((await toldTo(ada)).results).toEqual([]);
    await markAllRead(bob);
    // A change that names the same people tells nobody. One that names another tells that person.
    await sendAs(app, ada, "PATCH", `${notes}${note}/`, { content: "Dear @bob" });
    await sendAs(app, ada, "PATCH", `${notes}${note}/`, { content: "Dear @bob and @eve" });
    expect(await toldTo(bob)).toMatchObject({ unread: 0 });
    expect(await toldTo(eve)).toMatchObject({ unread: 1, results: [{ kind: "mentioned" }] });
    // What a person may no longer see is not listed.
    await sendAs(app, ada, "PATCH", `${notes}${note}/`, { access: "private" });
    expect((await toldTo(eve)).results).toEqual([]);
    await markAllRead(eve);
  });

  it("count the documents of a person that are ready and that failed, and end on a page", async () => {
    const ids: number[] = [];
    for (const [title, file] of [
      ["One", buildPdf({ pages: [{ width: 200, height: 100, lines: ["One"] }] })],
      ["Two", buildPdf({ pages: [{ width: 200, height: 100, lines: ["Two"] }] })],
      ["Broken", Buffer.from("%PDF-1.4 nothing")],
    ] as const) {
      const { body } = await sendAs(app, eve, "POST", "/api/documents/", { title });
      await fetch(body.presigned_url, { method: "PUT", body: file as never });
      await sendAs(app, eve, "POST", `/api/documents/${body.id}/process/`, {});
      ids.push(body.id as number);
    }
    worker.start();
    await worker.drain();
    const { unread, results } = await toldTo(eve);
    expect(unread).toBe(2);
    expect(Object.fromEntries(results.slice(0, 2).map(({ kind, count }) => [kind, count]))).toEqual({
      processed: 2,
      failed: 1,
    });
    expect(results.find(({ kind }) => kind === "failed")).toMatchObject({ title: "Broken", by: null });

    const { cookie } = await beginSession(app.context, eve);
    const page = async (): Promise<string> =>
      (await app.fetch("/notifications/", { headers: { cookie, "accept-language": "en" } })).text();
    const shown = await page();
    expect(shown).toContain("2 of your documents are ready, this one last.");
    expect(shown).toContain("The work on this document has failed.");
    const [, token = ""] = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(shown) ?? [];
    const [, until = ""] = /name="read_until" value="([^"]+)"/.exec(shown) ?? [];
    const send = (csrf: string): Promise<Response> =>
      app.fetch("/notifications/", {
        method: "POST",
        headers: { cookie },
        body: new URLSearchParams({ csrfmiddlewaretoken: csrf, read_until: until }),
        redirect: "manual",
      });
    expect((await send("wrong")).status).toBe(403);
    expect((await toldTo(eve)).unread).toBe(2);
    expect((await send(token)).status).toBe(303);
    expect((await toldTo(eve)).unread).toBe(0);
    expect(await page()).not.toContain("as read");
    await expectCancellationTold(ids[0] ?? 0, page);
  });

  /** An administrator cancels a redaction of a published document. */
  async function expectCancellationTold(id: number, page: () => Promise<string>): Promise<void> {
    await worker.stop();
    const record = `/api/documents/${id}/`;
    await sendAs(app, eve, "PATCH", record, { access: "public" });
    const box = { page_number: 0, x1: 0, x2: 0.5, y1: 0, y2: 0.5 };
    expect((await sendAs(app, eve, "POST", `${record}redactions/`, [box])).status).toBe(201);
    const boss = await addPerson(app.context, { username: "boss", isAdministrator: true });
    const session = { ...(await beginSession(app.context, boss)) };
    const { body } = await sendAs(app, null, "GET", "/api/admin/jobs/", undefined, session);
    const job = body.results.find(({ document }: Reply["body"]) => document === id);
    const cancelled = await sendAs(app, null, "DELETE", `/api/admin/jobs/${job.id}/`, undefined, session);
    expect(cancelled.status).toBe(204);
    expect((await sendAs(app, null, "GET", record)).body).toMatchObject({
      status: "success",
      access: "public",
    });
    const [told] = (await toldTo(eve)).results;
    expect(told).toMatchObject({ kind: "failed", is_new: true, by: boss.id, title: "One" });
    expect(await page()).toContain("boss has cancelled the work on this document.");
  }
});

describe("the names in a note", () => {
  it("are those after an @ that is no part of an address, each once", () => {
    expect(namesIn("@ada, (@bob) @Bob. mail@eve.org @x@y.z @")).toEqual(["ada", "bob", "x@y.z"]);
    const name = fc.stringMatching(/^[a-z0-9][a-z0-9._+-]{0,20}[a-z0-9]$/);
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 20 }), (names) => {
        expect(namesIn(names.map((one) => `to @${one}, and `).join(""))).toEqual(names);
      }),
      { numRuns: runsOn("sqlite", 50) },
    );
  });
});
