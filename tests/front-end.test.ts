import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPdf } from "../src/testing/pdf.ts";
import { defaultEngines } from "../src/testing/test-app.ts";
import { Client, type Json, timeOf } from "./journey/client.ts";
import { type Served, serveFor } from "./journey/world.ts";

/*
 * The requests that the pages of documentcloud.org send to their API, with a session and its token, and the members of
 * the answers that they read.
 */

const pdf = buildPdf({
  pages: ["A letter to the mayor", "Yours sincerely"].map((line) => ({
    width: 612,
    height: 792,
    lines: [line],
  })),
});

interface Call {
  method: string;
  /** The path below /api/. Names such as `{document}` stand for ids. */
  path: string;
  sent?: unknown;
  status: number;
  /** Paths of the members that the answer must contain, with dots. */
  reads?: string;
}

const pageOf = (members: string): string =>
  ["next previous", ...members.split(" ").map((name) => `results.0.${name}`)].join(" ");
const user = "id uuid name username avatar_url";
const me =
  `${user} organizations admin_organizations verified_journalist feature_level email ` +
  "organization.id organization.name organization.slug organization.individual organization.plan " +
  "organization.monthly_credits organization.purchased_credits organization.monthly_credit_allowance " +
  "organization.credit_reset_date";
const note =
  "id title content page_number access edit_access x1 x2 y1 y2 created_at updated_at user organization";
const projectMembers =
  "id title slug description private edit_access add_remove_access pinned user updated_at";
const documentMembers =
  "id title slug access status page_count page_spec data asset_url canonical_url created_at updated_at description " +
  "source edit_access noindex user organization projects";

const calls: Call[] = [
  {
    method: "GET",
    path: "documents/search/?expand=user,organization,projects&q=mayor&hl=true&per_page=5&version=2.0&project={project}",
    status: 200,
    reads:
      `count escaped ${pageOf(`${documentMembers} notes highlights.page_no_1.0 user.name user.username`)} ` +
      "results.0.organization.name results.0.organization.individual results.0.projects.0.title results.0.projects.0.id",
  },
  { method: "GET", path: "documents/{document}/search/?q=mayor&hl=true", status: 200, reads: "page_no_1.0" },
  {
    method: "GET",
    path: "documents/{document}/?expand=user,organization,projects,revisions,sections,notes.user",
    status: 200,
    reads:
      `${documentMembers} user.name organization.name projects.0.title sections.0.title sections.0.page_number ` +
      "notes.0.user.name notes.0.edit_access notes.0.page_number",
  },
  { method: "GET", path: "documents/?id__in={document}", status: 200, reads: pageOf("id status") },
  {
    method: "POST",
    path: "documents/",
    sent: [{ title: "New" }],
    status: 201,
    reads: "0.id 0.presigned_url",
  },
  { method: "POST", path: "documents/", sent: { title: "New" }, status: 201, reads: "id presigned_url" },
  {
    method: "POST",
    path: "documents/process/",
    sent: [{ id: "{second}", force_ocr: false, ocr_engine: "tess4" }],
    status: 200,
  },
  { method: "DELETE", path: "documents/{spare}/", status: 204 },
  { method: "DELETE", path: "documents/?id__in={other}", status: 204 },
  {
    method: "PATCH",
    path: "documents/{document}/",
    sent: { source: "Mail" },
    status: 200,
    reads: documentMembers,
  },
  {
    method: "PATCH",
    path: "documents/",
    sent: [{ id: "{document}", description: "As text" }],
    status: 200,
    reads: "0.id 0.description",
  },
  {
    method: "PATCH",
    path: "documents/{document}/data/_tag/",
    sent: { values: ["post"] },
    status: 200,
    reads: "_tag.0",
  },
  {
    method: "PUT",
    path: "documents/{document}/data/year/",
    sent: { values: ["1"], remove: [] },
    status: 200,
    reads: "year.0",
  },
  { method: "GET", path: "documents/{document}/data/year/", status: 200, reads: "0" },
  {
    method: "POST",
    path: "documents/{third}/redactions/",
    sent: [{ page_number: 0, x1: 0.1, x2: 0.2, y1: 0.1, y2: 0.2 }],
    status: 201,
    reads: "0.page_number 0.x1 0.x2 0.y1 0.y2",
  },
  { method: "GET", path: "documents/pending/", status: 200 },
  {
    method: "GET",
    path: "documents/{document}/notes/?expand=user,organization",
    status: 200,
    reads: pageOf(`${note} user.name organization.name`),
  },
  {
    method: "GET",
    path: "documents/{document}/notes/{note}/?expand=user,organization",
    status: 200,
    reads: `${note} user.name organization.name`,
  },
  {
    method: "POST",
    path: "documents/{document}/notes/",
    sent: {
      title: "Here",
      content: "",
      page_number: 0,
      access: "public",
      x1: 0.1,
      x2: 0.2,
      y1: 0.1,
      y2: 0.2,
    },
    status: 201,
    reads: note,
  },
  {
    method: "PATCH",
    path: "documents/{document}/notes/{note}/",
    sent: { title: "There" },
    status: 200,
    reads: note,
  },
  { method: "DELETE", path: "documents/{document}/notes/{note}/", status: 204 },
  {
    method: "GET",
    path: "documents/{document}/sections.json",
    status: 200,
    reads: pageOf("id page_number title"),
  },
  {
    method: "GET",
    path: "documents/{document}/sections/{section}/",
    status: 200,
    reads: "id page_number title",
  },
  {
    method: "POST",
    path: "documents/{document}/sections/",
    sent: { page_number: 1, title: "End" },
    status: 201,
    reads: "id page_number title",
  },
  {
    method: "PATCH",
    path: "documents/{document}/sections/{section}/",
    sent: { title: "Start" },
    status: 200,
    reads: "id page_number title",
  },
  { method: "DELETE", path: "documents/{document}/sections/{section}/", status: 204 },
  { method: "GET", path: "projects/{project}/", status: 200, reads: projectMembers },
  ...[
    "query=let&cursor=&per_page=5&owned_by_user=true",
    "user={me}&query=&per_page=100",
    "pinned=true&per_page=100",
  ].map((query) => ({
    method: "GET",
    path: `projects/?${query}`,
    status: 200,
    reads: pageOf(projectMembers),
  })),
  { method: "GET", path: "projects/?is_shared=true", status: 200, reads: "results next previous" },
  {
    method: "POST",
    path: "projects/",
    sent: { title: "Bills", private: true },
    status: 201,
    reads: projectMembers,
  },
  {
    method: "PATCH",
    path: "projects/{project}/",
    sent: { pinned: false },
    status: 200,
    reads: projectMembers,
  },
  {
    method: "PATCH",
    path: "projects/{project}/",
    sent: { title: "Post" },
    status: 200,
    reads: projectMembers,
  },
  {
    method: "GET",
    path: "projects/{project}/documents/?expand=user,organization,document&ordering=-created_at&per_page=12",
    status: 200,
    reads: `count ${pageOf("edit_access document.id document.title")}`,
  },
  {
    method: "DELETE",
    path: "projects/{project}/documents/?document_id__in={document}",
    status: 204,
  },
  {
    method: "POST",
    path: "projects/{project}/documents/",
    sent: [{ document: "{document}" }],
    status: 201,
    reads: "0.document 0.edit_access",
  },
  {
    method: "GET",
    path: "projects/{project}/users/?expand=user",
    status: 200,
    reads: pageOf("user.id user.name access"),
  },
  {
    method: "POST",
    path: "projects/{project}/users/",
    sent: { email: "BEN@example.org", access: "edit" },
    status: 201,
    reads: "user access",
  },
  {
    method: "PATCH",
    path: "projects/{project}/users/{ben}/",
    sent: { user: "{ben}", access: "view" },
    status: 200,
    reads: "user access",
  },
  { method: "DELETE", path: "projects/{project}/users/{ben}/", status: 204 },
  { method: "DELETE", path: "projects/{project}/", status: 204 },
  { method: "GET", path: "users/me/?expand=organization", status: 200, reads: me },
  {
    method: "PATCH",
    path: "users/me/",
    sent: { organization: "{organization}" },
    status: 200,
    reads: "organization",
  },
  {
    method: "GET",
    path: "organizations/?id__in={organization}",
    status: 200,
    reads: pageOf("id name slug uuid"),
  },
  {
    method: "GET",
    path: "organizations/?individual=false",
    status: 200,
    reads: pageOf("id name individual"),
  },
  {
    method: "GET",
    path: "organizations/{organization}/",
    status: 200,
    reads: "id name slug plan monthly_credits",
  },
  {
    method: "GET",
    path: "users/?organization={organization}&per_page=100",
    status: 200,
    reads: pageOf(user),
  },
  { method: "POST", path: "users/mailkey/", status: 404 },
  { method: "DELETE", path: "users/mailkey/", status: 404 },
  { method: "GET", path: "documents/search/saved/", status: 200, reads: pageOf("uuid name query") },
  {
    method: "POST",
    path: "documents/search/saved/",
    sent: { name: "Mayors", query: "mayor" },
    status: 201,
    reads: "uuid name query",
  },
  {
    method: "PATCH",
    path: "documents/search/saved/{search}/",
    sent: { name: "M" },
    status: 200,
    reads: "uuid name",
  },
  { method: "DELETE", path: "documents/search/saved/{search}/", status: 204 },
  { method: "GET", path: "flatpages/tipofday/", status: 404 },
  { method: "GET", path: "flatpages/about/", status: 404 },
  {
    method: "GET",
    path: "oembed/?url={page}",
    status: 200,
    reads: "html title width height type version provider_name",
  },
  {
    method: "GET",
    path: "oembed.json?url={page}&maxwidth=300",
    status: 200,
    reads: "html title width height",
  },
  ...[
    "addons/?active=true",
    "addons/?repository=x/y",
    "addon_events/?expand=addon&addon=1&per_page=5&cursor=",
    "addon_runs/?expand=addon&dismissed=false",
  ].map((path) => ({ method: "GET", path, status: 200, reads: "next previous results" })),
  { method: "GET", path: "addon_events/1/?expand=addon", status: 404 },
  { method: "POST", path: "addon_runs/", sent: { addon: 1, parameters: {} }, status: 405 },
  {
    method: "PATCH",
    path: "addon_runs/00000000-0000-4000-8000-000000000001/",
    sent: { dismissed: true },
    status: 404,
  },
  { method: "DELETE", path: "documents/{document}/process/", status: 400, reads: "error" },
  { method: "GET", path: "documents/{document}/errors/", status: 200, reads: "results" },
];

describe.each(defaultEngines)("requests of DocumentCloud's pages, on %s,", (engine) => {
  let server: Served;
  let session: Record<string, string>;
  let client: Client;
  const values: Record<string, string> = {};
  beforeAll(async () => {
    const organization = "The Evening Post";
    server = await serveFor(engine, [
      { username: "ana", name: "Ana Lima", organization },
      { username: "ben", name: "Ben Okri", organization },
    ]);
    const [ana = { username: "", password: "" }] = server.accounts;
    const base = `${server.url}/api/`;
    client = new Client({ api: base, accounts: base, account: ana });
    const post = (path: string, sent: unknown): Promise<Json> => client.json("POST", path, sent);
    const { id: document } = await client.upload({ title: "A letter", bytes: pdf }, { access: "public" });
    const { id: second } = await client.upload({ title: "Another", bytes: pdf });
    const { id: third } = await client.upload({ title: "A third", bytes: pdf });
    for (const id of [document, second, third]) await client.finished(id);
    const person = await client.json("GET", "users/me/");
    const [, ben] = await client.all(`users/?organization=${person.organization}`);
    const project = await post("projects/", { title: "Letters" });
    await post(`projects/${project.id}/documents/`, [{ document }]);
    const here = { page_number: 0, title: "Here" };
    Object.assign(values, {
      document,
      second,
      third,
      project: project.id,
      me: person.id,
      ben: ben.id,
      organization: person.organization,
      page: `${server.url}/documents/${document}-a-letter/`,
      note: (await post(`documents/${document}/notes/`, { ...here, access: "public" })).id,
      section: (await post(`documents/${document}/sections/`, here)).id,
      search: (await post("documents/search/saved/", { name: "A", query: "b" })).uuid,
      spare: (await post("documents/", { title: "Spare" })).id,
      other: (await post("documents/", { title: "Other" })).id,
    });
    session = await signIn(ana);
  });
  afterAll(() => server[Symbol.asyncDispose]());

  /** Signs in with the form, as a person does. The pages then read the token from its cookie. */
  async function signIn({
    username,
    password,
  }: {
    username: string;
    password: string;
  }): Promise<typeof session> {
    const answer = await fetch(`${server.url}/sign-in/`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ username, password, next: "/" }),
    });
    expect(answer.status).toBe(303);
    const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0] ?? "");
    const token = cookies.find((cookie) => cookie.startsWith("csrftoken="))?.split("=")[1] ?? "";
    return { cookie: cookies.join("; "), "x-csrftoken": token, referer: `${server.url}/` };
  }

  const filled = (text: string): string =>
    text.replaceAll(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);

  const ask = (path: string): Promise<Response> => fetch(`${server.url}${path}`, { redirect: "manual" });

  it.each(calls)("$method $path: $status", async ({ method, path, sent, status, reads = "" }) => {
    const answer = await fetch(`${server.url}/api/${filled(path)}`, {
      method,
      redirect: "error",
      headers: { ...session, "content-type": "application/json" },
      ...(sent === undefined ? {} : { body: filled(JSON.stringify(sent)) }),
    });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([status, text]);
    const isEmpty = status === 204;
    expect([text === "", answer.headers.get("content-type")]).toEqual([
      isEmpty,
      isEmpty ? null : "application/json",
    ]);
    const body = isEmpty ? null : JSON.parse(text);
    const missing = reads.split(" ").filter((name) => name !== "" && !isIn(body, name.split(".")));
    expect([missing, text]).toEqual([[], text]);
  });

  it("finds files by their addresses, and reads them there without a session", async () => {
    const { asset_url: assets, slug } = await client.document(Number(values["document"]));
    for (const access of ["public", "private"]) {
      await client.json("PATCH", `documents/${values["document"]}/`, { access });
      for (const [name, begin] of [
        [`${slug}.txt`, "A letter"],
        [`${slug}.txt.json`, '{"updated":'],
        [`pages/${slug}-p1.position.json`, "[{"],
        [`pages/${slug}-p1-small.gif`, "GIF8"],
        [`${slug}.pdf`, "%PDF-"],
      ] as const) {
        const address = `${assets}documents/${values["document"]}/${name}`;
        const headers = { ...session, accept: "application/json" };
        const answer = await fetch(address, { headers, redirect: "error" });
        expect([access, name, answer.status]).toEqual([access, name, 200]);
        const { location } = (await answer.json()) as { location: string };
        const file = await fetch(location);
        expect([access, name, file.status]).toEqual([access, name, 200]);
        expect((await file.text()).slice(0, begin.length)).toBe(begin);
        expect((await fetch(address)).status).toBe(access === "private" ? 404 : 200);
      }
    }
  });

  it("refuses a change without the CSRF token, but shows the user without it", async () => {
    const { cookie = "" } = session;
    const target = `${server.url}/api/documents/${values["document"]}/`;
    const headers = { cookie, "content-type": "application/json" };
    const refused = await fetch(target, { method: "PATCH", headers, body: '{"title":"x"}' });
    expect([refused.status, ((await refused.json()) as Json).detail]).toEqual([
      403,
      expect.stringMatching(/^CSRF/),
    ]);
    const shown = (await (await fetch(target, { headers })).json()) as Json;
    expect(shown.title).toBe("A letter");
    timeOf(shown.updated_at);
  });

  it("continues at the address that the sign-in link named", async () => {
    const signingIn = await ask("/accounts/login/squarelet?next=/documents/1-x/");
    expect([signingIn.status, signingIn.headers.get("location")]).toEqual([
      302,
      "/sign-in/?next=%2Fdocuments%2F1-x%2F",
    ]);
    const elsewhere = await ask("/accounts/login/squarelet?next=https://example.org/");
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([302, "/sign-in/"]);
    const signingOut = await fetch(`${server.url}/accounts/logout/`, {
      headers: session,
      redirect: "manual",
    });
    expect(signingOut.headers.get("location")).toBe("/sign-in/");
    expect((await ask("/accounts/logout/")).headers.get("location")).toBe("/");
  });
});

function isIn(value: Json, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  return typeof value === "object" && value !== null && Object.hasOwn(value, name) && isIn(value[name], rest);
}
