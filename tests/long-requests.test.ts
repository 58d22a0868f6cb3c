import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../src/testing/factories.ts";
import { sendRaw } from "../src/testing/raw-http.ts";
import { sendAs } from "../src/testing/requests.ts";
import { defaultEngines, useApp } from "../src/testing/test-app.ts";

const tooLong = { detail: "The address or the headers of the request are too long." };

describe.each(defaultEngines)("a long request on %s", (engine) => {
  const app = useApp(engine);
  let document = 0;
  beforeAll(async () => {
    [document = 0] = await addDocuments(app.context, [{ status: "success" }]);
  });

  it.each(["x", "ж", "京", "😀"])("accepts a search as long as the longest query, of %s", async (letter) => {
    for (const path of ["/api/documents/search/", `/api/documents/${document}/search/`, "/"]) {
      const query = encodeURIComponent(letter.repeat(10_000 / letter.length));
      const answer = await app.fetch(`${path}?q=${query}`, { headers: { "x-other": "a".repeat(8000) } });
      // In scripts without spaces every two letters are a word, which makes more words than a search accepts.
      expect([path, answer.status]).toEqual([path, letter === "京" ? 400 : 200]);
      await answer.text();
    }
    const words = encodeURIComponent(`${letter.repeat(10_000 / letter.length)}x`);
    const { status, body } = await sendAs(app, null, "GET", `/api/documents/search/?q=${words}`);
    expect([status, body.code]).toEqual([400, "too_much"]);
  });

  it("is refused in the API's shape if it is longer than any request needs", async () => {
    const long = "x".repeat(20_000);
    for (const target of [
      `/api/documents/?id__in=${long}`,
      `/api/documents/search/${long}/`,
      `/api/${long}/`,
      `/files/documents/${document}/${long}.txt`,
    ]) {
      const { status, body } = await sendAs(app, null, "GET", target);
      expect([target.slice(0, 40), status, body]).toEqual([target.slice(0, 40), 431, tooLong]);
    }
    for (const path of ["/api/documents/", "/api/documents/search/", "/api/oembed/", "/"]) {
      const answer = await sendAs(app, null, "GET", path, undefined, { "x-other": long });
      expect([path, answer.status, answer.body]).toEqual([path, 431, tooLong]);
    }
  });

  it("is refused in the same shape if it is longer than the server reads", async () => {
    const { url } = app;
    const answers = [
      await sendRaw(url, [`GET /api/documents/search/?q=${"x".repeat(200_000)} HTTP/1.1`, "Host: a.org"]),
      await sendRaw(url, ["GET /api/ HTTP/1.1", "Host: a.org", `X-Other: ${"x".repeat(200_000)}`]),
    ];
    for (const { status, headers, body } of answers) {
      expect([status, JSON.parse(body)]).toEqual([431, tooLong]);
      expect(headers.get("content-type")).toBe("application/json");
      expect(headers.get("connection")).toBe("close");
    }
    const { status, body } = await sendRaw(url, ["This is not HTTP"]);
    expect([status, JSON.parse(body)]).toEqual([400, { detail: "The request is not HTTP." }]);
  });

  it("is shortened in the log", async () => {
    app.logged.length = 0;
    await app.fetch(`/api/${"x".repeat(9000)}/`);
    await expect.poll(() => app.logged.length).toBe(1);
    expect(app.logged[0]).toMatchObject({ status: 404, path: `/api/${"x".repeat(1995)}` });
  });
});
