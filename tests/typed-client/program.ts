import createClient from "openapi-fetch";
import type { components, paths } from "quire-api";

/*
 * A typical client with the types generated from the served schema. It is compiled strictly, without a cast, and then
 * run. Each expected error is a wrong use that the compiler has to refuse.
 */

type Document = components["schemas"]["Document"];

const [baseUrl = "", authorization = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization } });

function check(isTrue: boolean, failure: string): void {
  if (!isTrue) throw new Error(failure);
}

function formOf(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof File) form.append(name, value, value.name);
    else form.append(name, typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}

async function upload(): Promise<Document> {
  const file = new File(["Budget of the harbour"], "minutes.txt", { type: "text/plain" });
  const { data, error } = await client.POST("/api/documents/", {
    body: { title: "Minutes", access: "private", data: { topic: ["budget"] }, file },
    bodySerializer: formOf,
  });
  if (data === undefined || Array.isArray(data)) throw new Error(JSON.stringify(error));
  return data;
}

async function list({ id, user: owner }: Document): Promise<void> {
  const { data, error } = await client.GET("/api/documents/", {
    params: {
      query: {
        user: typeof owner === "number" ? [owner] : [],
        access: ["private", "organization"],
        created_at__gt: "2020-01-31T00:00:00Z",
        page_count__lt: 100,
        ordering: "-created_at",
        per_page: 10,
        expand: ["user"],
      },
    },
  });
  if (data === undefined) throw new Error(JSON.stringify(error));
  const next: string | null = data.next;
  const found = data.results.find((document) => document.id === id);
  if (found === undefined) throw new Error("the uploaded document is not in the list");
  const topics: string[] | undefined = found.data["topic"];
  const name: string = found.user === null || typeof found.user === "number" ? "" : found.user.username;
  check(next === null && topics?.[0] === "budget" && name !== "", "the list is not as its types say");
  // @ts-expect-error: no record has such a member
  check(found.titel === undefined, "there is a titel");
  // @ts-expect-error: an id is a number
  check(found.id !== "1", "an id is a text");
  // @ts-expect-error: no document has such a level
  check(found.access !== "secret", "a document is secret");
  // @ts-expect-error: a user may be an id
  check(found.user?.username !== undefined, "the user is not expanded");
}

async function search(): Promise<void> {
  const { data, error } = await client.GET("/api/documents/search/", {
    params: { query: { q: "harbour", hl: true, per_page: 5, status: "success" } },
  });
  if (data === undefined) throw new Error(JSON.stringify(error));
  const count: number = data.count;
  const ids: string[] = data.results.map((document) => document.id);
  const pieces: string[] = data.results.flatMap(({ highlights }) => highlights?.["page_no_1"] ?? []);
  check(count === ids.length && pieces.length <= count, "the search is not as its types say");
}

async function change({ id }: Document): Promise<void> {
  const params = { path: { id } };
  const { data, error } = await client.PATCH("/api/documents/{id}/", {
    params,
    body: { title: "Minutes of May", publish_at: null, noindex: true },
  });
  if (data === undefined) throw new Error(JSON.stringify(error));
  const { title, noindex, publish_at } = data;
  const moment: string | null = publish_at;
  check(title === "Minutes of May" && noindex && moment === null, "the change is not as its types say");
  const note = await client.POST("/api/documents/{id}/notes/", {
    params,
    body: { title: "A note", page_number: 5 },
  });
  const fault = note.error;
  check(note.data === undefined && fault !== undefined, "there is no page 5");
}

async function wrongUses(): Promise<void> {
  const missing = await client.GET("/api/documents/{id}/", { params: { path: { id: 999_999 } } });
  const reason: string =
    missing.error !== undefined && "detail" in missing.error ? missing.response.statusText : "";
  check(missing.data === undefined && reason !== "", "there is a document 999999");
  // @ts-expect-error: there is no such path
  await client.GET("/api/documentz/");
  // @ts-expect-error: an id is a number
  await client.GET("/api/documents/{id}/", { params: { path: { id: "one" } } });
  // @ts-expect-error: a page count is a number
  await client.GET("/api/documents/", { params: { query: { page_count: "many" } } });
  // @ts-expect-error: nobody has such access
  await client.GET("/api/documents/", { params: { query: { access: ["publik"] } } });
  // @ts-expect-error: hl is true or false
  await client.GET("/api/documents/search/", { params: { query: { hl: "yes" } } });
  // @ts-expect-error: a new document needs a title
  await client.POST("/api/documents/", { body: { access: "private" }, bodySerializer: () => "{}" });
  // @ts-expect-error: a file is a Blob
  await client.POST("/api/documents/", { body: { file: 5 }, bodySerializer: () => "{}" });
  // @ts-expect-error: a level is one of three
  await client.PATCH("/api/documents/{id}/", { params: { path: { id: 1 } }, body: { access: "secret" } });
  // @ts-expect-error: an entity is named by a text
  await client.POST("/api/entities/", { body: { wikidata_id: 42 } });
}

const document = await upload();
await list(document);
await search();
await change(document);
await wrongUses();
console.log(`done with ${document.id}`);
