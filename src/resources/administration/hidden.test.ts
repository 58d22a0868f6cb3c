import { beforeAll, describe, expect, it } from "vitest";
import { routes } from "../../routes.ts";
import { type Person, type Session, addPerson, beginSession } from "../../testing/people.ts";
import { selectionOn } from "../../testing/runs.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

const addresses = routes
  .flatMap(([listed]) => listed)
  .filter((address) => /^(\/api)?\/admin\//.test(address))
  .map((address) => address.replaceAll(/:\w+/g, "1"));

/** Whether the connection stays open depends on whether the body has come by then. */
const transport = ["connection", "keep-alive"];

const methods = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

describe.each(defaultEngines)("the addresses of administrators on %s", (engine) => {
  // One of them is there only where documents can be mailed in.
  const app = useApp(engine, { QUIRE_MAIL_IN_DOMAIN: "in.example.org" });
  let ordinary: Session;
  let administrator: Person;
  let session: Session;
  beforeAll(async () => {
    ordinary = await beginSession(app.context, await addPerson(app.context, { username: "ordinary" }));
    administrator = await addPerson(app.context, {
      username: "boss",
      isAdministrator: true,
      password: "any",
    });
    session = await beginSession(app.context, administrator);
  });

  async function answerTo(method: string, target: string, headers: Record<string, string>): Promise<unknown> {
    const answer = await app.fetch(target, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      redirect: "manual",
      ...(["GET", "HEAD"].includes(method) ? {} : { body: "{}" }),
    });
    const given = [...answer.headers].filter(
      ([name]) => !["date", "x-request-id", ...transport].includes(name),
    );
    const body = (await answer.text()).replaceAll("nimda", "admin");
    return { status: answer.status, headers: given, body };
  }

  it("answer everyone else as addresses that do not exist", async () => {
    const others: Record<string, string>[] = [
      {},
      { ...ordinary },
      { ...administrator.headers },
      { ...ordinary, accept: "text/html" },
      { accept: "text/html" },
      { accept: "image/png" },
    ];
    expect(addresses.length).toBeGreaterThan(5);
    const spellings: ((address: string) => string)[] = [
      (address) => address,
      (address) => `${address}?format=api`,
      (address) => address.slice(0, -1),
    ];
    const cases = addresses.flatMap((address) => methods.map((method) => ({ address, method })));
    // Every address is asked with every method; the users and the spellings take turns.
    for (const [index, { address, method }] of selectionOn(engine, cases).entries()) {
      const headers = others[index % others.length] ?? {};
      const spelled = spellings[Math.floor(index / methods.length) % spellings.length] ?? String;
      // An address of the same length, because the page of an unknown address names it.
      const nothing = spelled(address.replace("/admin/", "/nimda/"));
      const said = await answerTo(method, spelled(address), headers);
      expect([method, address, said]).toEqual([method, address, await answerTo(method, nothing, headers)]);
    }
  });

  it("can be read by an administrator with a session", async () => {
    for (const address of addresses.filter((listed) => listed.startsWith("/api/"))) {
      const answer = await app.fetch(address, { headers: { ...session } });
      // A path that is only for POST, and members and jobs with the number 1, which nobody has added.
      expect([200, 404, 405]).toContain(answer.status);
      expect((await app.fetch(address, { method: "OPTIONS", headers: { ...session } })).status).not.toBe(404);
    }
  });

  it("require the CSRF token of a session", async () => {
    const { cookie } = session;
    const answer = await app.fetch("/api/admin/organizations/", {
      method: "POST",
      headers: { cookie, "content-type": "application/json" },
      body: JSON.stringify({ name: "Forged" }),
    });
    expect(answer.status).toBe(403);
  });
});
