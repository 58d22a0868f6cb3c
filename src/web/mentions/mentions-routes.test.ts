import { beforeAll, describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { addReadDocuments } from "../../testing/read-documents.ts";
import { sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

/** The addresses of links, as a browser reads them. */
const linksIn = (markup: string): string[] =>
  Array.from(markup.matchAll(/href="([^"]*)"/g), ([, href = ""]) =>
    href.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#34;", '"'),
  );

describe.each(defaultEngines)("the pages of what documents mention, on %s", (engine) => {
  const app = useApp(engine);
  let ids: number[];
  beforeAll(async () => {
    await addDocuments(app.context, []);
    const row = { access: "public", slug: "x" };
    ids = await addReadDocuments(app.context, [
      { ...row, title: "One", pages: ["Dredging", 'Write to ada@example.org, "quoted" <b>'] },
      { ...row, title: "Two", pages: ["Dredging, says ada@example.org on 9 March 2024"] },
      { ...row, title: "Hidden", access: "private", pages: ["Dredging secret@example.org"] },
    ]);
  });

  const page = async (address: string): Promise<string> =>
    (await app.fetch(address, { headers: { accept: "text/html" } })).text();
  it("lead from a search to its values, and from a value to the documents that mention it", async () => {
    const search = await page("/?q=dredging");
    const values = linksIn(search).find(
      (href) => href.includes("/mentioned/?") && href.includes("kind=email"),
    );
    const markup = await page(
      new URL(values ?? "", "http://x").pathname + new URL(values ?? "", "http://x").search,
    );
    expect(markup).toContain("<bdi>ada@example.org</bdi>");
    expect(markup).not.toContain("secret@example.org");
    const hits = linksIn(markup).find((href) => href.includes("mention_email")) ?? "";
    const { search: query } = new URL(hits, "http://x");
    const { body } = await sendAs(app, null, "GET", `/api/documents/search/${query}`);
    expect(body.count).toBe(2);
  });

  it("list what a document mentions, with the page where it stands", async () => {
    const markup = await page(`/documents/${ids[0]}/mentioned/`);
    expect(markup).toContain("<bdi>ada@example.org</bdi>");
    expect(linksIn(markup).some((href) => href.endsWith("#document/p2"))).toBe(true);
    expect(await page(`/documents/${ids[0]}-x/`)).toContain(`/documents/${ids[0]}/mentioned/`);
    expect((await app.fetch(`/documents/${ids[2]}/mentioned/`)).status).toBe(404);
  });

  it("sort dates by day, say that there is nothing, and refuse an unknown kind", async () => {
    expect(await page("/mentioned/?kind=date")).toContain("2024-03-09");
    expect((await app.fetch("/mentioned/?kind=iban")).status).toBe(200);
    expect((await app.fetch("/mentioned/?kind=colour")).status).toBe(400);
  });
});
