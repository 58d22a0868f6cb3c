import { beforeAll, describe, expect, it } from "vitest";
import { roles } from "../../testing/access-rights.ts";
import { accessWorld, matrixDocuments } from "../../testing/access-world.ts";
import { type Reply, sendAs } from "../../testing/requests.ts";
import { defaultEngines, useStarted } from "../../testing/test-app.ts";
import { insertNote } from "./store.ts";

const moment = "2025-01-31T12:00:00.000000Z";

const idsIn = ({ body }: Reply): number[] => body.results.map(({ id }: { id: number }) => id);

describe.each(defaultEngines)("the notes on all documents on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let documents: number[];
  beforeAll(async () => {
    documents = matrixDocuments(engine, world.documents).map(({ id }) => id);
    const authors = [world.people.owner, world.people.other].map((person) => person?.id ?? 0);
    await world.app.context.database.write(async (writer) => {
      for (const document_id of documents) {
        for (const user_id of authors) {
          for (const access of ["public", "organization", "private", "invisible"] as const) {
            await insertNote(writer, {
              document_id,
              user_id,
              organization_id: null,
              page_number: 0,
              access,
              title: `=${access} of ${user_id}`,
              content: 'Says "yes", and\nno',
              content_html: 'Says "yes", and\nno',
              x1: 0.25,
              x2: 0.5,
              y1: 0.25,
              y2: 0.5,
              created_at: moment,
              updated_at: moment,
            });
          }
        }
      }
    });
  });

  const get = (role: (typeof roles)[number], target: string): Promise<Reply> =>
    sendAs(world.app, world.people[role], "GET", target);

  it.each(roles)("are those of each document that this viewer may see: %s", async (role) => {
    const each = await Promise.all(
      documents.map((id) => get(role, `/api/documents/${id}/notes/?per_page=100`)),
    );
    const visible = each.filter(({ status }) => status === 200);
    const notes = visible.flatMap(({ body }) => body.results);
    const all = await get(role, "/api/notes/?per_page=1000");
    const expected = notes.toSorted((left, right) => right.id - left.id);
    expect(all.body.results).toMatchObject(expected);
    expect(all.body.results).toHaveLength(expected.length);
    const file = await world.app.fetch("/api/notes/export/?as=json", {
      headers: world.people[role]?.headers ?? {},
    });
    const exported = (await file.json()) as { id: number }[];
    expect(exported.map(({ id }) => id)).toEqual(idsIn(all));
  });

  it("come a page at a time, newest first, in both directions", async () => {
    const all = idsIn(await get("owner", "/api/notes/?per_page=1000"));
    let page = await get("owner", "/api/notes/?per_page=7");
    const walked: number[][] = [idsIn(page)];
    while (page.body.next !== null) {
      page = await get("owner", page.body.next.slice(world.app.url.length));
      walked.push(idsIn(page));
    }
    expect(walked.flat()).toEqual(all);
    page = await get("owner", page.body.previous.slice(world.app.url.length));
    expect(idsIn(page)).toEqual(walked.at(-2));
  });

  it("are filtered by document, author, access, project and search", async () => {
    const { owner, other } = world.people;
    const [document = 0] = documents;
    const found = async (query: string): Promise<Record<string, unknown>[]> =>
      (await get("owner", `/api/notes/?per_page=1000&${query}`)).body.results;
    const all = await found("");
    const where = (matches: (note: Record<string, unknown>) => boolean) => all.filter(matches);
    expect(await found(`document=${document}`)).toEqual(where((note) => note["document"] === document));
    expect(await found(`user=${other?.id}&access=public`)).toEqual(
      where((note) => note["user"] === other?.id && note["access"] === "public"),
    );
    // A search for a document, and for a word that only a private note of the viewer has.
    expect(await found(`q=id:${document}`)).toEqual(where((note) => note["document"] === document));
    const [mine] = where((note) => note["access"] === "private" && note["user"] === owner?.id);
    const target = `/api/documents/${String(mine?.["document"])}/notes/${String(mine?.["id"])}/`;
    await sendAs(world.app, owner, "PATCH", target, { content: "a quokka" });
    expect((await found("q=quokka")).map(({ document: id }) => id)).toContain(mine?.["document"]);
    expect((await get("other", "/api/notes/?q=quokka")).body.results).toEqual([]);
    const { body } = await get("owner", `/api/projects/${world.project}/documents/?per_page=1000`);
    const members = new Set(body.results.map((row: { document: number }) => row.document));
    const ofProject = (await found(`project=${world.project}`)).map(({ id }) => id);
    expect(ofProject.length).toBeGreaterThan(0);
    expect(ofProject).toEqual(where((note) => members.has(note["document"])).map(({ id }) => id));
  });

  it("refuse invalid filters, and projects that the viewer may not see", async () => {
    const { body: hidden } = await sendAs(world.app, world.people.owner, "POST", "/api/projects/", {
      title: "Hidden",
      private: true,
    });
    for (const query of [`project=${hidden.id}`, "project=999999"]) {
      const { status, body } = await get("other", `/api/notes/?${query}`);
      expect([status, body.project[0]]).toEqual([400, expect.stringContaining("Select a valid choice")]);
    }
    expect((await get("owner", `/api/notes/?project=${hidden.id}`)).status).toBe(200);
    expect((await get("other", "/api/notes/?access=invisible")).status).toBe(400);
    expect((await get("other", "/api/notes/?user=x")).status).toBe(400);
    expect((await get("other", "/api/notes/export/?as=xlsx")).status).toBe(400);
    expect((await get("other", `/api/notes/export/?project=${hidden.id}`)).status).toBe(400);
  });

  it("are exported as CSV that no spreadsheet runs", async () => {
    const { owner } = world.people;
    const answer = await world.app.fetch(`/api/notes/export/?as=csv&user=${owner?.id}&access=public`, {
      headers: owner?.headers ?? {},
    });
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="notes.csv"');
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await answer.arrayBuffer());
    const [head = "", first = ""] = text.split("\r\n");
    expect(head).toBe(
      "\uFEFFid,document,document_title,page,title,content,access,user,user_name,created_at,updated_at,x1,x2,y1,y2,canonical_url",
    );
    expect(first).toContain(
      `,1,'=public of ${owner?.id},"Says ""yes"", and\nno",public,${owner?.id},owner,${moment},${moment},0.25,0.5,0.25,0.5,`,
    );
    expect(first).toMatch(/\/documents\/\d+-a-document\/#document\/p1\/a\d+$/);
  });
});
