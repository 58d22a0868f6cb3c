import { beforeAll, describe, expect, it } from "vitest";
import { addPerson, beginSession } from "../../testing/people.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

describe.each(defaultEngines)("the forms of the account page on %s", (engine) => {
  const app = useApp(engine);
  let session: { cookie: string; "x-csrftoken": string };
  beforeAll(async () => {
    session = await beginSession(
      app.context,
      await addPerson(app.context, { username: "ada", password: "any" }),
    );
  });

  it.each([
    ["preferences/", { language: "tlh" }, "language"],
    ["preferences/", { time_zone: "Nowhere" }, "time_zone"],
    ["", { name: "Ada", email: "nobody" }, "email"],
    ["password/", { current_password: "wrong", password: "a lamp by the harbour" }, "current_password"],
  ] as const)("say at /account/%s why %j was rejected, at the field %s", async (path, values, field) => {
    const answer = await app.fetch(`/account/${path}`, {
      method: "POST",
      headers: session,
      body: new URLSearchParams(values),
    });
    const page = await answer.text();
    const control = new RegExp(`<(?:input|select)[^>]*\\sname="${field}"[^>]*aria-invalid[^>]*>`).exec(
      page,
    )?.[0];
    expect([answer.status, page.match(/aria-invalid/g)?.length]).toEqual([400, 1]);
    for (const mark of ["autofocus", `aria-describedby="${field}-errors"`]) expect(control).toContain(mark);
    const fault = new RegExp(`<span class="problem" id="${field}-errors" role="alert">([^<]+)</span>`).exec(
      page,
    );
    expect(fault?.[1]).toMatch(/\w/);
  });
});
