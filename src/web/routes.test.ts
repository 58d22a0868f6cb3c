import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { documentFileKey } from "../files/keys.ts";
import { documentSecurityPolicy } from "./document-page.ts";
import { pageSecurityPolicy } from "../http/browsable/page-shell.ts";
import { addDocuments, addProject } from "../testing/factories.ts";
import { addPerson } from "../testing/people.ts";
import { startS3Server } from "../testing/s3-server.ts";
import { addReadDocument } from "../testing/read-documents.ts";
import { type TestApp, defaultEngines, startTestApp, useApp } from "../testing/test-app.ts";

const asPerson: RequestInit = {
  headers: { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" },
  redirect: "manual",
};

const visit = (app: TestApp, path: string): Promise<Response> => app.fetch(path, asPerson);

/** The title and address of every document on a page of the list. */
function listed(page: string): [string, string][] {
  const links = page.matchAll(/<h2 dir="auto"><a href="([^"]*)">([^<]*)<\/a><\/h2>/g);
  return Array.from(links, ([, href = "", title = ""]) => [title, href]);
}

const linkTo = (page: string, rel: "next" | "prev"): string | undefined =>
  new RegExp(`href="([^"]*)" rel="${rel}"`).exec(page)?.[1]?.replaceAll("&#38;", "&");

describe.each(defaultEngines)("the home page on %s", (engine) => {
  // The tests follow each other: the first one finds no document.
  const app = useApp(engine);

  it("explains how to import documents if there are none", async () => {
    const response = await visit(app, "/");
    expect(response.status).toBe(200);
    const page = await response.text();
    expect(page).toContain("There are no documents yet");
    expect(listed(page)).toEqual([]);
  });

  it("lists every public document, newest first, over all its pages", async () => {
    const rows = Array.from({ length: 60 }, (_, index) => ({
      title: `Number ${index}`,
      slug: `number-${index}`,
      // Documents come in pairs with the same creation time. Of each pair, the one with the higher id comes first.
      created_at: `2025-01-01T00:00:${String(Math.floor(index / 2)).padStart(2, "0")}.000000Z`,
    }));
    const ids = await addDocuments(app.context, rows);
    await addDocuments(app.context, [
      { title: "Private", access: "private" },
      { title: "Pending", status: "pending" },
    ]);
    const expected = rows
      .map(({ title, slug }, index): [string, string] => [
        title,
        `${app.url}/documents/${ids[index]}-${slug}/`,
      ])
      .toReversed();

    const first = await (await visit(app, "/documents/")).text();
    const second = await (await fetch(linkTo(first, "next") ?? "", asPerson)).text();
    const third = await (await fetch(linkTo(second, "next") ?? "", asPerson)).text();
    expect([first, second, third].map((page) => listed(page).length)).toEqual([25, 25, 10]);
    expect([first, second, third].flatMap(listed)).toEqual(expected);
    expect([linkTo(first, "prev"), linkTo(third, "next")]).toEqual([undefined, undefined]);
    const back = await (await fetch(linkTo(third, "prev") ?? "", asPerson)).text();
    expect(listed(back)).toEqual(listed(second));
  });

  it("escapes markup in titles", async () => {
    await addDocuments(app.context, [{ title: `"><script>alert(1)</script>`, source: "<b>" }]);
    const response = await visit(app, "/");
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": pageSecurityPolicy,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    const page = await response.text();
    expect(page).not.toMatch(/<script>alert|<b>/);
    expect(page).toContain("&#60;script&#62;alert(1)&#60;/script&#62;");
    const again = await app.fetch("/", { headers: { "if-none-match": response.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  it("rejects cursors of other lists", async () => {
    const withoutMoment = Buffer.from(`["-created_at",0,1,5]`).toString("base64");
    for (const cursor of ["zzz", "cD0x", withoutMoment]) {
      const response = await visit(app, `/?cursor=${encodeURIComponent(cursor)}`);
      expect([cursor, response.status]).toEqual([cursor, 404]);
      expect(await response.text()).toContain("<h1>Page not found</h1>");
    }
  });

  it("explains why it refuses a search", async () => {
    for (const [query, reason] of [
      [`q=${"x".repeat(10_001)}`, "A query may have 10000 characters, not 10001."],
      [`q=${"%2Bx+".repeat(101)}`, "A query may ask for 100 words."],
      ["q=x&version=1.0&page=101", "The selected `page` value of 101 is over the limit of 100."],
      ["q=x&id=(", "Syntax error in input: `id=(`."],
    ] as const) {
      const response = await visit(app, `/?${query}`);
      const page = await response.text();
      expect([query.slice(0, 40), response.status]).toEqual([query.slice(0, 40), 400]);
      expect(page).toContain(reason);
    }
  });

  it("uses the address of the web pages from the settings", async () => {
    await using elsewhere = await startTestApp(engine, {
      QUIRE_URL: "https://api.a.org/quire",
      QUIRE_WEB_URL: "https://a.org/archive",
    });
    const ids = await addDocuments(
      elsewhere.context,
      Array.from({ length: 26 }, () => ({})),
    );
    const landing = await (await visit(elsewhere, "/")).text();
    expect(landing).toContain(`href="https://a.org/archive/documents/"`);
    expect(landing).toContain("26 documents on Quire.");
    const page = await (await visit(elsewhere, "/documents/")).text();
    expect(listed(page)[0]).toEqual(["A document", `https://a.org/archive/documents/${ids[25]}-a-document/`]);
    expect(linkTo(page, "next")).toMatch(/^https:\/\/a\.org\/archive\/documents\/\?cursor=/);
    expect(page).toContain(`href="/quire/api/"`);
  });
});

/** The page numbers in a search result. */
const pagesOn = (page: string): number[] =>
  Array.from(page.matchAll(/#document\/p(\d+)">Page \1<\/a>/g), ([, number]) => Number(number));
/** The address and the text of the link to the other matching pages. */
const rest = (page: string): [string, string] | null => {
  const found = /<a href="([^"]*)">(And [\d,]+ pages? more)<\/a>/.exec(page);
  return found && [(found[1] ?? "").replaceAll("&#38;", "&"), found[2] ?? ""];
};

const isSaid = (page: string): boolean => page.includes("The wildcards *, ? and ~ were not used");

describe.each(defaultEngines)("the search page on %s", (engine) => {
  const app = useApp(engine);
  let id: number;
  beforeAll(async () => {
    const pages = Array.from({ length: 320 }, (_, index) =>
      index === 298 ? "one whale" : index >= 160 ? "a ship\nand a sail" : "nothing",
    );
    id = await addReadDocument(app.context, { title: "Logbook", slug: "logbook", pages, pdf: "%PDF" });
  });

  const pageOf = async (target: string): Promise<string> => (await visit(app, target)).text();

  it("lists the matching pages, however far into the document they are", async () => {
    const page = await pageOf("/?q=whale");
    expect([pagesOn(page), rest(page)]).toEqual([[299], null]);
    expect(page).toContain("one <mark>whale</mark>");
    const part = await pageOf("/?q=page_no_299:whale+OR+page_no_1:ship");
    expect(pagesOn(part)).toEqual([299]);
  });

  it("counts the further matching pages correctly and links to all of them", async () => {
    const first = await pageOf("/?q=ship&per_page=3");
    expect(pagesOn(first)).toEqual([161, 162, 163, 164, 165]);
    const [href = "", text] = rest(first) ?? [];
    expect([href, text]).toEqual([
      `${app.url}/documents/${id}-logbook/search/?q=ship&per_page=3`,
      "And 154 pages more",
    ]);
    const found: number[][] = [];
    for (let next: string | undefined = href; next !== undefined;) {
      const page = await (await fetch(next, asPerson)).text();
      expect(page).toContain("On 159 pages.");
      expect(linkTo(page, "prev") === undefined).toBe(found.length === 0);
      found.push(pagesOn(page));
      next = linkTo(page, "next");
    }
    expect(found.map(({ length }) => length)).toEqual([50, 50, 50, 9]);
    const all = Array.from({ length: 160 }, (_, index) => index + 161).filter((number) => number !== 299);
    expect(found.flat()).toEqual(all);
  });

  it("lists no pages if none match, and returns 404 for a hidden document", async () => {
    const page = await pageOf(`/documents/${id}-logbook/search/?q=absent`);
    expect(page).toContain("No page of this document matches.");
    const [hidden = 0] = await addDocuments(app.context, [{ title: "Hidden ship", access: "private" }]);
    expect((await visit(app, `/documents/${hidden}/search/?q=ship`)).status).toBe(404);
    for (const odd of ["0", "x", "-1", "9999999"]) {
      const { status } = await visit(app, `/documents/${id}/search/?q=ship&page=${odd}`);
      expect([odd, status]).toEqual([odd, 404]);
    }
  });

  it("says that wildcards need signing in, but only if the query uses them", async () => {
    const person = await addPerson(app.context, { username: "reader" });
    for (const q of ["shi*", "sh?p", "shop~", "*", "text:sh*", "ship -(sa*)"]) {
      expect([q, isSaid(await pageOf(`/?q=${encodeURIComponent(q)}`))]).toEqual([q, true]);
    }
    for (const q of ["ship", "ship ?", "title:*", "access:pub*", '"ship"~3', "ship~0", "data_x:*"]) {
      expect([q, isSaid(await pageOf(`/?q=${encodeURIComponent(q)}`))]).toEqual([q, false]);
    }
    expect(isSaid(await pageOf(`/documents/${id}/search/?q=shi*`))).toBe(true);
    const signedIn = await app.fetch("/?q=shi*", { headers: { accept: "text/html", ...person.headers } });
    expect(isSaid(await signedIn.text())).toBe(false);
    const explained = async (q: string): Promise<unknown> =>
      (await app.fetch(`/api/documents/search/?explain=true&q=${q}`)).json();
    expect(await explained("shi*")).toMatchObject({ explain: "shi", wildcards_ignored: true });
    expect(await explained("ship")).toMatchObject({ explain: "ship", wildcards_ignored: false });
  });
});

describe.each(defaultEngines)("the page of a document on %s", (engine) => {
  const app = useApp(engine);

  it("is at its canonical_url and shows its file", async () => {
    const [id = 0] = await addDocuments(app.context, [{ title: "A report", slug: "a-report" }]);
    await app.context.files.put(
      documentFileKey(id, "a-report", "pdf"),
      Readable.from([Buffer.alloc(1500, "%PDF")]),
    );
    const record = (await (await app.fetch(`/api/documents/${id}/`)).json()) as { canonical_url: string };
    const response = await fetch(record.canonical_url, asPerson);
    expect(response.status).toBe(200);
    expect(response.headers.get("x-robots-tag")).toBeNull();
    expect(response.headers.get("content-security-policy")).toBe(
      documentSecurityPolicy([`${app.url}/files/`]),
    );
    const page = await response.text();
    const file = `${app.url}/files/documents/${id}/a-report.pdf`;
    expect(page).toContain(`<h1 dir="auto">A report</h1>`);
    expect(page).toContain("Organization 1");
    expect(page).toContain(`href="${file}" download`);
    expect(page).toContain('data-images="webp"');
    expect(page).toContain("Download PDF (1.5 kB)");
    expect(page).toContain(`<link rel="canonical" href="${record.canonical_url}" />`);
    expect(page).toContain(`href="${app.url}/api/documents/${id}/?format=json"`);
    expect((await fetch(file)).headers.get("content-length")).toBe("1500");
  });

  it("is the redirect target of every other spelling of its address", async () => {
    const [id] = await addDocuments(app.context, [{ slug: "a-name" }]);
    const right = `${app.url}/documents/${id}-a-name/`;
    for (const name of [
      `${id}/`,
      `${id}`,
      `${id}-/`,
      `${id}-a-name`,
      `${id}-other/`,
      `${id}-A-NAME/`,
      `${id}-a-name//`,
    ]) {
      const response = await visit(app, `/documents/${name}`);
      expect([name, response.status, response.headers.get("location")]).toEqual([name, 302, right]);
    }
    const searched = await visit(app, `/documents/${id}/?q=ship`);
    expect(searched.headers.get("location")).toBe(`${right}?q=ship`);
    expect((await fetch(right, asPerson)).status).toBe(200);
  });

  it.each(["", "..", "100%", "a b", "a/b", "a?b", "a#b", "größe", "報告", `"'<>`, "a".repeat(255)])(
    "is reachable whatever its slug: %j",
    async (slug) => {
      const [id] = await addDocuments(app.context, [{ slug, title: "Found" }]);
      const response = await visit(app, `/documents/${id}-wrong/`);
      expect(response.status).toBe(302);
      const found = await fetch(response.headers.get("location") ?? "", asPerson);
      expect([found.status, listed(await (await visit(app, "/")).text())[0]]).toEqual([
        200,
        ["Found", response.headers.get("location")?.replaceAll("'", "&#39;")],
      ]);
    },
  );

  it("returns the same 404 for hidden and missing documents", async () => {
    const hidden = await addDocuments(app.context, [
      { access: "private" },
      { access: "organization" },
      { status: "pending" },
    ]);
    const absent = await visit(app, "/documents/999999-a-document/");
    expect(absent.status).toBe(404);
    // The page contains the requested address, as the one to return to after signing in.
    const asked = /\?next=[^"]*/g;
    const page = (await absent.text()).replace(asked, "");
    for (const id of hidden) {
      for (const name of [`${id}-a-document/`, `${id}-other/`, `${id}`]) {
        const response = await visit(app, `/documents/${name}`);
        const shown = (await response.text()).replace(asked, "");
        expect([name, response.status, shown]).toEqual([name, 404, page]);
      }
    }
  });

  it.each(["/documents/x/", "/documents/-1/", "/documents/1e3/", "/documents/9999999999999999/"])(
    "returns 404 at %s",
    async (path) => {
      const response = await visit(app, path);
      expect([response.status, await response.text()]).toEqual([
        404,
        expect.stringContaining("Page not found"),
      ]);
      const forProgram = await app.fetch(path);
      expect([forProgram.status, await forProgram.json()]).toEqual([404, { detail: "Not found." }]);
    },
  );

  it("returns 404 as soon as its document is hidden", async () => {
    const [id = 0] = await addDocuments(app.context, [{}]);
    const paths = [`/documents/${id}-a-document/`, `/api/documents/${id}/`];
    const statuses = (): Promise<number[]> =>
      Promise.all(paths.map(async (path) => (await visit(app, path)).status));
    for (let times = 0; times < 3; times++) expect(await statuses()).toEqual([200, 200]);
    const { etag = "" } = Object.fromEntries((await visit(app, paths[0] ?? "")).headers);
    await app.context.database.write((writer) =>
      writer.updateTable("documents").set({ access: "private" }).where("id", "=", id).execute(),
    );
    expect(await statuses()).toEqual([404, 404]);
    expect((await app.fetch(paths[0] ?? "", { headers: { "if-none-match": etag } })).status).toBe(404);
  });

  it.each([{ noindex: true }, { admin_noindex: true }])(
    "is hidden from search engines by %o",
    async (flags) => {
      const [id] = await addDocuments(app.context, [flags]);
      const response = await visit(app, `/documents/${id}-a-document/`);
      expect(response.headers.get("x-robots-tag")).toBe("noindex");
      expect(await response.text()).toContain(`<meta name="robots" content="noindex" />`);
    },
  );

  it("offers a download of files that browsers cannot show, and says if there is no file", async () => {
    const [sheet = 0, lost = 0] = await addDocuments(app.context, [
      { original_extension: "xlsx", slug: "sums" },
      { slug: "lost" },
    ]);
    await app.context.files.put(documentFileKey(sheet, "sums", "xlsx"), Readable.from([Buffer.from("PK")]));
    const response = await visit(app, `/documents/${sheet}-sums/`);
    const page = await response.text();
    expect(page).not.toContain("data-images");
    expect(page).toContain("This file has no pages here.");
    expect(page).toContain(`href="${app.url}/files/documents/${sheet}/original/sums.xlsx"`);
    const without = await (await visit(app, `/documents/${lost}-lost/`)).text();
    expect(without).toContain("There is no file for this document here.");
    expect(without).not.toContain("download>");
  });

  it("shows browsers without scripts the page that the address names, and its text", async () => {
    const pages = Array.from({ length: 9 }, (_, index) => `text of ${index + 1} <b>`);
    const id = await addReadDocument(app.context, { slug: "log", pages, pdf: "%PDF" });
    const shown = async (query: string): Promise<number[]> => {
      const page = await (await visit(app, `/documents/${id}-log/${query}`)).text();
      return Array.from(page.matchAll(/text of (\d) &#60;b&#62;/g), ([, number]) => Number(number));
    };
    expect(await shown("")).toEqual([1, 2, 3, 4, 5]);
    expect(await shown("?page=7")).toEqual([7, 8, 9]);
    for (const odd of ["0", "10", "x", "-1"]) expect(await shown(`?page=${odd}`)).toEqual([1, 2, 3, 4, 5]);
  });

  it("is small for a document that claims to have a billion pages", async () => {
    const row = { slug: "log", page_count: 1_000_000_000, page_spec: "612x792:0-999999999", file_hash: "a" };
    const [id = 0] = await addDocuments(app.context, [row]);
    await app.context.files.put(`documents/${id}/log.pdf`, Readable.from(["%PDF-"]));
    for (const target of [`${id}-log/`, `${id}-log/?page=999999999`, `${id}/pages/999999999/`]) {
      const response = await visit(app, `/documents/${target}`);
      expect([target, response.status]).toEqual([target, 200]);
      expect((await response.text()).length).toBeLessThan(50_000);
    }
  });

  it("renders the Markdown and HTML of the description, but nothing executable", async () => {
    const description =
      "**Yearly** <script>alert(1)</script><i onclick='x'>a</i> [b](javascript:c) https://a.org/";
    const [id] = await addDocuments(app.context, [{ description }]);
    const page = await (await visit(app, `/documents/${id}-a-document/`)).text();
    expect(page).toContain("<strong>Yearly</strong>");
    expect(page).toContain("<i>a</i>");
    expect(page).toContain('<a href="https://a.org/" rel="noopener nofollow">');
    expect(page).not.toMatch(/alert\(1\)|onclick|javascript:/);
  });

  it("shows the file at the address of an imported record", async () => {
    const [id] = await addDocuments(app.context, [
      { slug: "x", original_extension: "docx", asset_url: "https://files.a.org/s3/" },
    ]);
    const response = await visit(app, `/documents/${id}-x/`);
    expect(response.headers.get("content-security-policy")).toBe(
      documentSecurityPolicy(["https://files.a.org/s3/"]),
    );
    expect(await response.text()).toContain(`href="https://files.a.org/s3/documents/${id}/x.pdf" download`);
  });
});

describe("the files on the page of a document", () => {
  it("come from this site if they require the reader's cookie, even if other files are elsewhere", async () => {
    await using app = await startTestApp("sqlite", { QUIRE_ASSET_URL: "https://cdn.example.org/" });
    await addDocuments(app.context, []);
    const { id: owner, headers } = await addPerson(app.context, { username: "owner", organizations: [1] });
    const [open, closed] = await addDocuments(app.context, [
      { slug: "a" },
      { slug: "a", access: "private", user_id: owner },
    ]);
    const filesOf = async (id: number | undefined): Promise<string | undefined> => {
      const page = await (await app.fetch(`/documents/${id}-a/`, { headers })).text();
      return /data-files="([^"]*)"/.exec(page)?.[1];
    };
    expect(await filesOf(open)).toBe("https://cdn.example.org/");
    expect(await filesOf(closed)).toBe("/files/");
  });

  it("may come from the store to which their addresses redirect", async () => {
    await using store = await startS3Server();
    await using app = await startTestApp("sqlite", { ...store.environment, QUIRE_S3_REDIRECT: "on" });
    const [id] = await addDocuments(app.context, [{ slug: "a" }]);
    const policy = (await app.fetch(`/documents/${id}-a/`)).headers.get("content-security-policy");
    const { origin } = new URL(store.environment["QUIRE_S3_ENDPOINT"] ?? "");
    expect(policy).toContain(`img-src 'self' ${app.url} ${origin};`);
  });
});

describe("static files", () => {
  it("are immutable, at addresses that change with their content", async () => {
    await using app = await startTestApp("sqlite");
    await addDocuments(app.context, [{}]);
    const { headers } = await addPerson(app.context, { username: "one", isAdministrator: true });
    const page = await (await app.fetch("/api/documents/1/?format=api", { headers })).text();
    const paths = Array.from(page.matchAll(/(?:href|src)="(\/static\/[^"]*)"/g), ([, path = ""]) => path);
    const types = new Set<string | null>();
    expect(new Set(paths).size).toBe(5);
    for (const path of paths) {
      const response = await app.fetch(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      types.add(response.headers.get("content-type"));
    }
    expect(types).toEqual(
      new Set(["font/woff2", "image/svg+xml", "text/css; charset=utf-8", "text/javascript; charset=utf-8"]),
    );
  });
});

describe("a signed-in user", () => {
  it("is named on pages that only they can see", async () => {
    await using app = await startTestApp("sqlite");
    const [id] = await addDocuments(app.context, [{}]);
    const { headers } = await addPerson(app.context, { username: "mara" });
    const paths = ["/", `/documents/${id}-a-document/`, "/nowhere/", "/api/?format=api", "/api/schema/docs/"];
    for (const path of paths) {
      const theirs = await app.fetch(path, { headers: { ...headers, accept: "text/html" } });
      expect(await theirs.text()).toContain(`Signed in as </span>mara`);
      for (let again = 0; again < 3; again++) {
        const page = await (await visit(app, path)).text();
        expect(page).not.toContain("mara");
        expect(page).toContain(`href="/sign-in/?next=${encodeURIComponent(path)}">Sign in</a>`);
      }
    }
  });
});

describe.each(defaultEngines)("the list of projects on %s", (engine) => {
  it("shows the projects that the viewer may see, and redirects do not add a second slash", async () => {
    await using app = await startTestApp(engine);
    const [document = 0] = await addDocuments(app.context, [{}]);
    const open = await addProject(app.context, { title: "Open", slug: "open" }, [document]);
    const hidden = await addProject(app.context, { title: "Hidden", slug: "", private: true }, [document]);
    const member = await addPerson(app.context, { username: "member", projects: { [hidden]: "view" } });
    const shown = async (headers: Record<string, string>): Promise<[string, string][]> => {
      const answer = await app.fetch("/projects/", { headers: { accept: "text/html", ...headers } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-security-policy")).toBe(pageSecurityPolicy);
      return listed(await answer.text());
    };
    const [first, second] = [`${app.url}/projects/${open}-open/`, `${app.url}/projects/${hidden}/`];
    expect(await shown({})).toEqual([["Open", first]]);
    expect(await shown(member.headers)).toEqual([
      ["Open", first],
      ["Hidden", second],
    ]);
    for (const address of [first, second]) {
      expect((await fetch(address, { headers: member.headers })).status).toBe(200);
    }
    expect((await visit(app, "/projects")).headers.get("location")).toBe("/projects/");
    for (const path of [
      "/projects//",
      "/embed/documents/",
      "/embed/documents//",
      "/api/projects//users",
      "/api/documents//notes/",
      "/api/users//",
      "/users//",
      "/organizations//",
    ]) {
      const location = (await visit(app, path)).headers.get("location") ?? "";
      expect([path, location.includes("//")]).toEqual([path, false]);
    }
    expect((await visit(app, "/projects/?cursor=nonsense")).status).toBe(404);
  });
});
