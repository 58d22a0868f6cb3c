import { Readable } from "node:stream";
import { beforeAll, describe, expect, it } from "vitest";
import { documentFileKey } from "../src/files/keys.ts";
import { type Role, roles, sees } from "../src/testing/access-rights.ts";
import {
  type FilledDocument,
  absentId,
  accessWorld,
  worldFile,
  worldSlug,
} from "../src/testing/access-world.ts";
import { type Reply, ask, withoutIds } from "../src/testing/ask.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { markOf } from "../src/testing/marks.ts";
import type { MatrixRow } from "../src/testing/matrix.ts";
import { type Matrix, runOtherMethods, runRow } from "../src/testing/run-matrix.ts";
import { buildPdf } from "../src/testing/pdf.ts";
import { sendAs } from "../src/testing/requests.ts";
import { isInFull, shareOf } from "../src/testing/runs.ts";
import { stateOf } from "../src/testing/state.ts";
import { type TestApp, engines, useStarted } from "../src/testing/test-app.ts";
import { documentMatrix } from "./rights/document-matrix.ts";
import { fileRequest, fileRows, fileWord, fileWords, hasAnswered } from "./rights/files.ts";

const pdf = Buffer.from(buildPdf({ pages: [{ width: 200, height: 300, lines: ["Harbour"] }] }));

describe.each(engines)("who may do what with a document's file on %s", (engine) => {
  const world = useStarted(() => accessWorld(engine));
  let matrix: Matrix<Role, FilledDocument>;
  beforeAll(async () => {
    matrix = await documentMatrix(engine, world, {
      words: fileWords,
      wordFor: (row, role, document) => {
        const word = fileWord(row, role, document);
        return /^\d/.test(word) && !isRead(row, role, document) ? null : word;
      },
      askedOf: (row, document) => fileRequest(world.app.url, row, document),
      onlyReads: ({ path }) => path === "/mcp",
      effectOf: async (row, { thing }, { body }) => {
        if (row.path !== "/mcp") return effectOf(world.app, row, thing);
        return hasAnswered(body) ? "done" : "the tool was refused";
      },
    });
  });

  it.each(fileRows)("$name", async (row) => {
    const extension = originals.find(({ of }) => of.test(row.name))?.extension;
    if (extension !== undefined) await haveOriginals(extension);
    await runRow(matrix, row);
    if (extension !== undefined) await haveOriginals("pdf");
  });

  it("tells nothing by other methods", () => runOtherMethods(matrix, fileRows));

  it("takes pages only from documents that the user can see", async () => {
    const { app, people } = world;
    const sources = matrix.things.filter((thing) => thing.status !== "nofile" && matrix.isSelected(thing));
    for (const [turn, role] of roles.entries()) {
      if (role === "anonymous") continue;
      const add = async (): Promise<number> => {
        const row = { user_id: people[role]?.id ?? 0, access: "private", slug: worldSlug };
        const [id = 0] = await addDocuments(app.context, [row]);
        await app.context.files.put(worldFile(id), Readable.from([pdf]));
        return id;
      };
      let own = await add();
      const take = async (id: number): Promise<Reply> => {
        const target = `/api/documents/${own}/modifications/`;
        const value = [{ page: "0" }, { page: "0", id }];
        return withoutIds(await ask(app, people[role], { method: "POST", target, value }), { id });
      };
      const none = await take(absentId.document);
      // On PostgreSQL the roles share the documents.
      for (const document of isInFull(engine) ? sources : shareOf(sources, 3, turn)) {
        const before = await stateOf(app);
        const reply = await take(document.id);
        const isSeen = sees(role, document);
        const due = isSeen ? (document.status === "success" ? 201 : 400) : 403;
        expect([role, document, reply.status]).toEqual([role, document, due]);
        const isUnchanged = (await stateOf(app)) === before;
        expect([role, document, isUnchanged]).toEqual([role, document, due !== 201]);
        expect([role, document, isSeen ? none : reply]).toEqual([role, document, none]);
        if (due === 201) own = await add();
      }
    }
  });

  it("shows the upload address only to the owner of a document that waits for its file, and accepts no other address", async () => {
    const { app, people } = world;
    const documents = matrix.things;
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
        expect([answer.status, await answer.json()]).toEqual(fileWords["unsigned"]);
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

  /** Gives the documents originals of another type. */
  async function haveOriginals(extension: string): Promise<void> {
    const { database, files } = world.app.context;
    await database.write((writer) =>
      writer.updateTable("documents").set({ original_extension: extension }).execute(),
    );
    if (extension === "pdf") return;
    for (const { id } of matrix.things) {
      const text = extension === "csv" ? `a,${markOf(id)}\n` : `Subject: ${markOf(id)}\r\n\r\nHello\r\n`;
      await files.put(documentFileKey(id, worldSlug, extension), Readable.from([Buffer.from(text)]));
    }
  }
});

/** The rows about files of another type than PDF. */
const originals = [
  { of: /:slug\.csv|\/table\//, extension: "csv" },
  { of: /\/mail\//, extension: "eml" },
];

/**
 * Reading a PDF takes a thread, and reading a table or a mail a process, so only some of the
 * requests that are answered are sent.
 */
function isRead({ name }: MatrixRow, role: Role, { access, status }: FilledDocument): boolean {
  if (/\/(?:table|mail)\//.test(name))
    return status === "success" && (access === "public" ? role === "anonymous" : role === "project viewer");
  return !/position|gif|iiif.*text|outline|mentions|quot/.test(name) || status === "success";
}

/** "done" if a request that was answered with success did what it should; otherwise what was found. */
async function effectOf(
  { context }: TestApp,
  { name, method }: MatrixRow,
  { id, status: before }: FilledDocument,
): Promise<string> {
  if (method === "GET") return "done";
  const { reader } = context.database;
  const { status } = await reader
    .selectFrom("documents")
    .select("status")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const kinds = await reader
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
  const texts = pages.map(({ text }) => text.replace(markOf(id), "mark")).join();
  const found = `${status} ${kinds.map(({ kind }) => kind).join()} ${jobs.length} ${texts}`;
  const replaced = /^(?:readable|pending) replace 1 Harbour mark$/;
  const written = /^\w+ {2}0 It was me$/;
  const due: Record<string, RegExp> = {
    "POST /api/documents/:id/redactions/": /^pending redact 1 Harbour mark$/,
    "POST /api/documents/:id/redacted_copies/": /^\w+ {2}0 Harbour mark$/,
    "POST /api/documents/:id/modifications/": /^pending modify 1 Harbour mark$/,
    "POST /api/documents/:id/file/": replaced,
    "POST /upload/ ?replace=:id": replaced,
    "POST /uploads/tus/ replacement": /^\w+ {2}0 Harbour mark$/,
    "POST /uploads/tus/ new": /^nofile {2}0 Harbour mark$/,
    "DELETE /api/documents/:id/process/": /^error {2}0 Harbour mark$/,
    "PATCH /api/documents/:id/ pages": written,
    "PUT /api/documents/:id/ pages": written,
    "PATCH /api/documents/ pages": written,
  };
  // A readable document stays readable while it is processed again.
  const processed = before === "success" ? /^readable {2}1 Harbour mark$/ : /^pending {2}1 Harbour mark$/;
  return (due[name] ?? processed).test(found) ? "done" : found;
}
