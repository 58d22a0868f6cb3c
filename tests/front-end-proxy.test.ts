import { type IncomingMessage, type Server, type ServerResponse, createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addPerson } from "../src/testing/people.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { type TestApp, defaultEngines, startTestApp } from "../src/testing/test-app.ts";

/*
 * Quire and DocumentCloud's front end on one origin, as in docs/front-end.md: a proxy sends some paths to Quire and the
 * rest to another program. A stand-in for that program returns the requests that it gets.
 */

const password = "correct horse battery";
/** The paths that the documentation names. */
const ofQuire = /^\/(api|files|uploads|iiif|accounts|sign-in|sign-out|static)(\/|$|\?)/;

type Answerer = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(answer: Answerer): Promise<{ server: Server; url: string }> {
  const server = createServer(answer);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const close = (server: Server): Promise<unknown> =>
  new Promise((closed) => server.close(closed).closeAllConnections());

/** Forwards a request to another server unchanged. */
function passOn(asked: IncomingMessage, answered: ServerResponse, target: string): void {
  const headers = { ...asked.headers, "x-forwarded-host": asked.headers.host, "x-forwarded-proto": "http" };
  const onward = request(`${target}${asked.url}`, { method: asked.method, headers }, (answer) => {
    answered.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
    answer.pipe(answered);
  });
  onward.on("error", () => answered.destroy());
  asked.pipe(onward);
}

describe.each(defaultEngines)("Quire and a front end on one origin, on %s", (engine) => {
  let app: TestApp;
  let frontEnd: Server;
  let proxy: Server;
  let origin: string;
  beforeAll(async () => {
    const pages = await listen((asked, answered) => answered.end(`front end: ${asked.url}`));
    const outside = await listen((asked, answered) =>
      passOn(asked, answered, ofQuire.test(asked.url ?? "") ? app.url : pages.url),
    );
    [frontEnd, proxy, origin] = [pages.server, outside.server, outside.url];
    app = await startTestApp(engine, { QUIRE_URL: origin, QUIRE_TRUST_PROXY: "127.0.0.1" });
    await addPerson(app.context, { username: "maria", password });
    await app.context.database.write(async (writer) => {
      const moment = "2025-01-31T12:00:00.000000Z";
      const row = { name: "Press", slug: "press", individual: false, created_at: moment, updated_at: moment };
      const made = writer.insertInto("organizations").values(row).returning("id");
      const { id } = await made.executeTakeFirstOrThrow();
      const { id: user } = await writer
        .updateTable("users")
        .set({ organization_id: id })
        .where("username", "=", "maria")
        .returning("id")
        .executeTakeFirstOrThrow();
      const member = { organization_id: id, user_id: user, is_admin: false };
      await writer.insertInto("organization_members").values(member).execute();
    });
  });
  afterAll(async () => {
    await close(proxy);
    await close(frontEnd);
    await app[Symbol.asyncDispose]();
  });

  const go = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new URL(path, origin), { redirect: "manual", ...init });

  it("signs people in and out on the way from a page of the front end and back to it", async () => {
    const page = `${origin}/documents/?q=budget`;
    expect(await (await go(page)).text()).toBe("front end: /documents/?q=budget");
    const begin = await go(`/accounts/login/squarelet?next=${encodeURIComponent(page)}`);
    const form = await go(begin.headers.get("location") ?? "");
    const markup = await form.text();
    expect(markup).toContain(`name="next" value="${page}"`);
    const [, stylesheet = ""] = /rel="stylesheet" href="([^"]*)"/.exec(markup) ?? [];
    expect((await go(stylesheet)).headers.get("content-type")).toContain("text/css");

    const signedIn = await go("/sign-in/", {
      method: "POST",
      headers: { origin, "sec-fetch-site": "same-origin" },
      body: new URLSearchParams({ username: "maria", password, next: page }),
    });
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, page]);
    const cookies = signedIn.headers.getSetCookie();
    for (const cookie of cookies) expect(cookie).not.toContain("Domain=");
    const cookie = cookies.map((one) => one.split(";", 1)[0]).join("; ");
    const token = /csrftoken=([^;]+)/.exec(cookie)?.[1] ?? "";
    expect(await (await go("/api/users/me/", { headers: { cookie } })).json()).toMatchObject({
      username: "maria",
    });

    const leave = await go(`/accounts/logout/?next=${encodeURIComponent(page)}`, { headers: { cookie } });
    const button = await (await go(leave.headers.get("location") ?? "", { headers: { cookie } })).text();
    expect(button).toContain("Sign out");
    const out = await go("/sign-out/", {
      method: "POST",
      headers: { cookie },
      body: new URLSearchParams({ csrfmiddlewaretoken: token, next: page }),
    });
    expect([out.status, out.headers.get("location")]).toEqual([303, page]);
    const again = await go(`/accounts/logout/?next=${encodeURIComponent(page)}`, { headers: { cookie } });
    expect(again.headers.get("location")).toBe(page);
  });

  it("creates, fills and reads a document by addresses that all lead through the proxy", async () => {
    const token = await go("/api/token/", {
      method: "POST",
      body: new URLSearchParams({ username: "maria", password }),
    });
    const { access } = (await token.json()) as { access: string };
    const headers = { authorization: `Bearer ${access}`, "content-type": "application/json" };
    const made = await go("/api/documents/", {
      method: "POST",
      headers,
      body: JSON.stringify({ title: "Minutes", access: "public" }),
    });
    const document = (await made.json()) as Record<string, string>;
    for (const name of ["presigned_url", "canonical_url", "asset_url"]) {
      expect([name, document[name]?.startsWith(`${origin}/`)]).toEqual([name, true]);
    }
    const pdf = buildPdf({ pages: [{ width: 612, height: 792, lines: ["Minutes"] }] });
    expect((await go(document["presigned_url"] ?? "", { method: "PUT", body: pdf })).status).toBe(200);
    const process = `/api/documents/${document["id"]}/process/`;
    expect((await go(process, { method: "POST", headers, body: "{}" })).status).toBe(200);
    expect(await (await go("/api/documents/pending/", { headers })).json()).toEqual([
      { doc_id: document["id"], images: null, texts: null, text_positions: null, pages: null },
    ]);
    const file = `${document["asset_url"]}documents/${document["id"]}/${document["slug"]}.pdf`;
    const read = await go(file, { headers: { authorization: headers.authorization } });
    expect([read.status, read.headers.get("content-type")]).toEqual([200, "application/pdf"]);
    expect(Buffer.from(await read.arrayBuffer()).equals(Buffer.from(pdf))).toBe(true);
    expect(await (await go(document["canonical_url"] ?? "")).text()).toMatch(/^front end: \/documents\//);
  });
});
