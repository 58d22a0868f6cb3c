import { describe, expect, it } from "vitest";
import { linesOf } from "../src/testing/access-rights.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { addPerson } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { defaultEngines, useApp } from "../src/testing/test-app.ts";

/*
 * Every address of DocumentCloud's API, with the statuses for an anonymous user and for a user who owns everything.
 * Methods that change something get an object without members, which most addresses refuse.
 */
const answers = `
  address                                   GET      POST     PUT      PATCH    DELETE
  /api/                                     200/200  403/405  403/405  403/405  403/405
  /api/documents/                           200/200  403/400  403/400  403/400  403/400
  /api/documents.json                       200/200  403/400  403/400  403/400  403/400
  /api/documents/D/                         200/200  403/405  403/400  403/200  403/204
  /api/documents/D.json                     200/200  403/405  403/400  403/200  403/204
  /api/documents/search/                    200/200  403/405  403/405  403/405  403/405
  /api/documents/D/search/?q=x              200/200  403/405  403/405  403/405  403/405
  /api/documents/process/                   405/405  403/400  403/405  403/405  403/405
  /api/documents/D/process/                 200/200  403/400  403/405  403/405  403/400
  /api/documents/pending/                   200/200  403/405  403/405  403/405  403/405
  /api/documents/D/pending/                 200/200  403/405  403/405  403/405  403/405
  /api/documents/search/saved/              403/200  403/400  403/405  403/405  403/405
  /api/documents/search/saved/Q/            403/200  403/405  403/400  403/200  403/204
  /api/documents/D/notes/                   200/200  403/400  403/405  403/405  403/405
  /api/documents/D/notes/N/                 200/200  403/405  403/400  403/200  403/204
  /api/documents/D/sections/                200/200  403/400  403/405  403/405  403/405
  /api/documents/D/sections.json            200/200  403/400  403/405  403/405  403/405
  /api/documents/D/sections/S/              200/200  403/405  403/400  403/200  403/204
  /api/documents/D/data/                    200/200  403/405  403/405  403/405  403/405
  /api/documents/D/data/k/                  200/200  403/405  403/400  403/200  403/204
  /api/documents/D/errors/                  200/200  403/405  403/405  403/405  403/405
  /api/documents/D/entities/                200/200  403/400  403/405  403/405  403/405
  /api/documents/D/entities/E/              200/200  403/405  403/200  403/200  403/204
  /api/documents/D/entities/999/            404/404  403/405  403/404  403/404  403/404
  /api/documents/D/legacy_entities_2/       200/200  403/405  403/405  403/405  403/405
  /api/documents/D/legacy_entities/         200/200  403/405  403/405  403/405  403/405
  /api/documents/D/dates/                   200/200  403/405  403/405  403/405  403/405
  /api/documents/D/redactions/              405/405  403/400  403/405  403/405  403/405
  /api/documents/D/modifications/           405/405  403/400  403/405  403/405  403/405
  /api/documents/D/modifications/post_process/ 405/405  403/403  403/405  403/405  403/405
  /api/projects/                            200/200  403/201  403/405  403/405  403/405
  /api/projects/P/                          200/200  403/405  403/200  403/200  403/204
  /api/projects/P/documents/                200/200  403/400  403/400  403/400  403/400
  /api/projects/P/documents/D/              200/200  403/405  403/200  403/200  403/204
  /api/projects/P/users/                    200/200  403/400  403/405  403/405  403/405
  /api/projects/P/users/U/                  404/200  403/405  403/200  403/200  403/400
  /api/projects/P/sidekick/                 404/404  404/404  404/404  404/404  404/404
  /api/projects/P/sidekick/learn/           404/404  404/404  404/404  404/404  404/404
  /api/organizations/                       403/200  403/403  403/403  403/403  403/403
  /api/organizations/1/                     403/200  403/403  403/403  403/403  403/403
  /api/organizations/1/ai_credits/          404/404  404/404  404/404  404/404  404/404
  /api/users/                               403/200  403/405  403/405  403/405  403/405
  /api/users/U/                             403/200  403/405  403/400  403/200  403/405
  /api/users/me/                            403/200  403/405  403/400  403/200  403/405
  /api/users/mailkey/                       404/404  404/404  404/404  404/404  404/404
  /api/entities/                            200/200  403/400  403/405  403/405  403/405
  /api/entities/E/                          200/200  403/405  403/200  403/200  403/403
  /api/entities/999/                        404/404  403/405  403/404  403/404  403/404
  /api/addons/                              200/200  403/405  403/405  403/405  403/405
  /api/addons/1/                            404/404  404/404  404/404  404/404  404/404
  /api/addon_runs/                          200/200  403/405  403/405  403/405  403/405
  /api/addon_runs/Q/                        404/404  404/404  404/404  404/404  404/404
  /api/addon_events/                        200/200  403/405  403/405  403/405  403/405
  /api/addon_events/1/                      404/404  404/404  404/404  404/404  404/404
  /api/statistics/                          403/403  403/403  403/403  403/403  403/403
  /api/statistics/1/                        404/404  404/404  404/404  404/404  404/404
  /api/flatpages/                           200/200  403/403  403/403  403/403  403/403
  /api/flatpages/tipofday/                  404/404  404/404  404/404  404/404  404/404
  /api/messages/                            404/404  404/404  404/404  404/404  404/404
  /api/oembed/                              400/400  403/405  403/405  403/405  403/405
  /api/oembed/?url=W                        200/200  403/405  403/405  403/405  403/405
  /api/oembed?url=W                         200/200  403/405  403/405  403/405  403/405
  /api/oembed.json?url=W                    200/200  405/405  405/405  405/405  405/405
  /api/oembedded?url=W                      404/404  404/404  404/404  404/404  404/404
  /api/token/                               405/405  400/400  405/405  405/405  405/405
  /api/refresh/                             405/405  400/400  405/405  405/405  405/405
  /api/schema/                              200/200  403/405  403/405  403/405  403/405
  /api/schema/redoc/                        404/404  404/404  404/404  404/404  404/404
  /api/nothing/                             404/404  404/404  404/404  404/404  404/404
  /api/documents/1-a-document/              404/404  403/405  403/404  403/404  403/404
  /api/documents/99999999999999999999/      404/404  403/405  403/404  403/404  403/404
  /api/documents/D/data/a.b/                404/404  403/405  403/400  403/404  403/404
  /files/documents/D/nothing.txt            404/404  405/405  405/405  405/405  405/405
  /files/documents/999999/nothing.txt       404/404  405/405  405/405  405/405  405/405
  /files/documents/1-x/nothing.txt          404/404  404/404  404/404  404/404  404/404
  /files/documents/D/                       404/404  404/404  404/404  404/404  404/404
  /files/addon-runs/Q/                      404/404  404/404  404/404  404/404  404/404
  /squarelet/webhook/                       404/404  404/404  404/404  404/404  404/404
  /mailgun/                                 404/404  404/404  404/404  404/404  404/404
  /github-webhook/                          404/404  404/404  404/404  404/404  404/404
`;

/** Addresses without the slash at the end, for every method. */
const unslashed = [
  "/api/documents",
  "/api/documents/D",
  "/api/documents/D/process/events",
  "/api/documents/search",
  "/api/projects/P/documents/D",
  "/api/users/me",
  "/projects/P-all-of-it",
  "/embed/documents/D",
  "/documents/D/pages/1",
  "/documents/D/annotations/N",
];

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const rows = linesOf(answers).map(([address = "", ...columns]) => ({ address, columns }));

describe.each(defaultEngines)("every address of DocumentCloud's API on %s", (engine) => {
  const app = useApp(engine);
  const values: Record<string, string | number> = {};
  const person = app.person("owner", { organizations: [1] });

  async function makeAgain(): Promise<void> {
    const [document = 0] = await addDocuments(app.context, [{ user_id: person.id, status: "success" }]);
    const post = async (path: string, value: unknown): Promise<Record<string, string | number>> =>
      (await sendAs(app, person, "POST", `/api/${path}`, value)).body;
    const here = { title: "Here", page_number: 0, access: "public" };
    const { id: project = 0 } = await post("projects/", { title: "All of it" });
    await post(`projects/${project}/documents/`, [{ document }]);
    const note = await post(`documents/${document}/notes/`, here);
    const section = await post(`documents/${document}/sections/`, here);
    const search = await post("documents/search/saved/", { name: "All", query: "all" });
    const { id: entity } = await post("entities/", { wikidata_id: `Q${document}` });
    await post(`documents/${document}/entities/`, { entity });
    Object.assign(values, { D: document, P: project, N: note["id"], S: section["id"], Q: search["uuid"] });
    Object.assign(values, {
      E: entity,
      U: person.id,
      W: encodeURIComponent(`${app.url}/documents/${document}-a-document/`),
    });
  }

  const filled = (address: string): string =>
    address.replaceAll(/(?<=[/=])([DPNSQUEW])(?=[/.?-]|$)/g, (_all, name: string) => String(values[name]));

  /** HEAD has the status of GET, and OPTIONS describes the view if there is one. */
  async function expectSameOfHeadAndOptions(target: string, columns: readonly string[]): Promise<void> {
    const head = await app.fetch(target, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([Number(columns[0]?.split("/")[0]), ""]);
    const { status, body } = await sendAs(app, person, "OPTIONS", target);
    const isNowhere = columns.every((column) => column === "404/404");
    const isView = status === 200 && typeof body.name === "string";
    // OPTIONS describes a view even if no object has the id.
    expect([target, isView]).toEqual([target, !isNowhere && !target.includes("oembed.json")]);
  }

  it.each(rows)("$address has the documented statuses", async ({ address, columns }) => {
    await makeAgain();
    await expectSameOfHeadAndOptions(filled(address), columns);
    const told: string[] = [];
    for (const method of methods) {
      const statuses: number[] = [];
      for (const who of [null, person]) {
        const value = ["GET", "DELETE"].includes(method) ? undefined : {};
        // sendAs parses the body: an answer at these addresses is JSON or empty.
        const { status, body, headers } = await sendAs(app, who, method, filled(address), value);
        statuses.push(status);
        const type = headers.get("content-type");
        expect([method, status, type]).toEqual([method, status, body === null ? null : "application/json"]);
        expect([method, body === null]).toEqual([method, status === 204]);
      }
      told.push(statuses.join("/"));
    }
    expect(told).toEqual(columns);
  });

  it.each(unslashed)("%s redirects to the address with a slash", async (path) => {
    await makeAgain();
    const target = filled(path);
    for (const method of [...methods, "HEAD"]) {
      const answer = await app.fetch(`${target}?a=b`, { method, redirect: "manual" });
      expect([answer.status, answer.headers.get("location")]).toEqual([301, `${target}/?a=b`]);
    }
  });

  it.each([
    "/files/documents/D/a-document.pdf",
    "/files/documents/999999/a.txt",
    "/api/documents/D/process/events/",
  ])("%s is read-only, and says so whether or not the object exists", async (address) => {
    await makeAgain();
    const [hidden] = await addDocuments(app.context, [{ access: "private" }]);
    for (const target of [filled(address), filled(address).replace(/\d+/, String(hidden))])
      for (const method of ["OPTIONS", "POST", "PUT", "PATCH", "DELETE"]) {
        const { status, headers } = await sendAs(app, null, method, target);
        const expected = [method, method === "OPTIONS" ? 200 : 405, "GET, HEAD, OPTIONS"];
        expect([method, status, headers.get("allow")]).toEqual(expected);
      }
  });

  it.each([
    ["/documents/D/pages/1.html", "/documents/D/pages/1/"],
    ["/documents/D-a-document/pages/1/", "/documents/D/pages/1/"],
    ["/documents/D-gr%C3%B6%C3%9Fe/pages/1.html/?x=%3F", "/documents/D/pages/1/?x=%3F"],
    [`/documents/D-${"a".repeat(200)}/pages/1`, "/documents/D/pages/1/"],
    ["/documents/D/annotations/N.html", "/documents/D/annotations/N/"],
    ["/documents/D-a-document/annotations/N?embed=1", "/documents/D/annotations/N/?embed=1"],
  ])("%s, an address that oEmbed accepts, leads to the object that it names", async (from, to) => {
    await makeAgain();
    const asked = await sendAs(
      app,
      null,
      "GET",
      `/api/oembed/?url=${encodeURIComponent(app.url + filled(from))}`,
    );
    expect(asked.status).toBe(200);
    const answer = await app.fetch(filled(from), { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([301, filled(to)]);
    expect((await app.fetch(filled(to), { redirect: "manual" })).status).toBe(200);
    // The redirect for a missing object is the same, so it reveals nothing.
    const other = await app.fetch(filled(from).replace(/\d+/, "999999"), { redirect: "manual" });
    expect([other.status, other.headers.get("location")]).toEqual([301, filled(to).replace(/\d+/, "999999")]);
  });

  it.each(["errors", "entities", "legacy_entities", "legacy_entities_2", "dates", "notes", "sections"])(
    "returns 404 for writes to the %s of a missing document",
    async (path) => {
      const [hidden] = await addDocuments(app.context, [{ access: "private" }]);
      for (const id of [999_999, hidden])
        for (const who of [null, person])
          expect([id, await sendAs(app, who, "POST", `/api/documents/${id}/${path}/`, {})]).toMatchObject([
            id,
            { status: 404, body: { detail: "Not found." } },
          ]);
    },
  );

  it("returns 404 for writes to the users of a missing project", async () => {
    for (const who of [null, person])
      expect(await sendAs(app, who, "POST", "/api/projects/999/users/", {})).toMatchObject({
        status: 404,
        body: { detail: "Not found." },
      });
  });

  it("refuses an invalid day in the address of a day's statistics", async () => {
    const boss = await addPerson(app.context, {
      username: "boss",
      organizations: [1],
      isAdministrator: true,
    });
    const asked = (day: string): ReturnType<typeof sendAs> =>
      sendAs(app, boss, "GET", `/api/statistics/?date=${encodeURIComponent(day)}`);
    for (const day of ["x", "2025-02-30", "2025-13-01", "20250101", "2025-01-01T00:00:00Z"])
      expect([day, await asked(day)]).toMatchObject([
        day,
        { status: 400, body: { date: ["Enter a valid date."] } },
      ]);
    for (const day of ["2020-2-9", " 2020-02-29 "])
      expect([day, await asked(day)]).toMatchObject([day, { status: 200, body: { results: [] } }]);
    expect((await asked("")).body.results).toHaveLength(1);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      expect(await sendAs(app, boss, method, "/api/statistics/", {})).toMatchObject({
        status: 405,
        body: { detail: `Method "${method}" not allowed.` },
      });
  });

  it.each(["1", "", "3.0", "x"])("refuses the version %j, wherever it is requested", async (version) => {
    for (const path of ["", "documents/", "documents/search/", "projects/", "addons/", "oembed/"])
      expect(await sendAs(app, null, "GET", `/api/${path}?version=${version}`)).toMatchObject({
        status: 404,
        body: { detail: "Invalid version in query parameter." },
      });
  });

  it.each(["1.0", "2.0"])("accepts version %s", async (version) => {
    for (const path of ["", "documents/", "documents/search/", "projects/", "addons/"])
      expect((await sendAs(app, null, "GET", `/api/${path}?version=${version}`)).status).toBe(200);
  });

  it("names every list, each with an address that works", async () => {
    const { body } = await sendAs(app, null, "GET", "/api/");
    expect(Object.keys(body).toSorted().join(" ")).toBe(
      "addon_events addon_runs addons documents documents/search/saved entities flatpages organizations projects " +
        "statistics users",
    );
    for (const [name, address] of Object.entries(body as Record<string, string>)) {
      const { status } = await sendAs(app, person, "GET", address.slice(app.url.length));
      expect([name, status]).toEqual([name, name === "statistics" ? 403 : 200]);
    }
  });

  it("is a page for every client that requests one", async () => {
    for (const path of ["/", "/sign-in/", "/api/documents/", "/api/nothing/", "/nothing/", "/visual/x/"]) {
      const answer = await app.fetch(path, { headers: { accept: "text/html,*/*;q=0.8" } });
      const isPage = answer.headers.get("content-type")?.startsWith("text/html") === true;
      const isThere = !/nothing|visual/.test(path);
      expect([path, answer.status, isPage]).toEqual([path, isThere ? 200 : 404, path !== "/api/nothing/"]);
    }
    const neither = await app.fetch("/api/documents/", { headers: { accept: "application/xml" } });
    expect([neither.status, await neither.json()]).toEqual([
      406,
      { detail: "Could not satisfy the request Accept header." },
    ]);
    expect((await sendAs(app, null, "GET", "/api/documents/?format=xml")).status).toBe(404);
  });
});
