import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addPerson, beginSession } from "../../testing/people.ts";
import { type TestApp, defaultEngines, everyRoute, startTestApp } from "../../testing/test-app.ts";
import { parametersOf, valuesOf } from "./parameter-fields.ts";

const schema = {
  title: "Counter",
  description: "<p>Counts <strong>words</strong></p><script>alert(1)</script>",
  type: "object",
  required: ["mode"],
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
  let app: TestApp;
  let headers: Record<string, string>;
  beforeAll(async () => {
    app = await startTestApp(engine, everyRoute);
    const person = await addPerson(app.context, { username: "mara" });
    headers = { ...(await beginSession(app.context, person)) };
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
  afterAll(() => app[Symbol.asyncDispose]());

  const send = async (target: string, form?: Record<string, string>): Promise<[number, string]> => {
    const answer = await app.fetch(target, {
      redirect: "manual",
      headers,
      ...(form !== undefined && { method: "POST", body: new URLSearchParams(form) }),
    });
    return [answer.status, await answer.text()];
  };

  it("run an add-on on what the address names, say what is wrong, and cancel", async () => {
    const [, form] = await send("/account/addons/1/?document=7&document=8&query=harbour");
    for (const part of ['value="7, 8"', 'value="harbour"', "Mode &#60;b&#62;", "<strong>words</strong>"])
      expect(form).toContain(part);
    expect(form).not.toContain("<script>alert");
    const wrong = { documents: "7, 8", "p-mode": "none", "p-words": "a" };
    const [status, refused] = await send("/account/addons/1/", wrong);
    expect(status).toBe(400);
    expect(refused).toContain("mode must be equal to one of the allowed values");
    expect((await send("/account/addons/1/", { documents: "seven", "p-mode": "all" }))[0]).toBe(400);
    expect((await send("/account/addons/1/", { ...wrong, "p-mode": "all" }))[0]).toBe(303);
    const run = await app.context.database.reader
      .selectFrom("addon_runs")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(run).toMatchObject({ status: "queued", documents: "[7,8]", query: null });
    expect(JSON.parse(run.parameters)).toEqual({ mode: "all", often: false, words: ["a"] });
    expect((await send("/account/addons/?done=started"))[1]).toContain("The add-on was started.");
    expect((await send(`/account/addons/runs/${run.uuid}/cancel/`, {}))[0]).toBe(303);
    expect((await send("/account/addons/"))[1]).toContain("cancelled");
    expect((await send(`/account/addons/runs/${run.uuid}/dismiss/`, {}))[0]).toBe(303);
    expect((await send("/account/addons/"))[1]).not.toContain(run.uuid);
  });
});
