import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JobRunner } from "../../../jobs/runner.ts";
import { buildPdf } from "../../../testing/pdf.ts";
import type { Person } from "../../../testing/people.ts";
import { type Reply, sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";
import { buildWorker } from "../../../worker.ts";

const pdf = buildPdf({ pages: [{ width: 300, height: 100, lines: ["A witness"] }] });
const box = { page_number: 0, x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.9 };

describe.each(engines)("the redactions under way on %s", (engine) => {
  const app = useApp(engine);
  let worker: JobRunner;
  const owner = app.person("owner", { organizations: [1] });
  const collaborator = app.person("collaborator", { organizations: [1] });
  const stranger = app.person("stranger", { organizations: [2] });
  beforeAll(async () => {
    worker = buildWorker(app.context);
  });
  afterAll(() => worker.stop());

  const send = (person: Person | null, method: string, path: string, value?: unknown): Promise<Reply> =>
    sendAs(app, person, method, `/api/documents/${path}`, value);
  const underWay = async (person: Person | null): Promise<Reply["body"]> =>
    (await send(person, "GET", "redactions/")).body;

  async function processed(title: string, access: string): Promise<number> {
    const { body } = await send(owner, "POST", "", { title, access });
    await fetch(body.presigned_url, { method: "PUT", body: pdf as NonNullable<RequestInit["body"]> });
    await send(owner, "POST", `${body.id}/process/`, {});
    worker.start();
    await worker.drain();
    await worker.stop();
    return body.id;
  }

  it("are those that a person has asked for, and those of the person's documents, until they end", async () => {
    const shared = await processed("Shared", "organization");
    const own = await processed("Own", "public");
    const { body: project } = await sendAs(app, owner, "POST", "/api/projects/", { title: "Together" });
    await sendAs(app, owner, "POST", `/api/projects/${project.id}/users/`, {
      email: "collaborator@example.org",
      access: "edit",
    });
    await sendAs(app, owner, "POST", `/api/projects/${project.id}/documents/`, {
      document: shared,
      edit_access: true,
    });
    expect((await send(collaborator, "POST", `${shared}/redactions/`, [box])).status).toBe(201);
    const { body: copy } = await send(owner, "POST", `${own}/redacted_copies/`, { redactions: [box] });
    const waiting = { status: "waiting", pages_done: null, pages: null };
    const ofCollaborator = {
      ...waiting,
      id: shared,
      title: "Shared",
      original: null,
      user: collaborator.id,
      can_cancel: true,
    };
    expect(await underWay(owner)).toEqual([
      ofCollaborator,
      { ...waiting, id: copy.id, title: "Own (redacted)", original: own, user: owner.id, can_cancel: true },
    ]);
    expect(await underWay(collaborator)).toEqual([ofCollaborator]);
    expect([await underWay(stranger), await underWay(null)]).toEqual([[], []]);
    expect((await send(stranger, "DELETE", `${shared}/process/`)).status).toBe(404);
    expect((await send(owner, "DELETE", `${shared}/process/`)).status).toBe(200);
    expect(await underWay(collaborator)).toEqual([]);
    worker.start();
    await worker.drain();
    expect(await underWay(owner)).toEqual([]);
  });
});
