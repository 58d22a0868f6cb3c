import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { buildPdf } from "../../testing/pdf.ts";
import { type Person, beginSession } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";
import { useWorker } from "../../testing/use-worker.ts";

const size = { width: 480, height: 120 };
const pdf = buildPdf({
  pages: [
    { ...size, lines: ["The harbour dues rose to 1,250 euros."] },
    { ...size, lines: ["Nobody objected."] },
  ],
});

/** What a tool returns: the object that it also has as text, or the refusal. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests say what they expect of it
async function call(client: Client, name: string, given: object): Promise<any> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...given } });
  const [{ text = "" } = {}] = content as { text?: string }[];
  if (isError === true) return { refusal: text };
  return JSON.stringify(structuredContent) === text ? structuredContent : { other: text };
}

const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listTools()).tools.map(({ name }) => name);

describe.each(defaultEngines)("assistants on %s", (engine) => {
  const app = useApp(engine);
  let id: number;
  let page: string;
  const owner = app.person("owner", { organizations: [1] });
  const reader = app.person("reader", { organizations: [1], mayWrite: false });
  const worker = useWorker(app);
  beforeAll(async () => {
    const value = { title: "Minutes", access: "organization" };
    const { body } = await sendAs(app, owner, "POST", "/api/documents/", value);
    id = body.id;
    page = body.canonical_url;
    await fetch(body.presigned_url, { method: "PUT", body: pdf as NonNullable<RequestInit["body"]> });
    await sendAs(app, owner, "POST", `/api/documents/${id}/process/`, {});
    await worker.drain();
  });

  async function connected(person: Person | null): Promise<Client> {
    const client = new Client({ name: "a test", version: "1.0.0" });
    const headers = { ...person?.headers };
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } }),
    );
    return client;
  }

  it("find, read and quote, with an address for each result", async () => {
    const client = await connected(reader);
    expect(client.getServerVersion()?.name).toBe("quire");
    const found = await call(client, "search_documents", { query: "harbour" });
    expect(found).toMatchObject({ count: 1, results: [{ id, url: page, page_count: 2 }] });
    expect(found.results[0].matching_pages[0]).toMatchObject({ page: 1, url: `${page}#document/p1` });
    expect((await call(client, "list_documents", {})).results).toMatchObject([{ id, url: page }]);
    expect(await call(client, "get_document", { document: id })).toMatchObject({
      title: "Minutes",
      url: page,
    });
    const read = await call(client, "read_pages", { document: id, first_page: 1, last_page: 9 });
    expect(read).toMatchObject({
      pages: [
        { page: 1, url: `${page}#document/p1`, text: expect.stringContaining("1,250 euros") },
        { page: 2, text: "Nobody objected." },
      ],
      next_page: null,
    });
    const quote = await call(client, "verify_quote", {
      quote: "rose to 1,250\u00a0euros",
      document: id,
      page: 1,
    });
    expect(quote).toMatchObject({ verified: true, documents: [{ id, matches: [{ page: 1 }] }] });
    expect(await call(client, "verify_quote", { quote: "rose to 1,260 euros" })).toMatchObject({
      verified: false,
    });
    await client.close();
  });

  it("write only with a token that may, and then as the API lets its owner", async () => {
    const [readOnly, client] = [await connected(reader), await connected(owner)];
    const reading = await namesOf(readOnly);
    expect((await namesOf(client)).filter((name) => !reading.includes(name))).toEqual([
      "add_note",
      "create_project",
      "add_to_project",
      "upload_document",
    ]);
    const given = { document: id, page: 1, title: "Dues" };
    const refused = await readOnly
      .callTool({ name: "add_note", arguments: given })
      .catch((error: unknown) => error);
    expect(refused instanceof Error || (refused as { isError?: boolean }).isError).toBe(true);

    const note = await call(client, "add_note", {
      ...given,
      access: "organization",
      x1: 0.1,
      x2: 0.2,
      y1: 0.1,
      y2: 0.2,
    });
    expect(note).toMatchObject({ title: "Dues", page: 1, url: `${page}#document/p1/a${note.id}` });
    expect((await call(readOnly, "read_notes", { document: id })).notes).toMatchObject([{ id: note.id }]);
    const project = await call(client, "create_project", { title: "Harbour" });
    expect(project).toMatchObject({ private: true, url: `${app.url}/projects/${project.id}-harbour/` });
    await call(client, "add_to_project", { project: project.id, document: id });
    expect((await call(client, "list_documents", { project: project.id })).results).toHaveLength(1);
    expect((await call(readOnly, "list_projects", {})).results).toEqual([]);
    const made = await call(client, "upload_document", { title: "A text", text: "Written\nby an assistant" });
    await worker.drain();
    const text = await call(client, "read_pages", { document: made.id, first_page: 1 });
    expect(text).toMatchObject({
      access: "private",
      pages: [{ text: expect.stringContaining("by an assistant") }],
    });
    expect(await call(client, "upload_document", { title: "Nothing" })).toHaveProperty("refusal");
    expect(await call(client, "upload_document", { title: "x", url: "ftp://a" })).toHaveProperty("refusal");
    await Promise.all([readOnly.close(), client.close()]);
  });

  it("are refused in the words of the API, and see no more than it shows", async () => {
    const client = await connected(null);
    for (const [name, given] of [
      ["get_document", {}],
      ["read_pages", { first_page: 1 }],
      ["read_notes", {}],
      ["read_table", {}],
      ["verify_quote", { quote: "Nobody objected" }],
    ] as const) {
      expect(await call(client, name, { document: id, ...given })).toEqual({
        refusal: '{"detail":"Not found."}',
      });
    }
    expect((await call(client, "search_documents", { query: "harbour" })).count).toBe(0);
    expect(await call(client, "verify_quote", { quote: "Nobody objected" })).toMatchObject({ documents: [] });
    await client.close();
  });

  it("need no session, and a cookie or a page of another site is no credential", async () => {
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_document", arguments: { document: id } },
    };
    const post = (headers: object) =>
      app.fetch("/mcp", {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: JSON.stringify(message),
      });
    expect(await (await post(owner.headers)).text()).toContain("Minutes");
    expect(await (await post({ ...(await beginSession(app.context, owner)) })).text()).toContain(
      "Not found.",
    );
    expect((await post({ ...owner.headers, origin: "https://elsewhere.example" })).status).toBe(403);
    expect((await post({ authorization: "Bearer quire_wrong" })).status).toBe(403);
    expect((await app.fetch("/mcp")).status).toBe(405);
  });
});
