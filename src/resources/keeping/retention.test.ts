import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { type Person, beginSession } from "../../testing/people.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { runJobs } from "../../testing/use-worker.ts";
import { enqueue } from "../../jobs/queue.ts";
import { addHistory } from "../documents/history-store.ts";
import { later } from "./due-date.ts";
import { proposeJob } from "./propose.ts";

const rules = "/api/admin/retention_rules/";
const dispositions = "/api/admin/dispositions/";
const old = "2005-01-31T12:00:00.000000Z";

describe.each(engines)("retention on %s", (engine) => {
  const app = useApp(engine, { QUIRE_PROCESSING_WORKERS: "0" });
  const person = app.person("boss", { organizations: [1], isAdministrator: true });
  let boss: Person;
  beforeAll(async () => {
    boss = { ...person, headers: { ...(await beginSession(app.context, person)) } as never };
  });

  const send = (method: string, target: string, value?: unknown): Promise<Reply> =>
    sendAs(app, boss, method, target, value);
  const run = (): Promise<void> => runJobs(app.context);
  const propose = async (): Promise<void> => {
    await app.context.database.write((writer) => enqueue(writer, { kind: proposeJob, subject: 0 }));
    await run();
  };
  const create = async (rule: object): Promise<number> => {
    const { status, body } = await send("POST", rules, {
      name: "A rule",
      period: 10,
      unit: "years",
      ...rule,
    });
    expect([status, body.proposed]).toEqual([201, 0]);
    return body.id;
  };
  const listed = async (rule: number): Promise<Reply["body"][]> =>
    (await send("GET", `${dispositions}?rule=${rule}&state=proposed`)).body.results;
  const documentsOf = async (rule: number): Promise<number[]> =>
    (await listed(rule)).map(({ document }) => document);

  it("proposes what has run out, deletes what is approved, and leaves a certificate", async () => {
    const [due = 0, kept = 0, held = 0, heldLater = 0, young = 0, binned = 0, hidden = 0] =
      await addDocuments(app.context, [
        ...["due", "kept", "held", "held later"].map((title) => ({
          title: `Form ${title}`,
          created_at: old,
        })),
        { title: "Form young", created_at: new Date().toISOString().replace("Z", "000Z") },
        { title: "Form binned", created_at: old, status: "deleted" as const },
        {
          title: "Form hidden",
          created_at: old,
          access: "private" as const,
          user_id: 1,
          organization_id: 1,
        },
      ]);
    await app.context.database.write((writer) =>
      writer
        .updateTable("documents")
        .set({ file_hash: "a".repeat(40), page_count: 7 })
        .where("id", "=", due)
        .execute(),
    );
    const hold = { name: "x", reason: "x" };
    expect((await send("POST", "/api/holds/", { ...hold, documents: [held] })).status).toBe(201);
    const rule = await create({ query: "title:form" });
    await run();
    expect(await documentsOf(rule)).toEqual([due, kept, heldLater, hidden]);
    const [first, second, third, last] = await listed(rule);
    // Administrators see no more titles than others do.
    expect([first.title, first.due_at, last.title]).toEqual([
      "Form due",
      "2015-01-31T12:00:00.000000Z",
      null,
    ]);

    const decide = (decision: string, ...ids: number[]): Promise<Reply> =>
      send("POST", dispositions, { decision, dispositions: ids });
    expect((await decide("keep", second.id)).body).toEqual({ decided: 1 });
    for (const ids of [[first.id, second.id], [first.id, 999_999], []])
      expect((await decide("approve", ...ids)).status).toBe(400);
    expect((await decide("approve", first.id, third.id)).body).toEqual({ decided: 2 });
    // A hold that is set after the approval wins.
    expect((await send("POST", "/api/holds/", { ...hold, query: `id:${heldLater}` })).status).toBe(201);
    await run();
    await propose();
    expect(await documentsOf(rule)).toEqual([hidden]);
    const { body } = await send("GET", `${rules}${rule}/`);
    expect(body).toMatchObject({ proposed: 1, approved: 0, kept: 1 });
    for (const [id, status] of [
      [due, 404],
      [kept, 200],
      [held, 200],
      [heldLater, 200],
      [young, 200],
    ])
      expect([id, (await send("GET", `/api/documents/${id}/`)).status]).toEqual([id, status]);

    const certificates = (await send("GET", "/api/admin/certificates/")).body.results;
    expect(certificates).toMatchObject([
      {
        document: due,
        title: "Form due",
        file_hash: "a".repeat(40),
        pages: 7,
        rule: "A rule",
        due_at: "2015-01-31T12:00:00.000000Z",
        approved_by: boss.id,
      },
    ]);
    const history = (await send("GET", `/api/documents/${due}/history/`)).body.results;
    expect(history).toMatchObject([
      { action: "disposed", user: boss.id, changes: { rule: { to: "A rule" } } },
    ]);

    expect((await send("DELETE", `${rules}${rule}/`)).status).toBe(204);
    expect((await send("DELETE", `${rules}${rule}/`)).status).toBe(409);
    expect(await documentsOf(rule)).toEqual([]);
    await propose();
    expect(await documentsOf(rule)).toEqual([]);
    expect(binned).toBeGreaterThan(0);
  });

  it("counts from when a document was made or first public, or from a date in its data", async () => {
    const ids = await addDocuments(app.context, [
      { data: '{"closed":["2010-03-31"]}' },
      { data: '{"closed":["2999-03-31"]}' },
      { data: '{"closed":["soon"]}', created_at: old },
      { created_at: old, access: "private" },
    ]);
    const [closed, , published, secret = 0] = ids;
    const project = await addProject(app.context, { user_id: boss.id }, ids);
    await app.context.database.write(async (writer) => {
      for (const documentId of [published ?? 0, secret])
        await addHistory(writer, [
          { documentId, userId: null, action: "changed", changes: { access: ["private", "public"] } },
        ]);
    });
    const ofData = await create({ project, period: 10, starts: "data", data_key: "closed" });
    const ofPublication = await create({ project, period: 1, unit: "days", starts: "published" });
    await run();
    expect(await documentsOf(ofData)).toEqual([closed]);
    // It was published a moment ago.
    expect(await documentsOf(ofPublication)).toEqual([]);
    for (const faulty of [
      { project, query: "x" },
      {},
      { project, starts: "data" },
      { project: 999_999 },
      { project, period: 0 },
      { project, unit: "weeks" },
    ])
      expect((await send("POST", rules, { name: "x", period: 1, unit: "days", ...faulty })).status).toBe(400);
  });
});

describe("the end of a period", () => {
  it.each([
    ["2024-01-31", 1, "months", "2024-02-29"],
    ["2023-01-31", 1, "months", "2023-02-28"],
    ["2024-02-29", 1, "years", "2025-02-28"],
    ["2024-12-31", 2, "months", "2025-02-28"],
    ["2024-12-31", 1, "days", "2025-01-01"],
    ["0099-12-31", 1, "days", "0100-01-01"],
  ] as const)("of %s after %i %s is %s", (start, period, unit, end) => {
    expect(later(`${start}T23:59:59.123456Z`, { period, unit })).toBe(`${end}T23:59:59.123456Z`);
  });

  it("is null beyond the years that timestamps can hold", () => {
    expect(later("2024-01-01T00:00:00.000000Z", { period: 9000, unit: "years" })).toBeNull();
  });
});
