import http from "node:http";
import { createGzip, gzipSync } from "node:zlib";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MentionedValue } from "../contract/search.ts";
import type { Config } from "../config.ts";
import { type Patience, OtherServerError } from "../import/polite-fetch.ts";
import { ImportReport } from "../import/report.ts";
import { addDocuments } from "../testing/factories.ts";
import { buildPdf } from "../testing/pdf.ts";
import { addPerson } from "../testing/people.ts";
import { recordOf } from "../testing/records.ts";
import { type RemoteServer, startRemoteServer } from "../testing/remote-server.ts";
import { isInFull } from "../testing/runs.ts";
import { type TestApp, engines, startTestApp, useApp } from "../testing/test-app.ts";
import { runJobs } from "../testing/use-worker.ts";
import { findMentionsAgain, putCorrections } from "../resources/documents/pages/mention-store.ts";
import { AccountCredentials, tokenCredentials } from "./credentials.ts";
import { type MirrorOptions, type MirrorOutcome, mirrorDocuments } from "./mirror.ts";

const page = { width: 300, height: 400 };
const everything =
  "expand=user,organization,projects,projects.user,notes,notes.user,notes.organization,sections";

type Json = Record<string, unknown>;

/** A record without the members that depend on the server's address or on the viewer. */
function comparable(value: unknown, url: string): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(url, "")
      .replaceAll(/"edit_access":true/g, '"edit_access":false'),
  );
}

async function get(app: TestApp, path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const answer = await app.fetch(path, { headers });
  expect([path, answer.status]).toEqual([path, 200]);
  const text = await answer.text();
  return comparable(/^[[{]/.test(text) ? JSON.parse(text) : text, app.url);
}

const rows = (app: TestApp) =>
  app.context.database.reader
    .selectFrom("documents")
    .select(["id", "title", "access", "status", "file_hash", "updated_at", "asset_url"])
    .orderBy("id")
    .execute();

describe.each(engines)("a mirror into %s", (engine) => {
  /** The other server. */
  const there = useApp("sqlite");
  const owner = there.person("owner", { organizations: [1], mayWrite: true, password: "their own" });
  let ids: { plain: number; recognised: number; hidden: number; project: number };
  let here: TestApp;
  let notes: string[];
  let waits: number[];

  async function send(method: string, path: string, body?: unknown): Promise<Json> {
    const isForm = body instanceof FormData;
    const headers = { ...owner.headers, ...(!isForm && { "content-type": "application/json" }) };
    const answer = await there.fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? {} : ((await answer.json()) as Json);
  }

  async function upload(name: string, text: string, access: string): Promise<number> {
    const form = new FormData();
    form.set("file", new File([buildPdf({ pages: [{ ...page, lines: [text] }, page] })], `${name}.pdf`));
    form.set("access", access);
    form.set("title", name);
    return Number((await send("POST", "/api/documents/", form))["id"]);
  }

  beforeAll(async () => {
    const plain = await upload("Plain", "harbour, ada@example.org", "public");
    const recognised = await upload("Scan", "", "public");
    const hidden = await upload("Hidden", "secret", "private");
    await runJobs(there.context);
    const { id: project } = await send("POST", "/api/projects/", { title: "Harbour", private: false });
    ids = { plain, recognised, hidden, project: Number(project) };
    await send("POST", `/api/projects/${ids.project}/documents/`, { document: plain });
    const box = { x1: 0.1, x2: 0.4, y1: 0.1, y2: 0.2 };
    await send("POST", `/api/documents/${plain}/notes/`, {
      title: "A note",
      content: "<b>bold</b>",
      page_number: 0,
      access: "public",
      ...box,
    });
    await send("POST", `/api/documents/${plain}/sections/`, { title: "Annex", page_number: 1 });
    const entity = await send("POST", "/api/entities/", { wikidata_id: "Q42", name: "Ada" });
    await send("POST", `/api/documents/${plain}/entities/`, {
      entity: entity["id"],
      relevance: 0.5,
      occurrences: [{ page: 0, offset: 1, page_offset: 1, content: "Ada" }],
    });
    const word = { text: "seen", x1: 0.1, x2: 0.2, y1: 0.3, y2: 0.4 };
    await send("PATCH", `/api/documents/${recognised}/`, {
      pages: [{ page_number: 0, text: "seen by an eye", ocr: "tess4", positions: [word] }],
    });
  });

  beforeEach(async () => {
    here = await startTestApp(engine);
    // Users and organizations whose ids the other server also uses, for different ones.
    await addDocuments(here.context, []);
    await addPerson(here.context, { username: "local", password: "any" });
    notes = [];
    waits = [];
  });
  afterEach(() => here[Symbol.asyncDispose]());

  const patience: Patience = {
    nowMilliseconds: () => Date.now(),
    sleep: async (milliseconds) => void waits.push(milliseconds / 1000),
  };

  async function mirror(
    more: Partial<MirrorOptions> = {},
    settings: Partial<Config> = {},
  ): Promise<{ summary: string; leftOut: string | undefined; outcome: MirrorOutcome }> {
    const report = new ImportReport({
      update: () => undefined,
      note: (line) => void notes.push(line),
      finish: () => undefined,
    });
    const context = { ...here.context, config: { ...here.context.config, ...settings } };
    const outcome = await mirrorDocuments(context, {
      api: `${there.url}/api/`,
      selection: {},
      deletes: false,
      ownAssets: `${here.url}/files/`,
      userAgent: "Quire/1.2.3",
      patience,
      signal: new AbortController().signal,
      report,
      ...more,
    });
    const [summary = "", leftOut] = report.summary().split("\n");
    return { summary, leftOut, outcome };
  }

  it("has the records, files, texts, notes, sections, projects and entities that the other server shows", async () => {
    const { summary, leftOut, outcome } = await mirror();
    expect({ summary, leftOut, notes, files: outcome.files }).toEqual({
      summary: "2 documents in",
      leftOut: "Left out: collaborators of projects (1)",
      notes: [],
      files: 2,
    });
    for (const id of [ids.plain, ids.recognised]) {
      const [theirs, ours] = [there, here].map((app) => get(app, `/api/documents/${id}/?${everything}`));
      expect(withoutIds(await ours)).toEqual(withoutIds(await theirs));
      const { slug } = (await theirs) as { slug: string };
      const files = [".pdf", ".txt"].map((kind) => `${slug}${kind}`);
      const ofPages = [".txt", ".position.json"].map((kind) => `pages/${slug}-p1${kind}`);
      for (const name of [...files, ...ofPages]) {
        const [those, these] = [there, here].map((app) => get(app, `/files/documents/${id}/${name}`));
        expect([name, await these]).toEqual([name, await those]);
      }
    }
    const [theirs, ours] = [there, here].map((app) =>
      get(app, `/api/documents/${ids.plain}/entities/?expand=entity&omit=created_at,updated_at`),
    );
    expect(entitiesIn(await ours)).toEqual(entitiesIn(await theirs));
    const found = (await get(here, "/api/documents/search/?q=eye")) as { results: { id: string }[] };
    expect(found.results.map(({ id }) => Number(id))).toEqual([ids.recognised]);
  });

  it("keeps the local people and projects apart from those of the other server", async () => {
    await mirror();
    const record = (await get(here, `/api/documents/${ids.plain}/?expand=user`)) as { user: Json };
    const uuid = ((await get(there, `/api/documents/${ids.plain}/?expand=user`)) as { user: Json }).user[
      "uuid"
    ];
    expect(record.user).toMatchObject({ uuid, username: "owner" });
    const local = await here.context.database.reader
      .selectFrom("users")
      .select("id")
      .where("username", "=", "local")
      .executeTakeFirstOrThrow();
    expect(record.user["id"]).not.toBe(local.id);
  });

  it("fetches only documents that have changed", async () => {
    await mirror();
    const before = await rows(here);
    const again = await mirror();
    expect(again).toMatchObject({
      summary: "0 documents in, 2 known already",
      outcome: { files: 0, gone: 0, deleted: 0 },
    });
    expect(await rows(here)).toEqual(before);

    await send("PATCH", `/api/documents/${ids.plain}/`, {
      source: "A harbour",
      pages: [{ page_number: 1, text: "corrected" }],
    });
    const noted = await send("POST", `/api/documents/${ids.recognised}/notes/`, {
      title: "Late",
      page_number: 0,
      access: "public",
    });
    try {
      const followed = await mirror();
      expect(followed.summary).toBe("0 documents in, 2 brought up to date");
      expect(followed.outcome.files).toBe(0);
      expect(await get(here, `/api/documents/${ids.plain}/`)).toMatchObject({ source: "A harbour" });
      const { slug } = (await get(here, `/api/documents/${ids.plain}/`)) as { slug: string };
      expect(await get(here, `/files/documents/${ids.plain}/pages/${slug}-p2.txt`)).toBe("corrected");
    } finally {
      await send("DELETE", `/api/documents/${ids.recognised}/notes/${String(noted["id"])}/`);
    }
    await mirror();
    const { results } = (await get(here, `/api/documents/${ids.recognised}/notes/`)) as {
      results: unknown[];
    };
    expect(results).toEqual([]);
  });

  it("includes the private documents that an account may see, and keeps them private", async () => {
    const signal = new AbortController().signal;
    const account = { username: "owner", password: "their own", userAgent: "Quire", signal };
    const credentials = new AccountCredentials({ ...account, signIn: `${there.url}/api/` });
    expect(await mirror({ credentials })).toMatchObject({ summary: "3 documents in", leftOut: undefined });
    expect(await rows(here)).toEqual(await rows(there));
    expect((await here.fetch(`/api/documents/${ids.hidden}/`)).status).toBe(404);
    const wrong = new AccountCredentials({ ...account, password: "wrong", signIn: `${there.url}/api/` });
    await expect(mirror({ credentials: wrong })).rejects.toThrow("does not know this username and password");
    await expect(mirror({ credentials: tokenCredentials("quire_wrong") })).rejects.toThrow("status 403");
  });

  it("follows the corrections of mentions in documents that the account may change", async () => {
    const owners = { credentials: tokenCredentials(owner.headers.authorization.replace("Bearer ", "")) };
    const address = `/api/documents/${ids.plain}/mentioned/`;
    const correct = (becomes: string) => send("POST", address, { kind: "email", value, becomes });
    const [value, other, local] = ["ada@example.org", "lovelace@example.org", "here@example.org"];
    const mentioned = async (): Promise<[string, string | null][]> => {
      const { database } = here.context;
      await database.write((writer) => findMentionsAgain(writer, [ids.plain]));
      const { results } = (await get(here, address)) as { results: MentionedValue[] };
      return results.map((one) => [one.value, one.recognised]);
    };
    await correct(other);
    try {
      await mirror(owners);
      expect(await mentioned()).toEqual([[other, value]]);
      const ours = [{ kind: "email", value, becomes: local }] as const;
      await here.context.database.write((writer) => putCorrections(writer, ids.plain, ours));
      await mirror();
      expect(await mentioned()).toEqual([[local, value]]);
      await mirror(owners);
      expect(await mentioned()).toEqual([[other, value]]);
    } finally {
      await correct(value);
    }
    await mirror(owners);
    expect(await mentioned()).toEqual([[value, null]]);
  });

  it("follows the collaborators of projects that the account administers", async () => {
    const helper = await addPerson(there.context, { username: "helper" });
    const address = `/api/projects/${ids.project}/users/`;
    const add = await send("POST", address, { email: "helper@example.org", access: "edit" });
    const owners = { credentials: tokenCredentials(owner.headers.authorization.replace("Bearer ", "")) };
    const collaborators = async (): Promise<string[]> => {
      const found = await here.context.database.reader
        .selectFrom("project_collaborators")
        .innerJoin("users", "users.id", "user_id")
        .select(["username", "access"])
        .orderBy("username")
        .execute();
      return found.map(({ username, access }) => `${username}: ${access}`);
    };
    try {
      await mirror(owners);
      expect(await collaborators()).toEqual(["helper: edit", "owner: admin"]);
      await send("PATCH", `${address}${helper.id}/`, { access: "view" });
      await mirror(owners);
      expect(await collaborators()).toEqual(["helper: view", "owner: admin"]);
    } finally {
      await send("DELETE", `${address}${helper.id}/`);
    }
    // A person with an account here keeps what this server gave them.
    const { id: project_id } = await here.context.database.reader
      .selectFrom("projects")
      .select("id")
      .executeTakeFirstOrThrow();
    const local = await addPerson(here.context, { username: "local too", password: "any" });
    await here.context.database.write((writer) =>
      writer
        .insertInto("project_collaborators")
        .values({ project_id, user_id: local.id, access: "view" })
        .execute(),
    );
    await mirror(owners);
    expect(await collaborators()).toEqual(["local too: view", "owner: admin"]);
    // Without the rights to see them, they stay as they were.
    expect((await mirror()).leftOut).toBe("Left out: collaborators of projects (1)");
    expect(await collaborators()).toEqual(["local too: view", "owner: admin"]);
    expect(add["access"]).toBe("edit");
  });

  it("reports documents that the other server no longer has, and deletes them only on request", async () => {
    const id = await upload("Short-lived", "x", "public");
    await runJobs(there.context);
    await mirror();
    await send("DELETE", `/api/documents/${id}/`);
    expect((await mirror()).outcome).toEqual({ files: 0, gone: 1, deleted: 0 });
    expect(notes).toEqual([`Document ${id}, "Short-lived", is gone there`]);
    expect((await here.fetch(`/api/documents/${id}/`)).status).toBe(200);
    expect((await mirror({ deletes: true })).outcome).toEqual({ files: 0, gone: 1, deleted: 1 });
    expect((await here.fetch(`/api/documents/${id}/`)).status).toBe(404);
    expect(await Array.fromAsync(here.context.files.names(`documents/${id}`))).toEqual([]);
    expect((await mirror()).outcome.gone).toBe(0);
  });

  it("does not touch a local document that has the same id", async () => {
    const form = new FormData();
    form.set("file", new File([buildPdf({ pages: [page] })], "own.pdf"));
    const local = await addPerson(here.context, { username: "writer", organizations: [1], mayWrite: true });
    const answer = await here.fetch("/api/documents/", {
      method: "POST",
      headers: local.headers,
      body: form,
    });
    const { id } = (await answer.json()) as { id: number };
    const [before] = await rows(here);
    const { summary } = await mirror();
    expect(summary).toBe("1 document in, 1 failed");
    expect(notes).toEqual([
      expect.stringContaining("a document with this id is here already, and did not come from"),
    ]);
    expect((await rows(here)).find((row) => row.id === id)).toEqual(before);
  });

  // What follows is about the other server. It writes nothing that the tests above do not write.
  if (!isInFull(engine)) return;

  describe("through a server that fails", () => {
    let between: RemoteServer;
    /** Answers some requests itself and passes the others through. */
    let answer: (url: string, response: http.ServerResponse) => boolean;
    let perPage: number;
    beforeEach(async () => {
      perPage = 100;
      between = await startRemoteServer((request, response) => {
        if (answer(request.url ?? "", response)) return;
        const { host: _host, ...headers } = request.headers;
        http.get(
          `${there.url}${(request.url ?? "").replace("per_page=100", `per_page=${perPage}`)}`,
          { headers: { ...headers, host: new URL(between.url).host } },
          (from) => {
            response.writeHead(from.statusCode ?? 500, from.headers);
            from.pipe(response);
          },
        );
      });
    });
    afterEach(() => between[Symbol.asyncDispose]());

    it("waits as long as the server asks, retries incomplete files, and does not retry in vain", async () => {
      let failures = 0;
      answer = (url, response) => {
        failures += 1;
        if (failures === 1) response.writeHead(429, { "retry-after": "7" }).end();
        else if (url.includes(".pdf") && failures < 20) {
          failures = 20;
          response.writeHead(200, { "content-length": "1000" }).write("%PDF");
          response.destroy();
        } else return false;
        return true;
      };
      expect((await mirror({ api: `${between.url}/api/` })).summary).toBe("2 documents in");
      expect(waits).toEqual([7, 1]);
      await expect(mirror({ api: "http://127.0.0.1:1/api/" })).rejects.toThrow("closed to web requests");
      expect(waits).toEqual([7, 1]);
    });

    it("continues with other documents after one that it cannot read, and does not count that one as gone", async () => {
      answer = () => false;
      const api = `${between.url}/api/`;
      await mirror({ api });
      answer = (url, response) => {
        const isOfOne = url.startsWith(`/api/documents/${ids.plain}/`);
        if (isOfOne) response.writeHead(500).end();
        return isOfOne;
      };
      const { summary, outcome } = await mirror({ api, deletes: true });
      expect([summary, outcome.gone]).toEqual(["0 documents in, 1 known already, 1 failed", 0]);
      expect(notes.at(-1)).toContain("answers with status 500");
      expect(await rows(here)).toHaveLength(2);
    });

    describe("and that names addresses inside the network of this one", () => {
      /** A service that is not public. */
      let inside: RemoteServer;
      const secret = "the record of a service inside the network";
      beforeEach(async () => {
        inside = await startRemoteServer((_request, response) => response.end(secret));
      });
      afterEach(() => inside[Symbol.asyncDispose]());

      it.each([
        ["as the place of files", () => withAssets(there.url, `${inside.url}/`)],
        ["under another name", () => withAssets(there.url, `http://localhost:${inside.port}/`)],
        ["as a number", () => withAssets(there.url, `http://2130706433:${inside.port}/`)],
        ["in a redirect of a PDF", () => redirecting(/\.pdf/, `${inside.url}/x.pdf`)],
        ["in a redirect of texts", () => redirecting(/\.txt\.json/, `${inside.url}/x`)],
        ["in a redirect of positions", () => redirecting(/position/, `${inside.url}/x`)],
        ["on a port of the named server", () => redirecting(/\.pdf/, `http://127.0.0.1:${inside.port}/`)],
      ])("asks none of them, given %s", async (_how, answering) => {
        answer = answering();
        const { summary } = await mirror({ api: `${between.url}/api/` });
        expect(inside.connections()).toBe(0);
        expect(summary).toMatch(/failed/);
        expect(notes.join()).toMatch(
          /cannot be asked: (\S+ is (127.0.0.1|::1), which|127.0.0.1) is not public/,
        );
        for (const { id, asset_url } of await rows(here)) {
          const pdf = await here.fetch(`/files/documents/${id}/`);
          expect([asset_url === null, await pdf.text()]).not.toEqual([true, expect.stringContaining(secret)]);
        }
        const pages = await here.context.database.reader
          .selectFrom("document_pages")
          .select("text")
          .execute();
        expect(JSON.stringify(pages)).not.toContain(secret);
      });

      it("asks those that the setting allows", async () => {
        answer = withAssets(there.url, `${inside.url}/`);
        const fetchAllowedHosts = [{ host: "127.0.0.1", port: inside.port }];
        await mirror({ api: `${between.url}/api/` }, { fetchAllowedHosts });
        expect(inside.connections()).toBeGreaterThan(0);
      });
    });

    it.each([
      [
        "a record with a billion pages",
        () => withRecord(there.url, { page_count: 1_000_000_000, page_spec: "" }),
        "page_count: expected a whole number from 0 to 500000",
      ],
      [
        "texts of more pages than the record says",
        () => withRecord(there.url, { page_count: 1, page_spec: "" }),
        "has texts of more pages than its record says",
      ],
    ])("reports %s", async (_what, answering, reason) => {
      answer = answering();
      // The records that are changed name the files of the server behind.
      const fetchAllowedHosts = [{ host: "127.0.0.1", port: null }];
      const { summary } = await mirror({ api: `${between.url}/api/` }, { fetchAllowedHosts });
      expect([summary, notes]).toEqual([
        expect.stringContaining("2 failed"),
        [expect.stringContaining(reason), expect.stringContaining(reason)],
      ]);
      const pages = here.context.database.reader.selectFrom("document_pages").select("page");
      expect(await pages.execute()).toEqual([]);
    });

    it("copies files that a bucket sends compressed, unless they unpack to more than the limit", async () => {
      answer = (url, response) => {
        if (!url.includes(".pdf")) return false;
        http.get(`${there.url}${url}`, (from) => {
          response.writeHead(200, { "content-encoding": "gzip" });
          from.pipe(createGzip()).pipe(response);
        });
        return true;
      };
      const api = `${between.url}/api/`;
      expect((await mirror({ api })).summary).toBe("2 documents in");
      answer = (url, response) => {
        if (!url.includes(".txt.json")) return false;
        const bomb = gzipSync(Buffer.alloc(3 * 1024 * 1024, " "));
        response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
        return true;
      };
      await send("PATCH", `/api/documents/${ids.plain}/`, { source: "another one" });
      const { summary } = await mirror({ api }, { uploadLimitMb: 1 });
      expect([summary, notes.at(-1)]).toEqual([
        expect.stringContaining("1 failed"),
        expect.stringContaining("has a file of more than 1 MB"),
      ]);
    });

    it("opens few connections for the files of many pages", async () => {
      answer = () => false;
      await mirror({ api: `${between.url}/api/` });
      const files = between.requests.filter(({ url }) => url?.startsWith("/files/"));
      expect(files.length).toBeGreaterThan(4);
      expect(new Set(files.map(({ socket }) => socket)).size).toBe(1);
    });

    it("continues at the page where it stopped", async () => {
      const api = `${between.url}/api/`;
      perPage = 1;
      answer = (url, response) => {
        const isSecond = url.startsWith("/api/documents/?") && url.includes("cursor");
        if (isSecond) response.writeHead(404).end();
        return isSecond;
      };
      await expect(mirror({ api })).rejects.toThrow(OtherServerError);
      expect(await rows(here)).toHaveLength(1);
      const asked: string[] = [];
      answer = (url) => {
        asked.push(url);
        return false;
      };
      expect((await mirror({ api })).summary).toBe("1 document in");
      expect(asked[0]).toContain("cursor");
      expect(notes.at(-1)).toBe(`${api}: going on where the last run stopped`);
      expect(await rows(here)).toHaveLength(2);
    });
  });

  it("understands DocumentCloud's responses: numbered pages, a bucket that refuses tokens, redirects into it", async () => {
    await using bucket = await startRemoteServer(({ url = "", headers }, response) => {
      if (headers.authorization !== undefined) response.writeHead(400).end();
      else respond(response, bucketOfDocumentCloud[url.replace(/\?.*/, "")]);
    });
    await using documentCloud = await startRemoteServer(({ url = "", headers }, response) => {
      if (headers.authorization !== "Bearer t") response.writeHead(403).end();
      else if (url.startsWith("/files/"))
        response.writeHead(302, { location: `${bucket.url}/private/${url.replace("/files/", "")}` }).end();
      else
        respond(
          response,
          answersOfDocumentCloud(documentCloud.url, bucket.url)[
            url
              .replace(/per_page=\d+&?/, "")
              .replace(/expand=[^&]*&?/, "")
              .replace(/\?$/, "")
          ],
        );
    });
    const { summary, leftOut } = await mirror(
      { api: `${documentCloud.url}/api/`, credentials: tokenCredentials("t") },
      { fetchAllowedHosts: [{ host: "127.0.0.1", port: bucket.port }] },
    );
    expect([summary, leftOut, notes]).toEqual([
      "2 documents in",
      "Left out: collaborators of projects (1), positions of pages (1), texts (1)",
      [],
    ]);
    const record = (await get(
      here,
      "/api/documents/20059100/?expand=user,organization,sections,notes,projects",
    )) as Json;
    expect(record).toMatchObject({
      id: 20059100,
      title: "Mueller Report",
      asset_url: expect.stringMatching(/^\/files\/$/),
      user: { username: "jane", uuid: "11111111-2222-4333-8444-555555555555" },
      organization: { slug: "newsroom" },
      notes: [{ title: "Here", x1: 0.1, content: "<p>Look</p>" }],
      sections: [{ page_number: 0, title: "Summary" }],
      projects: [{ title: "Reports" }],
      data: { _tag: ["one"] },
    });
    const text = await get(here, "/files/documents/20059100/mueller-report.txt");
    expect(text).toBe("first page\u{FFFD}\n\nsecond page");
    expect((await rows(here)).map(({ id, access, asset_url }) => [id, access, asset_url])).toEqual([
      [20059100, "public", null],
      [20059101, "private", null],
    ]);
  });
});

/** Redirects the requests for such addresses. */
const redirecting =
  (from: RegExp, to: string) =>
  (url: string, response: http.ServerResponse): boolean => {
    const isRedirected = from.test(url);
    if (isRedirected) response.writeHead(302, { location: to }).end();
    return isRedirected;
  };

/** Answers the requests for records with records whose files are elsewhere. */
const withAssets = (records: string, assets: string): ReturnType<typeof withRecord> =>
  withRecord(records, { file_hash: "", asset_url: assets });

/** Answers the requests for records with records that have other members. */
const withRecord =
  (records: string, members: Json) =>
  (url: string, response: http.ServerResponse): boolean => {
    const isRecord = /^\/api\/documents\/\d+\/\?/.test(url);
    if (isRecord) void sendRecord(`${records}${url}`, members, response);
    return isRecord;
  };

async function sendRecord(from: string, members: Json, response: http.ServerResponse): Promise<void> {
  const record = (await (await fetch(from)).json()) as Json;
  response.end(JSON.stringify({ ...record, ...members }));
}

function respond(response: http.ServerResponse, text: string | undefined): void {
  response.writeHead(text === undefined ? 404 : 200, { "content-type": "application/json" }).end(text);
}

const emptyPdf = Buffer.from(buildPdf({ pages: [page, page] })).toString("latin1");

const textsOfDocumentCloud = [
  { page: 0, contents: "first page\0", ocr: null, updated: 1598961600000 },
  { page: 1, contents: "second page", ocr: "tess4", lang: "eng", updated: 1598961600000 },
];

const bucketOfDocumentCloud: Record<string, string> = {
  "/public/documents/20059100/mueller-report.pdf": emptyPdf,
  "/public/documents/20059100/mueller-report.txt.json": JSON.stringify({
    updated: 1,
    pages: textsOfDocumentCloud,
  }),
  "/private/documents/20059101/secret.pdf": emptyPdf,
};

/** A page of a numbered list. */
function pageOf(results: unknown[], { next = null as string | null, count = results.length } = {}): string {
  return JSON.stringify({ count, next, previous: null, results });
}

/** A public and a private document with the members of DocumentCloud's responses, by their addresses. */
function answersOfDocumentCloud(url: string, bucket: string): Record<string, string> {
  const times = { created_at: "2020-09-01T12:00:00.123456Z", updated_at: "2020-09-02T12:00:00.123456Z" };
  const user = {
    id: 100,
    avatar_url: "https://example.org/a.png",
    name: "Jane",
    username: "jane",
    uuid: "11111111-2222-4333-8444-555555555555",
    organization: 200,
    organizations: [200],
    admin_organizations: [],
    verified_journalist: true,
  };
  const organization = {
    id: 200,
    avatar_url: "",
    individual: false,
    name: "Newsroom",
    slug: "newsroom",
    uuid: "21111111-2222-4333-8444-555555555555",
  };
  const record = recordOf({
    id: 20059100,
    asset_url: `${bucket}/public/`,
    canonical_url: `${url}/documents/20059100-mueller-report`,
    data: { _tag: ["one"] },
    description: "A report",
    page_count: 2,
    page_spec: "612.0x792.0:0-1",
    projects: [300],
    slug: "mueller-report",
    title: "Mueller Report",
    ...times,
  });
  const box = { x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2 };
  const note = {
    id: 7,
    page_number: 0,
    access: "public",
    title: "Here",
    content: "<p>Look</p>",
    ...box,
    ...times,
  };
  const sections = [{ id: 3, page_number: 0, title: "Summary" }];
  const secret = {
    ...record,
    id: 20059101,
    access: "private",
    asset_url: `${url}/files/`,
    canonical_url: `${url}/documents/20059101-secret`,
    projects: [],
    slug: "secret",
    title: "Secret",
  };
  const project = {
    id: 300,
    description: "",
    edit_access: null,
    add_remove_access: null,
    private: false,
    slug: "reports",
    title: "Reports",
    user: 100,
    pinned: false,
    ...times,
  };
  return {
    "/api/documents/": pageOf([{ ...record, user: 100, organization: 200 }], {
      next: `${url}/api/documents/?page=2`,
      count: 2,
    }),
    "/api/documents/?page=2": pageOf([{ ...secret, user: 100, organization: 200 }], { count: 2 }),
    "/api/documents/20059100/": JSON.stringify({
      ...record,
      user,
      organization,
      notes: [{ ...note, user, organization, edit_access: false }],
      sections,
    }),
    "/api/documents/20059101/": JSON.stringify({ ...secret, user, organization, notes: [], sections: [] }),
    "/api/documents/20059100/entities/": pageOf([]),
    "/api/documents/20059101/entities/": pageOf([]),
    "/api/projects/300/": JSON.stringify(project),
    "/api/projects/300/users/": pageOf([]),
    "/api/users/100/": JSON.stringify(user),
  };
}

/**
 * A record whose people and organizations have only the members that identify them. Their ids may differ here, and a
 * user's memberships are not copied.
 */
function withoutIds(record: unknown): unknown {
  return JSON.parse(JSON.stringify(record), (_name, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const { uuid, username, name, slug, ...rest } = value as Json;
    if (uuid !== undefined) return { uuid, username, name, slug };
    return "pinned" in rest ? { ...(value as Json), user: 0 } : value;
  });
}

function entitiesIn(list: unknown): unknown {
  const { results } = list as { results: { entity: Json }[] };
  return results.map(({ entity, ...rest }) => {
    const { created_at: _created, updated_at: _updated, id: _id, user: _user, ...same } = entity;
    return [rest, same];
  });
}
