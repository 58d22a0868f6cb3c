import { beforeAll, describe, expect, it } from "vitest";
import { addOwners } from "../../../testing/factories.ts";
import { type Person, addPerson } from "../../../testing/people.ts";
import { addReadDocuments } from "../../../testing/read-documents.ts";
import { sendAs } from "../../../testing/requests.ts";
import { engines, useApp } from "../../../testing/test-app.ts";

const texts: [title: string, text: string, access?: "private"][] = [
  ["Dredging", "The port office dredges the basin. Dredging of the basin costs silver. The report was read."],
  ["Silt", "Silt in the basin is removed by dredging, says the report of the harbour."],
  ["Ferries", "The ferry sails at six. The report of the captain was read in the harbour."],
  ["School", "The school in Quay Street closes. The report was read by the council."],
  ["Secret", "Dredging of the basin with silver zanzibar, a report.", "private"],
];

describe.each(engines)("documents like another one, on %s", (engine) => {
  const app = useApp(engine);
  let owner: Person;
  let ids: number[];
  beforeAll(async () => {
    await app.context.database.write(addOwners);
    owner = await addPerson(app.context, { username: "ada" });
    const rows = texts.map(([title, text, access = "public"]) => ({
      title,
      pages: [text],
      access,
      user_id: owner.id,
    }));
    ids = await addReadDocuments(app.context, rows);
  });

  async function search(parameters: Record<string, string>, person: Person | null = null) {
    const target = `/api/documents/search/?${new URLSearchParams(parameters).toString()}`;
    const { status, body } = await sendAs(app, person, "GET", target);
    const titles: string[] = (body.results ?? []).map(({ title }: { title: string }) => title);
    return { status, body, titles };
  }

  it("are found by its most telling words, without itself", async () => {
    const { titles, body } = await search({ like: String(ids[0]) });
    expect(titles[0]).toBe("Silt");
    expect(titles).not.toContain("Dredging");
    // What every text has, and what no other document has, tells nothing.
    expect(body.q).toMatch(/\bbasin\^1\.7\b.* NOT id:\d+$/);
    expect(body.q).not.toMatch(/\b(?:the|of|silver|office)\b/);
    expect((await search({ q: body.q })).titles).toEqual(titles);
  });

  it("are found by a text, and narrowed by other parameters", async () => {
    const like_text = "When does the ferry sail, and what did its captain say?";
    expect((await search({ like_text })).titles).toEqual(["Ferries"]);
    const narrowed = await search({ like: String(ids[0]), id: String(ids[2]), facets: "access" });
    expect(narrowed.titles).toEqual(["Ferries"]);
    expect(narrowed.body.facets.access.values).toEqual([{ value: "public", count: 1 }]);
    const none = await search({ like_text: "zzz qqq" });
    expect([none.status, none.body.count, none.body.escaped]).toEqual([200, 0, false]);
  });

  it("are those that the viewer may see, and so are the documents by which words are rare", async () => {
    const like = String(ids[0]);
    expect((await search({ like }, owner)).titles[0]).toBe("Secret");
    expect((await search({ like })).titles).not.toContain("Secret");
    expect((await search({ like }, owner)).body.q).toContain("silver");
    expect((await search({ like })).body.q).not.toContain("silver");
    const hidden = await search({ like: String(ids[4]) });
    const missing = await search({ like: "999999" });
    expect([hidden.status, hidden.body]).toEqual([404, missing.body]);
    expect((await search({ like: String(ids[4]) }, owner)).titles).toContain("Dredging");
    expect((await search({ like_text: "zanzibar" })).titles).toEqual([]);
    expect((await search({ like_text: "zanzibar" }, owner)).titles).toEqual(["Secret"]);
  });

  it("are walked with the words that the walk began with", async () => {
    const first = await search({ like: String(ids[0]), per_page: "1" });
    const { next } = first.body;
    expect(next).not.toContain("like=");
    await addReadDocuments(app.context, [
      {
        title: "Newer",
        pages: ["dredging dredging basin silver office"],
        user_id: owner.id,
      },
    ]);
    const second = await sendAs(app, null, "GET", next.slice(next.indexOf("/api/")));
    expect(second.status).toBe(200);
    expect(second.body.results[0].title).not.toBe("Newer");
  });

  it("are refused beside a query, and for a text that is too long", async () => {
    for (const parameters of [
      { like: "1", q: "port" },
      { like: "1", like_text: "port" },
      { like_text: "port ".repeat(2001) },
    ]) {
      const { status, body } = await search(parameters);
      expect([status, body.code]).toEqual([400, "too_much"]);
    }
  });

  it("are led to by a document's page, and by a text on the search page", async () => {
    const page = await app.fetch(`/documents/${ids[0]}-dredging/`, { headers: { accept: "text/html" } });
    expect(await page.text()).toContain(`?like=${ids[0]}"`);
    const redirect = await app.fetch(`/?like=${ids[0]}`, { redirect: "manual" });
    expect(redirect.status).toBe(302);
    const results = await app.fetch(new URL(redirect.headers.get("location") ?? "").search.replace(/^/, "/"));
    const html = await results.text();
    expect(html).toContain("Silt");
    expect(html).toContain('name="like_text"');
  });
});
