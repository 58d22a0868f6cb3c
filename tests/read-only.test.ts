import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../src/testing/factories.ts";
import { addPerson, beginSession } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import {
  defaultEngines,
  startAppOn,
  startTestApp,
  testStorage,
  useApp,
  useStarted,
} from "../src/testing/test-app.ts";

describe.each(defaultEngines)("a read-only server on %s", (engine) => {
  const app = useApp(engine);
  const owner = app.person("owner", { organizations: [1], isAdministrator: true });
  beforeAll(() => addDocuments(app.context, [{ id: 1, access: "public", status: "success", title: "Kept" }]));
  const reading = useStarted(() => startAppOn({ ...app.context.config, readOnly: true }));

  it("answers requests that read", async () => {
    for (const path of ["/api/documents/", "/api/documents/1/", "/", "/readyz"])
      expect([path, (await reading.fetch(path)).status]).toEqual([path, 200]);
    const options = await reading.fetch("/api/documents/", { method: "OPTIONS" });
    expect(options.status).toBe(200);
    expect(await sendAs(reading, owner, "GET", "/api/users/me/")).toMatchObject({ status: 200 });
  });

  it("refuses all others, says when to come back, and changes nothing", async () => {
    for (const [method, path, body] of [
      ["POST", "/api/documents/", { title: "New" }],
      ["PATCH", "/api/documents/1/", { title: "Other" }],
      ["PUT", "/api/documents/1/", { title: "Other" }],
      ["DELETE", "/api/documents/1/", undefined],
      ["POST", "/api/token/", { username: "owner", password: "x" }],
      ["POST", "/uploads/tus/", undefined],
    ] as const) {
      const answer = await sendAs(reading, owner, method, path, body);
      expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "120"]);
      expect(answer.body.detail).toContain("read-only");
    }
    const list = await sendAs(app, owner, "GET", "/api/documents/");
    expect(list.body.results).toMatchObject([{ id: 1, title: "Kept" }]);
  });

  it("only reads by itself: what is due waits for a server that may write", async () => {
    await using storage = await testStorage(engine, { QUIRE_READ_ONLY: "on" });
    await using alone = await startAppOn(storage.config);
    const due = { access: "private", status: "success", publish_at: "2025-01-31T12:00:00.000000Z" };
    const [id = 0] = await addDocuments(alone.context, [due]);
    const boss = await addPerson(alone.context, { username: "boss", isAdministrator: true });
    const headers = { ...(await beginSession(alone.context, boss)) };
    const { schedule } = (await sendAs(alone, null, "GET", "/api/admin/queue/", undefined, headers)).body;
    expect(schedule.map(({ name }: { name: string }) => name)).toEqual(["read the branding"]);
    expect((await alone.fetch(`/api/documents/${id}/`)).status).toBe(404);
    await using writing = await startAppOn({ ...storage.config, readOnly: false });
    expect((await writing.fetch(`/api/documents/${id}/`)).status).toBe(200);
  });
});

describe("the address of security.txt", () => {
  it("says where to report faults, if that is set", async () => {
    await using without = await startTestApp("sqlite");
    expect((await without.fetch("/.well-known/security.txt")).status).toBe(404);
    await using app = await startTestApp("sqlite", { QUIRE_SECURITY_CONTACT: "security@example.org" });
    const answer = await app.fetch("/.well-known/security.txt");
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const text = await answer.text();
    expect(text).toContain("Contact: mailto:security@example.org\n");
    const [, expires = ""] = /^Expires: (.+)$/m.exec(text) ?? [];
    expect(Date.parse(expires)).toBeGreaterThan(Date.now() + 100 * 86_400_000);
    expect(Date.parse(expires)).toBeLessThan(Date.now() + 365 * 86_400_000);
  });
});
