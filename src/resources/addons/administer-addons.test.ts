import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { beginSession } from "../../testing/people.ts";
import { engines, useApp } from "../../testing/test-app.ts";
import { useFolder } from "../../testing/use-folder.ts";
import { startAddons } from "./start-events.ts";

describe.each(engines)("the add-ons that administrators register on %s", (engine) => {
  const folder = useFolder("addons");
  const app = useApp(engine, { QUIRE_ADDON_RUNNER: "true", QUIRE_ADDON_FOLDER: folder });
  const boss = app.person("boss", { isAdministrator: true });
  let headers: Record<string, string>;
  beforeAll(async () => {
    for (const name of ["counter", "empty"])
      await mkdir(path.join(folder, "press", name), { recursive: true });
    await writeFile(path.join(folder, "press", "counter", "config.yaml"), "title: Counter");
    const { cookie, "x-csrftoken": token } = await beginSession(app.context, boss);
    headers = { cookie, "x-csrftoken": token, "content-type": "application/json" };
  });

  const send = async (method: string, target: string, value?: unknown): Promise<[number, unknown]> => {
    const body = value === undefined ? {} : { body: JSON.stringify(value) };
    const answer = await app.fetch(target, { method, headers, ...body });
    const text = await answer.text();
    return [answer.status, text === "" ? null : JSON.parse(text)];
  };
  const register = (value: object) => send("POST", "/api/admin/addons/", value);

  it("are refused with what is wrong, in words", async () => {
    const repository = "press/empty";
    const organization = { repository, config: "title: a", access: "organization" };
    const wrongType = { repository, config: "properties: { mode: { type: strong } }" };
    for (const [sent, name, pattern] of [
      [{ repository: "press/none" }, "repository", /no such folder\. Not registered yet: press\/counter\./],
      [{ repository: "../press" }, "repository", /has no such folder/],
      [{ repository }, "config", /empty\/config\.yaml: .*no such file/i],
      [{ repository, config: "title: a\nlist: [1" }, "config", /^Line 2 cannot be read: /],
      [{ repository, config: "- a" }, "config", /has no lines such as “title: …”/],
      [wrongType, "config", /^Its properties are no JSON Schema: properties\.mode\.type must be/],
      [organization, "organization", /^Choose the organization/],
      [{ ...organization, organization: 999 }, "organization", /does not exist/],
      [{ ...organization, access: "all" }, "access", /valid choice/],
    ] as const) {
      const [status, body] = await register(sent);
      const [message] = (body as Record<string, string[]>)[name] ?? [];
      expect([status, message]).toEqual([400, expect.stringMatching(pattern)]);
    }
    expect(await register({ repository: "press/counter", access: "public" })).toMatchObject([
      201,
      { name: "Counter", config: "", is_enabled: true },
    ]);
    expect((await register({ repository: "press/counter" }))[0]).toBe(400);
  });

  it("are switched off and on, and what starts them waits meanwhile", async () => {
    const config = 'title: "Pasted\\0 one"\ndescription: "**bold**"';
    const [, added] = await register({ repository: "press/empty", access: "public", config });
    const { id, name } = added as { id: number; name: string };
    expect(name).toBe("Pasted one");
    const target = `/api/admin/addons/${id}/`;
    const seen = async (): Promise<number> => (await send("GET", `/api/addons/${id}/`))[0];
    const event = { addon: id, event: 2, parameters: {} };
    const [, made] = await send("POST", "/api/addon_events/", event);
    const { database } = app.context;
    const past = "2025-01-01T00:00:00.000000Z";
    await database.write((writer) => writer.updateTable("addon_events").set({ due_at: past }).execute());
    expect(await send("PATCH", target, { is_enabled: false })).toMatchObject([200, { is_enabled: false }]);
    expect([await seen(), (await send("POST", "/api/addon_runs/", event))[0]]).toEqual([404, 400]);
    await startAddons(app.context);
    const runs = () => database.reader.selectFrom("addon_runs").select("event_id").execute();
    expect(await runs()).toEqual([]);
    expect((await send("PATCH", target, { is_enabled: true }))[0]).toBe(200);
    await startAddons(app.context);
    expect([await seen(), await runs()]).toEqual([200, [{ event_id: (made as { id: number }).id }]]);
    expect(await send("PATCH", target, { config: "title: Other" })).toMatchObject([200, { name: "Other" }]);
    expect((await send("PATCH", target, { config: "" }))[0]).toBe(400);
    expect((await send("DELETE", target))[0]).toBe(204);
    expect([await seen(), (await send("GET", target))[0]]).toEqual([404, 404]);
    const [, list] = await send("GET", "/api/admin/addons/");
    expect((list as { results: { name: string }[] }).results.map((one) => one.name)).toEqual(["Counter"]);
    const again = { repository: "press/empty", config: "title: Again" };
    expect(await register(again)).toMatchObject([201, { id, name: "Again", access: "private" }]);
  });
});
