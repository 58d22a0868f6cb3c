import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { addRow } from "../../database/rows.ts";
import { routes } from "../../routes.ts";
import type { Person } from "../../testing/people.ts";
import { addReadDocuments } from "../../testing/read-documents.ts";
import { sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";
import { addRunTokens } from "../users/credentials/run-token-store.ts";
import { queueRun, queueRunOfEvent } from "./manage-runs.ts";
import { findRun, ownRuns } from "./run-store.ts";

/** The addresses that name no document of the run, and whose GET answers its token. */
const answered = [
  "/api/",
  "/api/addon_events/:id/",
  "/api/addon_runs/:uuid/",
  "/api/documents/",
  "/api/documents/search/",
  "/api/users/me/",
];

const at = (id: number): string => `/api/documents/${id}/`;

describe.each(defaultEngines)("the token of a run on %s", (engine) => {
  const app = useApp(engine, { QUIRE_ADDON_RUNNER: "false" });
  let program: Person;
  let [chosen, other, published] = [0, 0, 0];
  let run = "";
  let event = 0;
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    const own = { user_id: owner.id, access: "private", pages: ["harbour"] } as const;
    [chosen = 0, other = 0, published = 0] = await addReadDocuments(app.context, [
      { ...own, title: "Chosen" },
      { ...own, title: "Other" },
      { ...own, title: "Published", access: "public" },
    ]);
    const now = new Date().toISOString().replace("Z", "000Z");
    const times = { created_at: now, updated_at: now };
    await app.context.database.write(async (writer) => {
      const { id: addon_id } = await addRow(writer, "addons", {
        user_id: null,
        access: "public",
        name: "Counter",
        repository: "counter",
        description: "",
        categories: "",
        parameters: "{}",
        is_default: false,
        is_featured: false,
        is_removed: false,
        ...times,
      });
      const ofPerson = { addon_id, user_id: owner.id, parameters: "{}", ...times };
      const started = await addRow(writer, "addon_events", { ...ofPerson, event: 4, scratch: "{}" });
      event = started.id;
      await queueRunOfEvent(writer, started, [chosen]);
      const row = await findRun(writer, { id: 1 });
      run = row?.uuid ?? "";
      await ownRuns.change(writer, { id: 1 }, { status: "in_progress", scope: `[${chosen}]` });
      const { access } = await addRunTokens(writer, { runId: 1, userId: owner.id, name: "Counter" });
      program = { ...owner, headers: { authorization: `Bearer ${access}` } };
      const more = { documents: [other], query: null, dismissed: false };
      await queueRun(writer, { addon_id, user_id: owner.id, parameters: {}, ...more });
    });
  });

  const send = (method: string, target: string, value?: unknown) =>
    sendAs(app, program, method, target, value);
  const titles = async (target: string) => {
    const { results } = (await send("GET", target)).body as unknown as { results: { title: string }[] };
    return results.map(({ title }) => title);
  };

  it("reads and changes the documents of the run, and no others, whatever the person may see", async () => {
    for (const id of [other, published])
      for (const [method, target, value] of [
        ["GET", at(id)],
        ["PATCH", at(id), { title: "x" }],
        ["DELETE", at(id)],
        ["GET", `${at(id)}notes/`],
        ["POST", `${at(id)}notes/`, { title: "x", page_number: 0 }],
        ["POST", `${at(id)}process/`, {}],
      ] as const)
        expect([method, target, (await send(method, target, value)).status]).toEqual([method, target, 404]);
    expect((await send("PATCH", "/api/documents/", [{ id: other, title: "x" }])).status).toBe(400);
    expect((await send("DELETE", `/api/documents/?id__in=${other}`)).status).not.toBe(200);
    expect((await send("POST", "/api/documents/process/", [{ id: other }])).status).toBe(400);
    expect((await sendAs(app, owner, "GET", at(other))).body).toMatchObject({ title: "Other" });
    expect(await titles("/api/documents/")).toEqual(["Chosen"]);
    expect(await titles(`/api/documents/?id__in=${other},${published}`)).toEqual([]);
    expect(await titles("/api/documents/search/?q=harbour")).toEqual(["Chosen"]);
    expect(await titles("/api/documents/search/?q=*:*")).toEqual(["Chosen"]);
    // Neither the number of other documents nor their words.
    const searched = (await send("GET", "/api/documents/search/?q=harbor&suggest=true")).body;
    expect([searched.count, searched["suggestion"] ?? null]).toEqual([0, null]);
    for (const q of ["*:*", "harbour"])
      expect((await send("GET", `/api/documents/search/?q=${q}`)).body.count).toBe(1);
    expect((await send("PATCH", at(chosen), { title: "Chosen now" })).body).toMatchObject({
      title: "Chosen now",
    });
    const note = await send("POST", `${at(chosen)}notes/`, { title: "Seen", page_number: 0 });
    expect(note.status).toBe(201);
    const made = await send("POST", "/api/documents/", { title: "Made" });
    expect(made.status).toBe(201);
    expect((await send("PATCH", at(made.body.id as number), { title: "Made too" })).status).toBe(200);
    expect((await titles("/api/documents/")).toSorted()).toEqual(["Chosen now", "Made too"]);
  });

  it("reaches its run and its event, and no other address", async () => {
    const values = new Map([
      [":id", String(chosen)],
      [":uuid", run],
    ]);
    const of = (path: string) =>
      path.startsWith("/api/addon_events/") ? path.replace(":id", String(event)) : path;
    const found: string[] = [];
    for (const path of routes.flatMap(([addresses]) => addresses)) {
      if (/^\/(?!api\/)/.test(path) || path.includes("stream") || path.endsWith("/events/")) continue;
      const target = of(path).replaceAll(/:\w+/g, (name) => values.get(name) ?? "1");
      const { status } = await app.fetch(target, { headers: program.headers });
      if (status === 200) found.push(path);
    }
    const beside = found.filter((path) => !path.startsWith("/api/documents/:id/"));
    expect(beside.toSorted()).toEqual(answered);
    for (const path of ["similar", "family"]) expect(found).not.toContain(`/api/documents/:id/${path}/`);
    const runs = await sendAs(app, owner, "GET", "/api/addon_runs/");
    const uuids = (runs.body.results as { uuid: string }[]).map(({ uuid }) => uuid);
    for (const uuid of [...uuids.filter((one) => one !== run), randomUUID()])
      expect((await send("PATCH", `/api/addon_runs/${uuid}/`, { progress: 1 })).status).toBe(404);
    expect((await send("PATCH", `/api/addon_runs/${run}/`, { progress: 1 })).status).toBe(200);
    expect((await send("PATCH", `/api/addon_events/${event}/`, { scratch: { a: 1 } })).status).toBe(200);
    // It may go on in another run, with no more than it has.
    const again = (documents: number[]) =>
      send("POST", "/api/addon_runs/", { addon: 1, parameters: {}, documents });
    expect([(await again([chosen])).status, (await again([chosen, other])).status]).toEqual([201, 403]);
    const all = { addon: 1, parameters: {}, query: "*:*" };
    expect((await send("POST", "/api/addon_runs/", all)).status).toBe(403);
    for (const [method, target, value] of [
      ["POST", "/api/projects/", { title: "x" }],
      ["GET", "/api/addon_runs/"],
      ["POST", "/api/webhooks/", { url: "https://example.org" }],
      ["GET", "/api/projects/"],
      ["GET", "/account/"],
    ] as const)
      expect([target, (await send(method, target, value)).status]).toEqual([target, 403]);
  });
});
