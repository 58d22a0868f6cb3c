import { beforeAll, describe, expect, it, vi } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { useApp } from "../../testing/test-app.ts";

const urlencoded = "application/x-www-form-urlencoded";
const json = "application/json";
const mb = 1024 * 1024;

/** Expensive bodies are refused early: by length, by number of pairs or by depth. */
describe("a body that is expensive to parse", () => {
  const app = useApp("sqlite");
  const ada = app.person("ada", { isAdministrator: true });
  beforeAll(async () => {
    await addDocuments(app.context, [{ title: "Budget" }]);
  });

  async function refusal(
    method: string,
    target: string,
    type: string,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<[number, unknown]> {
    const answer = await app.fetch(target, { method, headers: { "content-type": type, ...headers }, body });
    const text = await answer.text();
    return [answer.status, JSON.parse(text)];
  }

  const short = ["/sign-in/", "/sign-out/", "/api/token/", "/api/refresh/"];

  it.each(short)("is refused at %s by its length, whatever its type", async (target) => {
    const types = target.startsWith("/api/") ? [urlencoded, json] : [urlencoded];
    for (const type of types) {
      const [status, body] = await refusal("POST", target, type, "a&".repeat(mb / 2));
      expect([status, body]).toEqual([413, { detail: expect.any(String) as string }]);
    }
  });

  it.each(short)("is refused at %s by its number of pairs", async (target) => {
    expect(await refusal("POST", target, urlencoded, "a&".repeat(1001))).toEqual([
      413,
      { detail: "A form has no more than 1000 parts." },
    ]);
  });

  it("is accepted with the longest username and password, percent-encoded", async () => {
    const body = `username=${"%E2%82%AC".repeat(150)}&password=${"%E2%82%AC".repeat(1000)}&next=/${"%41".repeat(3999)}`;
    const headers = { "content-type": urlencoded };
    expect((await app.fetch("/sign-in/", { method: "POST", headers, body })).status).toBe(403);
    expect((await app.fetch("/api/token/", { method: "POST", headers, body })).status).toBe(401);
  });

  it("is refused by its depth before it is parsed", async () => {
    const parse = vi.spyOn(JSON, "parse");
    const detail = "JSON parse error - nested more than 100 deep";
    for (const body of [
      "[".repeat(6 * mb),
      `${"[".repeat(3 * mb)}${"]".repeat(3 * mb)}`,
      '{"a":'.repeat(mb),
      `{"data":"\\"]",${'"a":['.repeat(101)}`,
    ]) {
      const answer = await app.fetch("/api/documents/1/", {
        method: "PATCH",
        headers: { "content-type": json, ...ada.headers },
        body,
      });
      const text = await answer.text();
      // Other work of this process parses long texts, too: none of this one may be parsed.
      expect(parse.mock.calls.some(([given]) => given.startsWith(body.slice(0, 8)))).toBe(false);
      expect([answer.status, text]).toEqual([400, JSON.stringify({ detail })]);
    }
    parse.mockRestore();
  });

  it("is accepted if its brackets are inside strings", async () => {
    const title = `${"[{".repeat(200)}\\"[`;
    const answer = await app.fetch("/api/documents/1/", {
      method: "PATCH",
      headers: { "content-type": json, ...ada.headers },
      body: `{"title":"${title}","data":${"[".repeat(50)}${"]".repeat(50)}}`,
    });
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([400, ["data"]]);
  });

  it("is refused by the length of a URL before the URL is parsed", async () => {
    const canParse = vi.spyOn(URL, "canParse");
    const host = String.fromCharCode(...Array.from({ length: 5000 }, (_, index) => 0x4e00 + index));
    const answer = await app.fetch("/api/documents/1/", {
      method: "PATCH",
      headers: { "content-type": json, ...ada.headers },
      body: JSON.stringify({ related_article: `https://${host}.org/` }),
    });
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { related_article: ["Ensure this field has no more than 1024 characters."] },
    ]);
    expect(canParse).not.toHaveBeenCalled();
    canParse.mockRestore();
  });
});
