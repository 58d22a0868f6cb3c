import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replacePages } from "../src/resources/documents/pages/page-store.ts";
import { addReceipt } from "../src/resources/documents/receipt-store.ts";
import { type Asked, type Reply, ask, columnOf, linesOf, rightOf } from "../src/testing/access-rights.ts";
import {
  type AccessWorld,
  type Role,
  type WorldDocument,
  accessWorld,
  dumpOf,
  fileTables,
  roles,
  worldFile,
  worldSlug,
} from "../src/testing/access-world.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { sendAs } from "../src/testing/requests.ts";
import { type TestApp, engines } from "../src/testing/test-app.ts";
import { insertNote } from "../src/resources/notes/store.ts";

/*
 * The expected answer for each right (see access-rights.ts) on the routes that work on a document's file or show its
 * texts and images. `201/busy`: the second answer applies while the file is being processed. `201?full`: the second
 * applies unless the document waits for its file.
 */
const answers = `
  route                      n        a        -        v            e            E
  POST redactions            signin   signin   nothing  unedited     201/busy     201/busy
  POST modifications         signin   signin   nothing  unedited     201/busy     201/busy
  POST post_process          signin   signin   never    never        never        never
  POST process               signin   signin   nothing  unprocessed  200/doing    200/doing
  POST file                  signin   signin   nothing  unedited     200/doing    200/doing
  DELETE process             signin   signin   nothing  denied       denied       idle/200
  POST several               signin   signin   unfound  unfound      200/unfound  200/unfound
  POST ids                   signin   signin   unfound  unfound      200/unfound  200/unfound
  PATCH record               signin   signin   nothing  denied       200/working  200/working
  PUT record                 signin   signin   nothing  denied       200/working  200/working
  PATCH documents            signin   signin   missing  missing      200/workings 200/workings
  POST tus                   signin   signin   unknown  unknown      201?full     201?full
  POST tus-replace           signin   signin   nothing  unedited     201/doing    201/doing
  PUT upload                 unsigned unsigned unsigned unsigned     unsigned     unsigned
  GET process                nothing  200      nothing  200          200          200
  GET process/events         nothing  200      nothing  200          200          200
  GET receipts               nothing  denied   nothing  denied       200          200
  GET mentions/?q=harbour    nothing  denied   nothing  denied       200          200
  GET errors                 nothing  200      nothing  200          200          200
  GET pending                nothing  200      nothing  200          200          200
  GET search/?q=harbour      nothing  200      nothing  200          200          200
  GET entities               nothing  200      nothing  200          200          200
  GET a-document.txt         nothing  200      nothing  200          200          200
  HEAD a-document.txt        nothing  200      nothing  200          200          200
  GET a-document.txt.json    nothing  200      nothing  200          200          200
  GET pages/a-document-p1.txt nothing 200      nothing  200          200          200
  GET pages/a-document-p1.position.json nothing 200 nothing 200      200          200
  GET pages/a-document-p1-thumbnail.gif nothing 200 nothing 200      200          200
  GET address                nothing  200      nothing  200          200          200
  GET embed                  nothing  200      nothing  200          200          200
  GET page                   nothing  200      nothing  200          200          200
  GET annotation             nothing  200      nothing  200          200          200
  GET oembed                 nothing  200      nothing  200          200          200
  GET oembed-note            nothing  200      nothing  200          200          200
`;

const words: Record<string, [number, unknown]> = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to perform this action." }],
  unedited: [403, { detail: "You may not edit this document" }],
  never: [403, { detail: "You do not have permission to post-process modifications" }],
  unsigned: [403, { detail: "This upload address is invalid or has expired." }],
  unprocessed: [400, { error: "You do not have permission to edit document <id>" }],
  busy: [400, { error: "Already processing" }],
  doing: [400, { error: "Already processing: <id>" }],
  working: [400, ["You may not update `pages` while the document is processing"]],
  workings: [400, [["You may not update `pages` while the document is processing"]]],
  idle: [400, { error: "Not processing" }],
  unfound: [400, ["Could not find all documents to process."]],
  missing: [400, ["Could not find all objects to update."]],
  unknown: [400, { document: ['Invalid pk "<id>" - object does not exist.'] }],
  full: [400, { document: ["It has its file already."] }],
};

const routes = linesOf(answers).map(([method = "", place = "", ...columns]) => ({
  method,
  place,
  answers: columns,
}));

/** Kinds of documents that cover each right of each role, and each state of a file. */
const kinds: ReadonlySet<string> = new Set([
  "public success",
  "public pending",
  "public nofile",
  "organization success",
  "organization nofile",
  "private success",
  "private pending",
  "private nofile",
  "private deleted",
  "invisible success",
]);

const pdf = Buffer.from(buildPdf({ pages: [{ width: 200, height: 300, lines: ["Harbour"] }] }));
const moment = "2025-01-31T12:00:00.000000Z";
const absent = 987_654;
const formWithFile = [
  "--x",
  'content-disposition: form-data; name="file"; filename="a.txt"',
  "",
  "Another text",
  "--x--",
  "",
].join("\r\n");
const atOnce = 8;
const mark = "It was me";
const isPageForPeople = new Set(["embed", "page", "annotation"]);
const tus = (metadata: string): Asked => ({
  target: "/uploads/tus/",
  headers: { "tus-resumable": "1.0.0", "upload-length": "5", "upload-metadata": metadata },
});

/** The expected word for a role's right to the document and the state of its file. */
function wordFor(columns: readonly string[], role: Role, document: WorldDocument): string {
  const word = columns[columnOf(rightOf(role, document))] ?? "";
  const [first = "", sign = "", second = ""] = word.split(/([/?])/);
  const { status } = document;
  const isSecond = sign === "/" ? status === "pending" : sign === "?" && status !== "nofile";
  return isSecond ? second : first;
}

type Named = Pick<WorldDocument, "id" | "access">;

describe.each(engines)("who may do what with a document's file on %s", (engine) => {
  let world: AccessWorld;
  let documents: WorldDocument[];
  const notes = new Map<number, number>();
  beforeAll(async () => {
    world = await accessWorld(engine);
    documents = world.documents.filter(({ access, status }) => kinds.has(`${access} ${status}`));
    for (const { id } of documents) {
      await world.app.context.files.put(worldFile(id), Readable.from([pdf]));
      await fill(id);
    }
  });
  afterAll(() => world[Symbol.asyncDispose]());

  /** Gives a document the text of its page, a note on it, and an earlier error. */
  async function fill(id: number): Promise<void> {
    const { database } = world.app.context;
    await database.write(async (writer) => {
      await replacePages(writer, id, [{ text: "Harbour" }]);
      const details = { message: "It would not open" };
      await addReceipt(writer, { documentId: id, step: "read", outcome: "failed", milliseconds: 1, details });
    });
    notes.set(id, await addNote(id, "public"));
  }

  /** A note of a person who sends no requests in this test. */
  function addNote(document_id: number, access: "public" | "private"): Promise<number> {
    return world.app.context.database.write(async (writer) => {
      const place = { document_id, page_number: 0, x1: 0, x2: 1, y1: 0, y2: 1 };
      const whose = { user_id: 1, organization_id: 1, access };
      const said = { title: "A note", content: "", content_html: "", created_at: moment, updated_at: moment };
      return (await insertNote(writer, { ...place, ...whose, ...said })).id;
    });
  }

  /** A new document for a change, so that the shared documents stay as they are. */
  async function another({ access, status }: WorldDocument): Promise<number> {
    const id = await world.add(access, status);
    await fill(id);
    return id;
  }

  function asked(method: string, place: string, { id, access }: Named, note = notes.get(id)): Asked {
    const record = `/api/documents/${id}/`;
    const embedded = (of: string): Asked => ({
      target: `/api/oembed/?url=${encodeURIComponent(`${world.app.url}/documents/${id}${of}`)}`,
    });
    const pages = [{ page_number: 0, text: mark }];
    const documentOf = `document ${Buffer.from(String(id)).toString("base64")}`;
    const asks: Record<string, Asked> = {
      redactions: {
        target: `${record}redactions/`,
        value: [{ x1: 0.1, x2: 0.2, y1: 0.1, y2: 0.2, page_number: 0 }],
      },
      modifications: { target: `${record}modifications/`, value: [{ page: "0,0" }] },
      post_process: { target: `${record}modifications/post_process/`, value: {} },
      process: { target: `${record}process/`, ...(method === "POST" && { value: { force_ocr: true } }) },
      several: { target: "/api/documents/process/", value: [{ id, force_ocr: true }] },
      ids: { target: "/api/documents/process/", value: { ids: [id] } },
      record: { target: record, value: { pages, ...(method === "PUT" && { title: mark, access }) } },
      documents: { target: "/api/documents/", value: [{ id, pages }] },
      file: { target: `${record}file/`, form: formWithFile },
      tus: tus(documentOf),
      "tus-replace": tus(`${documentOf},replace dHJ1ZQ==,filename YS5wZGY=`),
      upload: {
        target: `/uploads/documents/${id}/${worldSlug}.pdf?viewer=1&expires=99999999999&signature=${"x".repeat(43)}`,
        value: "%PDF-",
      },
      address: { target: `/files/${worldFile(id)}`, accept: "application/json" },
      embed: { target: `/embed/documents/${id}/`, accept: "text/html" },
      page: { target: `/documents/${id}/pages/1/`, accept: "text/html" },
      annotation: { target: `/documents/${id}/annotations/${note}/`, accept: "text/html" },
      oembed: embedded(`-${worldSlug}/`),
      "oembed-note": embedded(`/annotations/${note}.html`),
    };
    const isFile = place.includes(worldSlug);
    const rest = place.includes("?") ? place : `${place}/`;
    return asks[place] ?? { target: isFile ? `/files/documents/${id}/${place}` : `${record}${rest}` };
  }

  it("covers every right", () => {
    for (const route of routes) expect([route, route.answers.length]).toEqual([route, 6]);
  });

  it.each(routes)("$method $place", async ({ method, place, answers: columns }) => {
    const differences: unknown[] = [];
    const compare = (role: Role, { access, status }: WorldDocument, told: unknown, expected: unknown) => {
      if (JSON.stringify(told) === JSON.stringify(expected)) return;
      differences.push({ role, access, status, told, expected });
    };
    // Reading positions and images from a PDF takes a thread, so only some documents are used.
    const isDrawn = /position|gif/.test(place);
    const subjects = isDrawn ? documents.filter(({ status }) => status === "success") : documents;
    const cells = roles.flatMap((role) =>
      subjects.map((document) => ({ role, document, word: wordFor(columns, role, document) })),
    );
    const before = await stateOf(world.app);
    const nevers = new Map<string, Promise<Reply>>();
    const askOfNone = (role: Role, request: Asked): Promise<Reply> => {
      const key = JSON.stringify([role, request]);
      const told = nevers.get(key) ?? ask(world, role, method, request, absent);
      nevers.set(key, told);
      return told;
    };
    await each(
      cells.filter(({ word }) => !word.startsWith("2")),
      async ({ role, document, word }) => {
        const told = await ask(world, role, method, asked(method, place, document), document.id);
        const [status, body] = words[word] ?? [];
        const isJson = method !== "HEAD" && !isPageForPeople.has(place);
        const expected = [status, isJson ? body : null];
        compare(role, document, [told.status, isJson ? JSON.parse(told.body) : null], expected);
        if (!["n", "-"].includes(rightOf(role, document))) return;
        const other = asked(method, place, { ...document, id: absent }, notes.get(document.id));
        compare(role, document, told, await askOfNone(role, other));
      },
    );
    expect(differences.slice(0, 3)).toEqual([]);
    expect(await stateOf(world.app)).toBe(before);
    const isChange = !["GET", "HEAD"].includes(method);
    await each(
      cells.filter(({ word }) => word.startsWith("2")),
      async ({ role, document, word }) => {
        const id = isChange ? await another(document) : document.id;
        const request = asked(method, place, { ...document, id });
        if (place === "process/events" && document.status === "pending") {
          const headers = { ...world.people[role]?.headers };
          const answer = await world.app.fetch(request.target, { headers });
          compare(role, document, answer.status, 200);
          await answer.body?.cancel();
          return;
        }
        const told = await ask(world, role, method, request, id);
        compare(role, document, told.status, Number(word));
        if (isChange) {
          const effect = await effectOf(world.app, `${method} ${place}`, { ...document, id });
          compare(role, document, effect, "done");
        }
      },
    );
    expect(differences.slice(0, 3)).toEqual([]);
  });

  it("shows no private note of another user in a frame, even to viewers of its document", async () => {
    const { app } = world;
    const hidden = new Map<number, number>();
    for (const { id } of documents) hidden.set(id, await addNote(id, "private"));
    for (const role of roles) {
      for (const document of documents.filter(({ status }) => status === "success")) {
        for (const place of ["annotation", "oembed-note"]) {
          const { id } = document;
          const told = await ask(world, role, "GET", asked("GET", place, document, hidden.get(id)), id);
          const none = await ask(world, role, "GET", asked("GET", place, document, absent), id);
          expect([role, document, place, told.status]).toEqual([role, document, place, 404]);
          expect([role, document, place, withoutNote(told)]).toEqual([
            role,
            document,
            place,
            withoutNote(none),
          ]);
        }
      }
    }
    await app.context.database.write((writer) =>
      writer.deleteFrom("notes").where("access", "=", "private").execute(),
    );
  });

  it("takes pages only from documents that the user can see", async () => {
    const { app, people } = world;
    for (const role of roles.filter((one) => one !== "anonymous")) {
      const row = { user_id: people[role]?.id ?? 0, access: "private", slug: worldSlug };
      for (const document of documents.filter(({ status }) => status !== "nofile")) {
        const [own = 0] = await addDocuments(app.context, [row]);
        await app.context.files.put(worldFile(own), Readable.from([pdf]));
        const before = await stateOf(app);
        const target = `/api/documents/${own}/modifications/`;
        const take = (id: number): Promise<Reply> =>
          ask(world, role, "POST", { target, value: [{ page: "0" }, { page: "0", id }] }, id);
        const none = await take(absent);
        const told = await take(document.id);
        const isSeen = ["v", "e", "E"].includes(rightOf(role, document));
        const due = isSeen ? (document.status === "success" ? 201 : 400) : 403;
        expect([role, document, told.status]).toEqual([role, document, due]);
        const isUnchanged = (await stateOf(app)) === before;
        expect([role, document, isUnchanged]).toEqual([role, document, due !== 201]);
        expect([role, document, isSeen ? none : told]).toEqual([role, document, none]);
      }
    }
  });

  it("shows the upload address only to the owner of a document that waits for its file, and accepts no other address", async () => {
    const { app, people } = world;
    const waiting = documents.filter(({ status }) => status === "nofile");
    const addresses = new Map<number, string>();
    for (const role of roles) {
      for (const document of documents) {
        const { status, body } = await sendAs(app, people[role], "GET", `/api/documents/${document.id}/`);
        const isShown = role === "owner" && status === 200 && document.status === "nofile";
        expect([role, document, typeof body.presigned_url === "string"]).toEqual([role, document, isShown]);
        if (isShown) addresses.set(document.id, body.presigned_url as string);
      }
    }
    expect(addresses.size).toBe(waiting.filter(({ access }) => access !== "invisible").length);
    const before = await stateOf(app);
    for (const [id, address] of addresses) {
      const { pathname, searchParams } = new URL(address);
      for (const { id: other } of documents) {
        if (other === id) continue;
        const target = `${pathname.replace(`/${id}/`, `/${other}/`)}?${searchParams.toString()}`;
        const answer = await app.fetch(target, { method: "PUT", body: pdf });
        expect([answer.status, await answer.json()]).toEqual(words["unsigned"]);
      }
      for (const [name, value] of [
        ["expires", String(Number(searchParams.get("expires")) + 1)],
        ["signature", `${searchParams.get("signature")}A`],
        ["signature", ""],
      ] as const) {
        const query = new URLSearchParams(searchParams);
        query.set(name, value);
        const answer = await app.fetch(`${pathname}?${query.toString()}`, { method: "PUT", body: pdf });
        expect([name, answer.status]).toEqual([name, 403]);
      }
    }
    expect(await stateOf(app)).toBe(before);
  });

  it("serves a resumable upload only to the user who began it", async () => {
    const { app, people } = world;
    const protocol = { "tus-resumable": "1.0.0" };
    const metadata = `filename ${Buffer.from("mine.pdf").toString("base64")}`;
    const begun = await app.fetch("/uploads/tus/", {
      method: "POST",
      headers: { ...people.owner?.headers, ...protocol, "upload-length": "5", "upload-metadata": metadata },
    });
    const { pathname } = new URL(begun.headers.get("location") ?? "");
    const never = pathname.replace(/[0-9a-f]{8}$/, "00000000");
    const before = await stateOf(app);
    const ways = [
      ["HEAD", {}],
      ["PATCH", { "upload-offset": "0", "content-type": "application/offset+octet-stream" }],
      ["DELETE", {}],
    ] as const;
    for (const role of roles.filter((one) => one !== "owner")) {
      for (const [method, more] of ways) {
        const send = (target: string): Promise<Reply> =>
          ask(world, role, method, { target, headers: { ...protocol, ...more } }, 0);
        const told = await send(pathname);
        expect([role, method, told.status]).toEqual([role, method, role === "anonymous" ? 403 : 404]);
        expect(told).toEqual(await send(never));
      }
    }
    expect(await stateOf(app)).toBe(before);
    const left = await app.fetch(pathname, {
      method: "HEAD",
      headers: { ...people.owner?.headers, ...protocol },
    });
    expect([left.status, left.headers.get("upload-offset")]).toEqual([200, "0"]);
  });

  it("creates no document from the form of an anonymous sender, and adds none to a project that its sender may not change", async () => {
    const { app, people, project } = world;
    for (const role of roles) {
      const before = await stateOf(app);
      const send = async (into: number): Promise<[number, string]> => {
        const form = new FormData();
        form.append("title", mark);
        form.append("projects", String(into));
        form.append("file", new Blob([pdf]), "mine.pdf");
        const init = { method: "POST", headers: { ...people[role]?.headers }, body: form };
        const answer = await app.fetch("/api/documents/", init);
        return [answer.status, (await answer.text()).replaceAll(`"${into}`, '"<id>')];
      };
      // Administrators may write to every project, but only collaborators may choose it in a form.
      const mayFill = ["project editor", "project admin"].includes(role);
      const told = await send(project);
      expect([role, told[0]]).toEqual([role, role === "anonymous" ? 403 : mayFill ? 201 : 400]);
      if (mayFill) continue;
      expect([role, told]).toEqual([role, await send(absent)]);
      expect(await stateOf(app)).toBe(before);
    }
  });
});

/** Removes the id of the note, which the page of a missing note repeats. */
function withoutNote({ body, ...told }: Reply): Reply {
  return { ...told, body: body.replaceAll(/(annotations(?:\/|%2F))\d+/g, "$1") };
}

/** Runs the action for a few items at a time. */
async function each<T>(all: readonly T[], action: (one: T) => Promise<void>): Promise<void> {
  for (let begin = 0; begin < all.length; begin += atOnce) {
    await Promise.all(all.slice(begin, begin + atOnce).map(action));
  }
}

/** The database's rows about documents and files, and the unfinished uploads. */
async function stateOf(app: TestApp): Promise<string> {
  const uploads = await app.context.uploads.list();
  return `${await dumpOf(app, fileTables)} ${uploads.toSorted().join(" ")}`;
}

/** "done" if a change that was answered with success was made; otherwise what was found. `status` is the one before. */
async function effectOf(
  { context }: TestApp,
  action: string,
  { id, status: before }: Pick<WorldDocument, "id" | "status">,
): Promise<string> {
  const { reader } = context.database;
  const { status } = await reader
    .selectFrom("documents")
    .select("status")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const rewrites = await reader
    .selectFrom("document_rewrites")
    .select("kind")
    .where("document_id", "=", id)
    .execute();
  const jobs = await reader.selectFrom("jobs").select("kind").where("subject", "=", id).execute();
  const pages = await reader
    .selectFrom("document_pages")
    .select("text")
    .where("document_id", "=", id)
    .execute();
  const found = `${status} ${rewrites.map(({ kind }) => kind).join()} ${jobs.length} ${pages.map(({ text }) => text).join()}`;
  const due: Record<string, RegExp> = {
    "POST redactions": /^pending redact 1 Harbour$/,
    "POST modifications": /^pending modify 1 Harbour$/,
    "POST file": /^(?:readable|pending) replace 1 Harbour$/,
    "POST tus-replace": /^\w+ {2}0 Harbour$/,
    "DELETE process": /^error {2}0 Harbour$/,
    "PATCH record": /^\w+ {2}0 It was me$/,
    "PUT record": /^\w+ {2}0 It was me$/,
    "PATCH documents": /^\w+ {2}0 It was me$/,
    "POST tus": /^nofile {2}0 Harbour$/,
  };
  // A readable document stays readable while it is processed again.
  const processed = before === "success" ? /^readable {2}1 Harbour$/ : /^pending {2}1 Harbour$/;
  return (due[action] ?? processed).test(found) ? "done" : found;
}
