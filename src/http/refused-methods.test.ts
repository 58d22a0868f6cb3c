import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../testing/factories.ts";
import { sendRaw } from "../testing/raw-http.ts";
import { useApp } from "../testing/test-app.ts";

const sorted = (list: string | null): string[] => (list ?? "").split(", ").toSorted();

describe("a method that an address does not have", () => {
  const app = useApp("sqlite");
  const person = app.person("person", { organizations: [1] });
  beforeAll(async () => {
    await addDocuments(app.context, [{ slug: "a", page_count: 1 }, { access: "private" }]);
  });

  const ask = async (method: string, path: string, accept = "application/json") => {
    const answer = await app.fetch(path, { method, headers: { ...person.headers, accept } });
    const { status, headers } = answer;
    return {
      status,
      allow: headers.get("allow"),
      type: headers.get("content-type"),
      text: await answer.text(),
    };
  };

  it.each([
    ["DELETE", "/", "GET, HEAD, OPTIONS"],
    ["POST", "/documents/1-a/", "GET, HEAD, OPTIONS"],
    ["PUT", "/documents/feed.atom", "GET, HEAD, OPTIONS"],
    ["PATCH", "/sign-in/", "GET, POST, HEAD, OPTIONS"],
    ["POST", "/iiif/1/manifest.json", "GET, HEAD, OPTIONS"],
    ["POST", "/iiif/1/image/1/info.json", "GET, HEAD, OPTIONS"],
    ["POST", "/livez", "GET, HEAD, OPTIONS"],
    ["GET", "/uploads/documents/1/a.pdf", "PUT, OPTIONS"],
    ["POST", "/api/documents/1/", "GET, PUT, PATCH, DELETE, HEAD, OPTIONS"],
  ])("gets 405 and the methods that there are: %s %s", async (method, path, allow) => {
    const refused = await ask(method, path);
    expect(refused).toMatchObject({ status: 405, type: "application/json" });
    expect(JSON.parse(refused.text)).toEqual({ detail: `Method "${method}" not allowed.` });
    const page = await ask(method, path, "text/html");
    expect(page).toMatchObject({ status: 405, type: "text/html; charset=utf-8" });
    expect([sorted(refused.allow), sorted(page.allow)]).toEqual([allow, allow].map(sorted));
    const options = await ask("OPTIONS", path);
    expect([options.status < 300, sorted(options.allow)]).toEqual([true, sorted(allow)]);
  });

  // `fetch` does not send TRACE.
  it.each(["TRACE", "QUERY"])("gets 405 if it is %s", async (method) => {
    for (const path of ["/", "/api/", "/api/documents/1/", "/uploads/tus/", "/livez"]) {
      const { status, headers } = await sendRaw(app.url, [`${method} ${path} HTTP/1.1`, "Host: localhost"]);
      expect([path, status, headers.has("allow")]).toEqual([path, 405, true]);
    }
  });

  it("gets the same answer whether or not there is an object, and whether or not one may see it", async () => {
    for (const path of ["/iiif/:id/manifest.json", "/embed/documents/:id/", "/documents/:id/pages/1/"]) {
      const answers = await Promise.all(["1", "2", "99"].map((id) => ask("POST", path.replace(":id", id))));
      expect(answers.map(({ status }) => status)).toEqual([405, 405, 405]);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    }
  });

  it("finds nothing at addresses that not everyone may know of", async () => {
    const missing = await ask("POST", "/nothing/");
    expect(missing).toMatchObject({ status: 404, allow: null });
    for (const path of ["/admin/", "/admin/people/", "/admin", "/api/admin/users/", "/forgot-password/"])
      expect([path, await ask("PUT", path)]).toEqual([path, missing]);
  });
});
