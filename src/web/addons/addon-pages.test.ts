import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { beginSession } from "../../testing/people.ts";
import { defaultEngines, everyRoute, useApp } from "../../testing/test-app.ts";
import { parametersOf, valuesOf } from "./parameter-fields.ts";

const schema = {
  title: "Counter",
  description: "<p>Counts <strong>words</strong></p><script>alert(1)</script>",
  type: "object",
  required: ["mode"],
  eventOptions: { name: "site", events: ["daily", "upload", "x"] },
  properties: {
    mode: { title: "Mode <b>", type: "string", enum: ["all", "some"], default: "some" },
    often: { type: "boolean", default: true },
    limit: { type: "integer" },
    words: { type: "array", items: { type: "string" }, default: ["harbour"] },
    more: { type: "object" },
  },
};

describe("the form of an add-on", () => {
  it("gives the values that the schema expects, and leaves out what is empty", () => {
    expect(parametersOf(schema).map(({ kind, initial }) => [kind, initial])).toEqual([
      ["text", "some"],
      ["boolean", "true"],
      ["number", ""],
      ["list", "harbour"],
      ["json", ""],
    ]);
    const form = new Map([
      ["p-mode", ["all"]],
      ["p-limit", ["7"]],
      ["p-words", [" a \r\n\r\nb"]],
      ["p-more", ['{"a": [1]}']],
    ]);
    const whole = { mode: "all", often: false, limit: 7, words: ["a", "b"], more: { a: [1] } };
    expect(valuesOf(schema, form)).toEqual(whole);
    expect(valuesOf(schema, new Map([["p-limit", ["x"]]]))).toEqual({ often: false, limit: "x" });
  });
});

describe.each(defaultEngines)("the pages of add-ons on %s", (engine) => {
  const app = useApp(engine, everyRoute);
  let headers: Record<string, string>;
  const mara = app.person("mara");
  beforeAll(async () => {
    headers = { ...(await beginSession(app.context, mara)) };
    const times = { created_at: "2025-01-31T12:00:00.000000Z", updated_at: "2025-01-31T12:00:00.000000Z" };
    const flags = { is_default: false, is_featured: false, is_removed: false };
    const addon = { id: 1, name: "Counter", repository: "press/counter", access: "public" as const };
    await app.context.database.write((writer) =>
      writer
        .insertInto("addons")
        .values({
          ...addon,
          ...flags,
          ...times,
          parameters: JSON.stringify(schema),
          description: "",
          categories: "",
        })
        .execute(),
    );
  });

  const send = async (target: string, form?: Record<string, string>): Promise<[number, string]> => {
    const answer = await app.fetch(target, {
      redirect: "manual",
      headers,
      ...(form !== undefined && { method: "POST", body: new URLSearchParams(form) }),
    });
    return [answer.status, await answer.text()];
  };

  const findEvents = () => app.context.database.reader.selectFrom("addon_events").selectAll().execute();

  it("run an add-on on what the address names, say what is wrong, and cancel", async () => {
    const own = { user_id: mara.id, access: "private" } as const;
    const titles = ["Harbour <b>", "Quay"].map((title) => Object.assign({ title }, own));
    const [harbour = 0, quay = 0] = await addDocuments(app.context, titles);
    const [hidden = 0] = await addDocuments(app.context, [{ title: "Secret", access: "private" }]);
    const asked = `document=${harbour},${quay}&document=${hidden}&query=harbour`;
    const [, form] = await send(`/account/addons/1/?${asked}`);
    expect(form).toMatch(
      /name="document" type="checkbox" value="\d+" checked \/>\s*<label[^>]*>Harbour &#60;b&#62;</,
    );
    for (const part of ["Quay", `value="${hidden}"`, 'value="harbour"', "Mode &#60;b&#62;"])
      expect(form).toContain(part);
    expect(form).toContain("<strong>words</strong>");
    expect(form).not.toMatch(/<script>alert|Secret/);
    const wrong = {
      document: String(harbour),
      documents: `${quay} ${harbour}`,
      "p-mode": "none",
      "p-words": "a",
    };
    const [status, refused] = await send("/account/addons/1/", wrong);
    expect(status).toBe(400);
    expect(refused).toContain("Harbour &#60;b&#62;");
    expect(refused).toContain("mode must be equal to one of the allowed values");
    expect((await send("/account/addons/1/", { documents: "seven", "p-mode": "all" }))[0]).toBe(400);
    expect((await send("/account/addons/1/", { ...wrong, "p-mode": "all" }))[0]).toBe(303);
    const run = await app.context.database.reader
      .selectFrom("addon_runs")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(run).toMatchObject({ status: "queued", documents: `[${harbour},${quay}]`, query: null });
    expect(JSON.parse(run.parameters)).toEqual({ mode: "all", often: false, words: ["a"] });
    const path = `/account/addons/runs/${run.uuid}/`;
    const [, page] = await send(`${path}?done=started`);
    for (const part of [
      "The add-on was started.",
      "Harbour &#60;b&#62;",
      "Quay",
      "data-tray",
      "Mode &#60;b&#62;",
    ])
      expect(page).toContain(part);
    expect((await send(`${path}?part=page`))[1]).not.toContain("data-ended");
    const [, tray] = await send("/running/?part=tray");
    expect(tray.replaceAll(/\s+/g, " ")).toMatch(/Counter<\/a> <span class="help">waits to be run/);
    expect((await send(`${path}cancel/`, {}))[0]).toBe(303);
    expect((await send(`${path}?part=page`))[1]).toContain("data-ended");
    expect((await send("/running/?part=tray"))[1]).toContain("Nothing runs for you.");
    expect((await send("/account/addons/"))[1]).toContain("cancelled");
    expect((await send(`/account/addons/runs/${run.uuid}/dismiss/`, {}))[0]).toBe(303);
    expect((await send("/account/addons/"))[1]).not.toContain(run.uuid);
  });

  it("have an add-on started by itself, and change and remove that", async () => {
    const wrong = { event: "2", "p-mode": "none" };
    const [, form] = await send("/account/addons/1/events/");
    expect(form).toContain("Every day");
    expect(form).not.toContain("Every hour");
    expect((await send("/account/addons/1/events/", wrong))[0]).toBe(400);
    expect((await send("/account/addons/1/events/", { event: "9", "p-mode": "all" }))[0]).toBe(400);
    const sent = { event: "2", "p-mode": "all", "p-often": "true", "p-words": "quay" };
    expect((await send("/account/addons/1/events/", sent))[0]).toBe(303);
    const [event] = await findEvents();
    expect(event).toMatchObject({ event: 2, user_id: mara.id });
    const path = `/account/addons/events/${event?.id}/`;
    expect((await send("/account/addons/"))[1]).toContain(path);
    const [, shown] = await send(path);
    expect(shown.replaceAll(/\s+/g, " ")).toMatch(/type="checkbox" value="true" checked/);
    expect((await send(path, { event: "0", "p-mode": "some" }))[0]).toBe(303);
    const [changed] = await findEvents();
    expect(changed).toMatchObject({ event: 0, due_at: null });
    expect(JSON.parse(changed?.parameters ?? "")).toEqual({ mode: "some", often: false });
    expect((await send(`${path}remove/`, {}))[0]).toBe(303);
    expect([await findEvents(), (await send(path))[0]]).toEqual([[], 404]);
  });
});
