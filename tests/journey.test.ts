import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildBrokenPdf, buildPdf } from "../src/testing/pdf.ts";
import { type RemoteServer, startRemoteServer } from "../src/testing/remote-server.ts";
import { serveOn } from "../src/testing/served.ts";
import { defaultEngines } from "../src/testing/test-app.ts";
import { Client, type Json, type PlainFile, Refused, mentionsIn, timeOf } from "./journey/client.ts";
import { type Served, serveFor } from "./journey/world.ts";

/*
 * A script that was written for DocumentCloud and has only its two addresses changed. It sends the requests of
 * DocumentCloud's Python client, and relies on the same members of the answers.
 */

const pdfOf = (...texts: string[]): Uint8Array =>
  buildPdf({ pages: texts.map((text) => ({ width: 612, height: 792, lines: text.split("\n") })) });

const boardMinutes = pdfOf(
  "Minutes of the harbour board\nThe dredger was leased",
  "The dredger sank",
  "Applause",
);
const folder: PlainFile[] = Array.from({ length: 30 }, (_, index) => ({
  // The titles are in no order.
  title: `Ledger ${(index * 7) % 30}`,
  bytes: pdfOf(`Ledger of quay ${(index * 7) % 30}\nDues were paid`),
}));

const titlesOf = (items: Json[]): string[] => items.map(({ title }) => title as string);

const widths = { xlarge: 2000, large: 1000, normal: 700, small: 180, thumbnail: 60 };

/** A Node option that sets the clock of a process ahead of this one's. */
function clockAhead(minutes: number): string {
  const code = `const D = Date; const now = () => D.now() + ${minutes * 60_000};
    globalThis.Date = class extends D {
      constructor(...given) { super(...(given.length === 0 ? [now()] : given)); }
      static now() { return now(); }
    };`;
  return `--import=data:text/javascript,${encodeURIComponent(code)}`;
}

describe.each(defaultEngines)("a script for DocumentCloud against Quire on %s", (engine) => {
  let server: Served;
  let remote: RemoteServer;
  let ana: Client;
  let ben: Client;
  let nobody: Client;
  const files: Record<"one" | "fetched", Json> = { one: null, fetched: null };
  let ledgers: Json[] = [];

  const clientOf = (index?: number, now?: () => number): Client =>
    new Client({
      api: `${server.url}/api/`,
      accounts: `${server.url}/api/`,
      ...(index === undefined ? {} : { account: server.accounts[index] ?? { username: "", password: "" } }),
      ...(now === undefined ? {} : { now }),
    });

  beforeAll(async () => {
    remote = await startRemoteServer((request, response) => {
      const isThere = request.url === "/report.pdf";
      response.writeHead(isThere ? 200 : 404, { "content-type": "application/pdf" });
      response.end(isThere ? pdfOf("A report from elsewhere") : "");
    });
    const organization = "The Harbour Paper";
    server = await serveFor(
      engine,
      [
        { username: "ana", name: "Ana Lima", organization },
        { username: "ben", name: "Ben Okri", organization },
      ],
      { QUIRE_FETCH_ALLOWED_HOSTS: "127.0.0.1" },
    );
    [ana, ben, nobody] = [clientOf(0), clientOf(1), clientOf()];
    const [one, many, fetched] = await Promise.all([
      ana.upload(
        { title: "Board minutes", bytes: boardMinutes },
        { source: "The board", data: { year: ["2024"] } },
      ),
      ana.uploadFolder(folder, { access: "public" }),
      ana.json("POST", "documents/", { title: "Report", file_url: `${remote.url}/report.pdf` }),
    ]);
    files.one = await ana.finished(one.id);
    ledgers = [];
    for (const { id } of many) ledgers.push(await ana.finished(id));
    files.fetched = await ana.finished(fetched.id);
  });
  afterAll(async () => {
    await remote[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  it("signs in, is refused with a wrong password, and sees its user", async () => {
    const [account] = server.accounts;
    const wrong = new Client({
      api: `${server.url}/api/`,
      accounts: `${server.url}/api/`,
      account: { username: account?.username ?? "", password: "wrong" },
    });
    await expect(wrong.json("GET", "users/me/")).rejects.toMatchObject({
      status: 401,
      body: { detail: "No active account found with the given credentials" },
    });
    expect(await ana.json("GET", "users/me/")).toMatchObject({
      username: "ana",
      name: "Ana Lima",
      email: "ana@example.org",
      verified_journalist: true,
    });
    await expect(nobody.json("GET", "users/me/")).rejects.toMatchObject({
      status: 403,
      body: { detail: "Authentication credentials were not provided." },
    });
  });

  describe("with tokens", () => {
    it("requests another one shortly before the five minutes are over", async () => {
      let time = Date.now();
      const client = clientOf(0, () => time);
      await client.json("GET", "users/me/");
      time += 260_000;
      await client.json("GET", "users/me/");
      expect(client.asked).toEqual({ token: 1, refresh: 0 });
      time += 20_000;
      await client.json("GET", "users/me/");
      await client.json("GET", "users/me/");
      expect(client.asked.refresh).toBeGreaterThanOrEqual(1);
      expect(client.asked.token).toBe(1);
    });

    it("is refused with an invalid one even for public documents, refreshes, and gets its answer", async () => {
      const client = clientOf(0);
      await client.json("GET", "users/me/");
      client.spoilAccess();
      expect((await client.json("GET", "documents/?per_page=1")).results).toHaveLength(1);
      expect(client.asked).toEqual({ token: 1, refresh: 1 });
      const headers = { authorization: "Bearer not.a.token" };
      const answer = await fetch(`${server.url}/api/documents/`, { headers });
      expect([answer.status, ((await answer.json()) as Json).code]).toEqual([403, "token_not_valid"]);
    });

    it("refreshes after the access token expired, and signs in again after both did", async () => {
      const early = clientOf(0);
      await early.json("GET", "users/me/");
      const tokens = early.tokens();
      for (const [minutesLater, asked] of [
        [10, { token: 0, refresh: 1 }],
        [60 * 25, { token: 1, refresh: 1 }],
      ] as const) {
        await using later = await serveOn(server.config, { NODE_OPTIONS: clockAhead(minutesLater) });
        const base = `${later.url}/api/`;
        const client = new Client({ api: base, accounts: base, account: server.accounts[0] as never });
        client.goOnWith(tokens);
        expect((await client.json("GET", "users/me/")).username).toBe("ana");
        expect(client.asked).toEqual(asked);
      }
    });
  });

  it("reads what it has uploaded: the record, the PDF, text, words and images", async () => {
    const { one } = files;
    expect(one).toMatchObject({
      title: "Board minutes",
      slug: "board-minutes",
      status: "success",
      access: "private",
      page_count: 3,
      page_spec: "612.00x792.00:0-2",
      source: "The board",
      data: { year: ["2024"] },
      edit_access: true,
      file_hash: createHash("sha1").update(boardMinutes).digest("hex"),
    });
    expect(Buffer.from(await ana.asset(one, "{slug}.pdf")).equals(boardMinutes)).toBe(true);
    const pages = ["Minutes of the harbour board\nThe dredger was leased", "The dredger sank", "Applause"];
    expect(await ana.assetText(one, "{slug}.txt")).toBe(pages.join("\n\n"));
    expect(await ana.assetText(one, "pages/{slug}-p2.txt")).toBe(pages[1]);
    const text = JSON.parse(await ana.assetText(one, "{slug}.txt.json"));
    expect(text.updated).toEqual(expect.any(Number));
    expect(text.pages).toMatchObject(
      pages.map((contents, page) => ({
        page,
        contents,
        ocr: null,
        lang: "eng",
        updated: expect.any(Number),
      })),
    );
    const words = JSON.parse(await ana.assetText(one, "pages/{slug}-p2.position.json")) as Json[];
    expect(words.map((word) => word.text)).toEqual(["The", "dredger", "sank"]);
    for (const { x1, x2, y1, y2 } of words) {
      expect([x1 < x2, y1 < y2, x1 >= 0, x2 <= 1, y1 >= 0, y2 <= 1]).not.toContain(false);
    }
    for (const [size, width] of Object.entries(widths)) {
      const gif = Buffer.from(await ana.asset(one, `pages/{slug}-p3-${size}.gif`));
      expect([size, gif.toString("latin1", 0, 4), gif.readUInt16LE(6)]).toEqual([size, "GIF8", width]);
    }
    for (const who of [ben, nobody]) {
      await expect(who.asset(one, "{slug}.txt")).rejects.toMatchObject({ status: 404 });
      await expect(who.document(one.id)).rejects.toMatchObject({
        status: 404,
        body: { detail: "Not found." },
      });
    }
    await expect(ana.asset(one, "pages/{slug}-p4.txt")).rejects.toMatchObject({ status: 404 });
  });

  it("uploads a folder in groups, each file to the record with its title", async () => {
    expect(ledgers).toHaveLength(30);
    for (const ledger of ledgers) {
      expect([ledger.status, ledger.page_count]).toEqual(["success", 1]);
      const number = ledger.title.replace("Ledger ", "");
      expect(await nobody.assetText(ledger, "{slug}.txt")).toBe(`Ledger of quay ${number}\nDues were paid`);
    }
    const tooMany = folder.slice(0, 26).map(({ title }) => ({ title }));
    await expect(ana.json("POST", "documents/", tooMany)).rejects.toMatchObject({
      status: 400,
      body: { non_field_errors: ["Bulk API operations are limited to 25 at a time"] },
    });
  });

  it("can send the bytes of a file with any content type, or without one", async () => {
    const { id, presigned_url: address } = await ana.json("POST", "documents/", { title: "Of any type" });
    for (const type of ["", "no type", "application/json", "multipart/form-data", "application/pdf"]) {
      const headers = { "content-type": type };
      const body = boardMinutes as Uint8Array<ArrayBuffer>;
      expect([type, (await fetch(address, { method: "PUT", headers, body })).status]).toEqual([type, 200]);
    }
    await ana.json("DELETE", `documents/${id}/`);
  });

  it("has a file fetched from an address, and gets an error if there is no such file", async () => {
    expect(files.fetched).toMatchObject({ status: "success", page_count: 1 });
    expect(files.fetched).not.toHaveProperty("presigned_url");
    expect(await ana.assetText(files.fetched, "{slug}.txt")).toBe("A report from elsewhere");
    const lost = await ana.json("POST", "documents/", { title: "Lost", file_url: `${remote.url}/lost.pdf` });
    expect((await ana.finished(lost.id)).status).toBe("error");
    const [fault] = await ana.all(`documents/${lost.id}/errors/`);
    expect(fault.message).toMatch(/./);
    timeOf(fault.created_at);
  });

  it("learns what is wrong with a broken file, and replaces it", async () => {
    const made = await ana.upload({ title: "Broken", bytes: buildBrokenPdf() });
    const broken = await ana.finished(made.id);
    expect([broken.status, broken.page_count]).toEqual(["error", 0]);
    const [fault] = await ana.all(`documents/${made.id}/errors/`);
    expect(fault.message).toMatch(/./);
    timeOf(fault.created_at);
    await ana.json("DELETE", `documents/${made.id}/`);
    await expect(ana.document(made.id)).rejects.toMatchObject({ status: 404 });
  });

  it("walks lists to their ends by their links", async () => {
    const all = await ana.all("documents/?per_page=7");
    const ids = all.map(({ id }) => id as number);
    expect(ids).toEqual(ids.toSorted((one, other) => one - other));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining([files.one.id, files.fetched.id, ...ledgers.map(({ id }) => id)]),
    );
    const newest = await ana.all("documents/?per_page=7&ordering=-created_at");
    expect(newest.map(({ created_at: at }) => at as string)).toEqual(
      newest
        .map(({ created_at: at }) => at as string)
        .toSorted()
        .toReversed(),
    );
    expect(newest).toHaveLength(all.length);
    expect(await nobody.all("documents/?per_page=7")).toHaveLength(30);
    const some = [ledgers[3], ledgers[4]].map(({ id }) => id as number);
    const found = await ana.all(`documents/?id__in=${some.join(",")}`);
    expect(found.map(({ id }) => id)).toEqual(some.toSorted((one, other) => one - other));
  });

  it("searches, with mentions, to the end", async () => {
    const [found, ...others] = await ana.all("documents/search/?q=dredger&hl=true");
    expect(others).toEqual([]);
    expect([found.id, found.title]).toEqual([String(files.one.id), "Board minutes"]);
    timeOf(found.created_at);
    expect(mentionsIn(found)).toEqual([
      { page: 1, text: expect.stringContaining("<em>dredger</em>") },
      { page: 2, text: expect.stringContaining("<em>dredger</em>") },
    ]);
    // The client's own name for this option is not a parameter of the server.
    const [plain] = await ana.all("documents/search/?q=dredger&mentions=true");
    expect(plain.highlights).toBeNull();
    for (const who of [ben, nobody]) expect(await who.all("documents/search/?q=dredger")).toEqual([]);
    const dues = await nobody.all("documents/search/?q=dues&per_page=8&sort=title");
    const titles = folder.map(({ title }) => title).toSorted();
    expect(dues.map(({ title }) => title)).toEqual(titles);
    expect((await nobody.json("GET", "documents/search/?q=dues&per_page=8")).count).toBe(30);
    const quays = '"quay 7" OR "quay 8" AND NOT "quay 9"';
    const query = new URLSearchParams({ q: quays, user: String(files.one.user), version: "2.0" });
    expect(titlesOf(await ana.all(`documents/search/?${query.toString()}`)).toSorted()).toEqual([
      "Ledger 7",
      "Ledger 8",
    ]);
    const byData = await ana.all("documents/search/?q=data_year:2024");
    expect(byData.map(({ title }) => title)).toEqual(["Board minutes"]);
    expect(await ana.json("GET", `documents/${files.one.id}/search/?q=sank`)).toEqual({
      page_no_2: ["The dredger <em>sank</em>"],
    });
    await expect(ben.json("GET", `documents/${files.one.id}/search/?q=sank`)).rejects.toMatchObject({
      status: 404,
    });
  });

  it("writes notes on pages and on regions of pages, changes and deletes them", async () => {
    const path = `documents/${files.one.id}/notes/`;
    const region = { x1: 0.1, x2: 0.5, y1: 0.2, y2: 0.3 };
    const page = await ana.json("POST", path, { title: "On the page", page_number: 0, access: "private" });
    const note = await ana.json("POST", path, {
      title: "A box",
      content: "<b>Who</b> leased it?",
      page_number: 1,
      access: "organization",
      ...region,
    });
    expect(page).toMatchObject({ x1: null, y2: null, access: "private", edit_access: true });
    expect(note).toMatchObject({ ...region, content: "<b>Who</b> leased it?", user: files.one.user });
    timeOf(note.created_at);
    expect((await ana.all(path)).map(({ title }) => title)).toEqual(["On the page", "A box"]);
    const saved = await ana.json("PUT", `${path}${note.id}/`, { ...note, title: "The box" });
    expect(saved).toMatchObject({ title: "The box", access: "organization", ...region });
    const { notes } = await ana.document(files.one.id, "?expand=notes,user");
    expect(notes.map(({ title }: Json) => title)).toEqual(["On the page", "The box"]);
    await expect(ana.json("POST", path, { title: "x", page_number: 3 })).rejects.toMatchObject({
      status: 400,
      body: { page_number: ["Must be a valid page for the document"] },
    });
    await expect(ana.json("POST", path, { title: "x", page_number: 0, x1: 0.5 })).rejects.toBeInstanceOf(
      Refused,
    );
    for (const { id } of [page, note]) expect(await ana.json("DELETE", `${path}${id}/`)).toBeNull();
    expect(await ana.all(path)).toEqual([]);
  });

  it("divides a document into sections", async () => {
    const path = `documents/${files.one.id}/sections/`;
    const last = await ana.json("POST", path, { page_number: 2, title: "The end" });
    await ana.json("POST", path, { page_number: 0, title: "The beginning" });
    await ana.json("PUT", `${path}${last.id}/`, { ...last, title: "Applause" });
    const sections = await ana.all(path);
    expect(titlesOf(sections).toSorted()).toEqual(["Applause", "The beginning"]);
    await expect(ana.json("POST", path, { page_number: 2, title: "Twice" })).rejects.toMatchObject({
      status: 400,
    });
    for (const { id } of sections) await ana.json("DELETE", `${path}${id}/`);
    expect(await ana.all(path)).toEqual([]);
  });

  it("keeps data by keys, and tags", async () => {
    const path = `documents/${files.one.id}/data/`;
    expect(await ana.json("GET", path)).toEqual({ year: ["2024"] });
    await ana.json("PUT", `${path}_tag/`, { values: ["harbour", "leases"] });
    expect(await ana.json("PATCH", `${path}_tag/`, { values: ["board"], remove: ["leases"] })).toEqual({
      year: ["2024"],
      _tag: ["harbour", "board"],
    });
    expect(await ana.json("GET", `${path}_tag/`)).toEqual(["harbour", "board"]);
    expect((await ana.all("documents/search/?q=tag:harbour")).map(({ id }) => id)).toEqual([
      String(files.one.id),
    ]);
    expect(await ana.json("DELETE", `${path}_tag/`)).toBeNull();
    expect((await ana.document(files.one.id)).data).toEqual({ year: ["2024"] });
  });

  it("collects documents in projects", async () => {
    const me = await ana.json("GET", "users/me/");
    const made = await ana.json("POST", "projects/", {
      title: "The harbour",
      description: "",
      private: true,
    });
    expect(made).toMatchObject({ user: me.id, private: true, edit_access: true, add_remove_access: true });
    expect(await ana.all(`projects/?user=${me.id}`)).toMatchObject([{ id: made.id }]);
    const query = new URLSearchParams({ title: "The harbour", user: String(me.id) });
    expect(await ana.all(`projects/?${query.toString()}`)).toMatchObject([
      { id: made.id, title: "The harbour" },
    ]);
    const path = `projects/${made.id}/documents/`;
    const ids = ledgers.map(({ id }) => id as number);
    for (const group of [ids.slice(0, 25), ids.slice(25), [files.one.id]]) {
      await ana.json(
        "PATCH",
        path,
        group.map((document) => ({ document })),
      );
    }
    const inside = await ana.all(`${path}?per_page=100&expand=document`);
    expect(inside.map(({ document }) => document.id)).toEqual(
      [files.one.id, ...ids].toSorted((one, other) => other - one),
    );
    for (const { document } of inside) {
      timeOf(document.created_at);
      expect(document).not.toHaveProperty("presigned_url");
    }
    // The client omits the slash at the end and follows the redirect.
    const [first = 0] = ids;
    expect(await ana.json("GET", `${path}${first}`)).toEqual({ document: first, edit_access: true });
    expect((await ana.document(first)).projects).toEqual([made.id]);
    expect(await ana.all(`documents/?project=${made.id}&per_page=1000`)).toHaveLength(31);
    expect((await ana.json("GET", `documents/search/?q=dues&project=${made.id}`)).count).toBe(30);
    await expect(ben.json("GET", `projects/${made.id}/`)).rejects.toMatchObject({ status: 404 });
    expect(await ana.json("PUT", path, [{ document: first }])).toEqual([
      { document: first, edit_access: true },
    ]);
    expect(await ana.json("PUT", path, [])).toEqual([]);
    expect((await ana.json("GET", path)).count).toBe(0);
    const saved = await ana.json("PUT", `projects/${made.id}/`, {
      description: "Ships",
      private: false,
      title: "The port",
    });
    expect(saved).toMatchObject({
      title: "The port",
      description: "Ships",
      private: false,
      slug: "the-harbour",
    });
    expect(await ana.json("DELETE", `projects/${made.id}/`)).toBeNull();
  });

  it("looks up people and organizations", async () => {
    const me = await ana.json("GET", "users/me/");
    const organization = await ana.json("GET", `organizations/${me.organization}/`);
    expect(organization).toMatchObject({
      name: "The Harbour Paper",
      slug: "the-harbour-paper",
      individual: false,
    });
    const users = await ana.all(`users/?organization=${me.organization}`);
    expect(users.map(({ name }) => name)).toEqual(["Ana Lima", "Ben Okri"]);
    expect(await ana.json("GET", `users/${users[1].id}/`)).toMatchObject({ username: "ben" });
    expect((await ana.all("organizations/")).map(({ id }) => id)).toContain(me.organization);
    const expanded = await ana.document(files.one.id, "?expand=user,organization");
    expect([expanded.user.name, expanded.organization.name]).toEqual(["Ana Lima", "The Harbour Paper"]);
    for (const target of ["users/", "organizations/"]) {
      await expect(nobody.json("GET", target)).rejects.toMatchObject({ status: 403 });
    }
  });

  it("saves a whole document, shares it, and deletes it", async () => {
    const made = await ana.upload(
      { title: "To be shared", bytes: Buffer.from("A plain text") },
      { original_extension: "txt" },
    );
    const document = await ana.finished(made.id);
    expect(document.status).toBe("success");
    expect(await ana.assetText(document, "{slug}.txt")).toContain("A plain text");
    const saved = await ana.save({ ...document, source: "A friend", access: "organization" });
    expect(saved).toMatchObject({ source: "A friend", access: "organization", original_extension: "txt" });
    expect(await ben.assetText(await ben.document(made.id), "{slug}.txt")).toContain("A plain text");
    await expect(ana.save({ ...document, title: " " })).rejects.toMatchObject({
      status: 400,
      body: { title: ["This field may not be blank."] },
    });
    await expect(ben.json("DELETE", `documents/${ledgers[0].id}/`)).resolves.toBeNull();
    await expect(nobody.json("DELETE", `documents/${made.id}/`)).rejects.toMatchObject({ status: 403 });
    expect(await ana.json("DELETE", `documents/${made.id}/`)).toBeNull();
    for (const who of [ana, ben]) await expect(who.document(made.id)).rejects.toMatchObject({ status: 404 });
    expect(await ana.all("documents/search/?q=title:shared")).toEqual([]);
  });
});
