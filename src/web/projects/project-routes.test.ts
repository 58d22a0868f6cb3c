import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments, addProject } from "../../testing/factories.ts";
import { type Session, addPerson, beginSession } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

describe.each(defaultEngines)("the pages of projects on %s", (engine) => {
  const app = useApp(engine);
  let session: Session;
  let project = 0;

  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    const ids = await addDocuments(app.context, [
      { title: "Harbour dues", slug: "dues" },
      { title: "Tide tables", slug: "tides" },
      { title: "A secret harbour", access: "private" },
    ]);
    await addDocuments(app.context, [{ title: "Another harbour" }]);
    project = await addProject(app.context, { title: "The harbour", slug: "the-harbour" }, ids);
    session = await beginSession(app.context, owner);
  });

  const page = async (target: string, headers: Record<string, string> = {}): Promise<string> =>
    (await app.fetch(target, { headers })).text();
  const create = (form: Record<string, string>, headers: Record<string, string>) =>
    app.fetch("/projects/", { method: "POST", body: new URLSearchParams(form), headers, redirect: "manual" });

  it("search inside the project, without scripts and in a frame", async () => {
    for (const query of ["?q=harbour", "?q=harbour&embed=1", "?q=harbour+OR+projects:999&project=999"]) {
      const found = await page(`/projects/${project}-the-harbour/${query}`);
      expect(found).toContain("Harbour dues");
      for (const title of ["Another harbour", "A secret harbour", "Tide tables"])
        expect([query, found.includes(title)]).toEqual([query, false]);
    }
    const framed = await page(`/projects/${project}-the-harbour/?embed=1&theme=dark`);
    expect(framed).toContain('data-theme="dark"');
    expect(framed).toContain('<input type="hidden" name="embed" value="1" />');
    expect(framed).toContain('<base target="_blank" />');
    expect(framed).not.toContain("<header");
  });

  it("show the code that embeds a public project, and no script to readers who have not signed in", async () => {
    const shown = await page(`/projects/${project}-the-harbour/`);
    expect(shown).toContain(`${app.url}/projects/${project}-the-harbour/?embed=1`);
    expect(shown).toContain("allow-forms");
    expect(shown).not.toContain("<script>alert");
    const workplace = await page(`/projects/${project}-the-harbour/`, { cookie: session.cookie });
    expect(workplace).toContain('data-desk="project"');
    expect(workplace).toContain("<noscript>");
  });

  it("create a project, which needs the session's CSRF token", async () => {
    const token = { csrfmiddlewaretoken: session["x-csrftoken"] };
    const { cookie } = session;
    expect((await create({ title: "One" }, { cookie })).status).toBe(403);
    expect((await create({ title: "One" }, {})).status).toBe(403);
    const created = await create({ title: "One", private: "true", ...token }, { cookie });
    const location = created.headers.get("location") ?? "";
    expect([created.status, location]).toEqual([303, expect.stringMatching(/^\/projects\/\d+-one\/$/)]);
    const { body } = await sendAs(app, owner, "GET", "/api/projects/?owned_by_user=true");
    expect(body.results).toMatchObject([{ title: "One", private: true, pinned: true, edit_access: true }]);
    // It is pinned for its creator, and it stands in the first group that it belongs to.
    const listed = await page("/projects/", { cookie });
    expect(listed).toContain('aria-labelledby="group-pinned"');
    expect([listed.split(">One<").length, listed.includes("group-own")]).toEqual([2, false]);
    expect(await page("/projects/?show=own", { cookie })).toContain(">One<");
    expect(await page("/projects/?show=public", { cookie })).not.toContain(">One<");
  });

  it("are listed once, in the first of their groups, which shows ten of them", async () => {
    const writer = await addPerson(app.context, { username: "writer", organizations: [1] });
    const { cookie } = await beginSession(app.context, writer);
    const titles = Array.from({ length: 14 }, (_, number) => `Mine ${number}`);
    for (const [number, title] of titles.entries()) {
      const { body } = await sendAs(app, writer, "POST", "/api/projects/", { title, private: false });
      if (number < 2) await sendAs(app, writer, "PATCH", `/api/projects/${body.id}/`, { pinned: false });
    }
    const listed = await page("/projects/", { cookie });
    const groupOf = (title: string): string[] =>
      listed
        .split('<section class="project-group"')
        .filter((part) => part.includes(`>${title}<`))
        .map((part) => /group-(\w+)/.exec(part)?.[1] ?? "");
    const groups = titles.map(groupOf);
    expect(groups.every((names) => names.length === 1)).toBe(true);
    const counts = ["pinned", "own"].map((name) => groups.filter(([group]) => group === name).length);
    expect(counts).toEqual([10, 4]);
    expect(listed).toContain("?show=pinned");
    expect(listed).not.toContain("?show=own");
  });

  it("show what others have shared, to people who have signed in", async () => {
    const answer = await app.fetch("/shared/", { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/sign-in/?next=%2Fshared%2F"]);
    expect(await page("/shared/", { cookie: session.cookie })).toContain("Nobody has shared anything");
    const friend = await addPerson(app.context, { username: "friend", projects: { [project]: "view" } });
    const { cookie } = await beginSession(app.context, friend);
    const shown = await page("/shared/", { cookie });
    // The tests' collaborators were added without a moment, like those from before Quire recorded it.
    expect(shown).not.toMatch(/Shared (by|on)/);
    for (const text of ["The harbour", "You can read its shared documents", "Harbour dues", "Tide tables"])
      expect(shown).toContain(text);
    expect(shown).not.toContain("Another harbour");
  });

  it("are in the language that the browser or the account prefers", async () => {
    const german = { "accept-language": "de-CH, en;q=0.5" };
    // The second and the third answer may come from the response cache.
    for (const [headers, language, word] of [
      [german, "de", "Projekte"],
      [{}, "en", "Projects"],
      [german, "de", "Projekte"],
      [{ "accept-language": "fr" }, "fr", "Projets"],
      [{ "accept-language": "nl" }, "en", "Projects"],
    ] as const) {
      const answer = await app.fetch("/projects/", { headers });
      expect(answer.headers.get("vary")).toContain("Accept-Language");
      const text = await answer.text();
      expect(text).toContain(`<html lang="${language}">`);
      expect(text).toContain(`<h1>${word}</h1>`);
    }
    const chosen = { language: "de", time_zone: "Pacific/Auckland" };
    const { cookie } = session;
    const headers = { ...session, "content-type": "application/json" };
    await app.fetch("/api/account/", { method: "PATCH", headers, body: JSON.stringify(chosen) });
    const own = await page("/projects/?show=public", { cookie, "accept-language": "en" });
    expect(own).toContain('<html lang="de" data-time-zone="Pacific/Auckland">');
    // Noon in UTC is the next day there.
    expect(own).toContain("1. Februar 2025");
    const workplace = await page(`/projects/${project}-the-harbour/`, { cookie });
    const script = /src="(\/static\/desk-de-[^"]+)"/.exec(workplace)?.[1] ?? "";
    expect((await app.fetch(script)).status).toBe(200);
    expect((await app.fetch(script.replace(/[^-]{6}\.js$/, "000000.js"))).status).toBe(404);
    // The viewer is in the same language.
    expect(await page("/documents/1-dues/", { cookie })).not.toMatch(/<main [^>]*lang=/);
  });
});
