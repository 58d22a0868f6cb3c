import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { defaultEngines, useApp } from "../../../testing/test-app.ts";
import { anyText } from "../../../testing/texts.ts";
import { type Citation, citationFormats } from "./citation.ts";

const oneLine = anyText.map((text) => text.replaceAll(/\s+/g, " ").trim());
const cited: fc.Arbitrary<Citation> = fc.record({
  key: fc.constant("document7"),
  title: oneLine,
  author: oneLine,
  publisher: oneLine,
  date: fc.constant("2026-01-31"),
  url: fc.constant("https://a.org/documents/7-budget/"),
  pdf: fc.constant(null),
  language: fc.constantFrom("", "de"),
  abstract: oneLine,
  pageCount: fc.nat(9),
  page: fc.option(fc.integer({ min: 1, max: 9 })),
});

describe("a citation", () => {
  it("always has balanced braces and complete fields in BibTeX, whatever the texts are", () => {
    fc.assert(
      fc.property(cited, (citation) => {
        const written = citationFormats.bibtex.write(citation);
        const plain = written.replaceAll(/\\[&%$#_]/g, "");
        let depth = 0;
        for (const character of plain) {
          if (character === "{") depth += 1;
          if (character === "}") depth -= 1;
          expect(depth).toBeGreaterThanOrEqual(0);
        }
        expect(depth).toBe(0);
        expect(plain).not.toMatch(/[%#&$]/);
      }),
    );
  });

  it("always has a tag on every line of RIS, and its texts in CSL-JSON", () => {
    fc.assert(
      fc.property(cited, (citation) => {
        const lines = citationFormats.ris.write(citation).split("\r\n");
        expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual(["TY  - RPRT", "ER  - ", ""]);
        for (const line of lines.slice(0, -1)) expect(line).toMatch(/^[A-Z]{2} {2}- /);
        const [item] = JSON.parse(citationFormats.csl.write(citation)) as [Record<string, unknown>];
        expect([item["title"], item["URL"]]).toEqual([citation.title, citation.url]);
        expect(item["issued"]).toEqual({ "date-parts": [[2026, 1, 31]] });
      }),
    );
  });
});

describe.each(defaultEngines)("citing a document on %s", (engine) => {
  const app = useApp(engine);
  let id = 0;
  beforeAll(async () => {
    const row = { access: "public", slug: "budget", title: 'Budget & "Plan" 100 %', source: "City of A" };
    const created_at = "2026-01-31T10:00:00.000000Z";
    [id = 0] = await addReadDocuments(app.context, [
      { ...row, language: "deu", created_at, pages: ["a", "b"] },
    ]);
  });

  it("gives each format a type and a name, and names the page", async () => {
    const path = `/api/documents/${id}/citation/`;
    const bibtex = await app.fetch(`${path}?as=bibtex&page=2`);
    expect(bibtex.headers.get("content-type")).toBe("application/x-bibtex; charset=utf-8");
    expect(bibtex.headers.get("content-disposition")).toBe(`attachment; filename="document${id}p2.bib"`);
    const text = await bibtex.text();
    expect(text).toContain('title = {{Budget \\& "Plan" 100 \\%}}');
    expect(text).toContain("pages = {2},\n  url = {http");
    expect(text).toContain(`/documents/${id}/pages/2/},\n`);
    const [item] = (await (await app.fetch(path)).json()) as [Record<string, unknown>];
    expect(item).toMatchObject({ type: "report", author: [{ literal: "City of A" }], language: "de" });
    expect(await (await app.fetch(`${path}?as=ris`)).text()).toContain("\r\nDA  - 2026/01/31/\r\n");
    for (const query of ["as=word", "page=3", "page=0", "page=x"]) {
      expect([query, (await app.fetch(`${path}?${query}`)).status]).toEqual([query, 400]);
    }
    expect((await sendAs(app, null, "GET", "/api/documents/99/citation/")).status).toBe(404);
  });

  it("is in the head of the document's page, and of its pages, where Zotero reads it", async () => {
    const page = await (await app.fetch(`/documents/${id}/pages/2/`)).text();
    expect(page).toContain('<meta name="citation_title" content="Budget &#38; &#34;Plan&#34; 100 %" />');
    expect(page).toContain('<meta name="citation_firstpage" content="2" />');
    expect(page).toMatch(
      new RegExp(`name="citation_pdf_url" content="http[^"]*/documents/${id}/budget.pdf"`),
    );
    expect(page).toContain(`/api/documents/${id}/citation/?as=ris&#38;page=2"`);
    const whole = await (await app.fetch(`/documents/${id}-budget/`)).text();
    expect(whole).not.toContain("citation_firstpage");
    expect(whole).toMatch(
      new RegExp(`name="citation_public_url" content="http[^"]*/documents/${id}-budget/"`),
    );
  });
});
