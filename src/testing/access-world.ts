import { Readable } from "node:stream";
import { sql } from "kysely";
import type { Reader, Writer } from "../database/database.ts";
import { dialectOf } from "../database/dialects.ts";
import { documentFileKey } from "../files/keys.ts";
import { replacePages } from "../resources/documents/pages/page-store.ts";
import { addReceipt } from "../resources/documents/receipt-store.ts";
import { timestampNow } from "../http/text/timestamp.ts";
import { insertNote } from "../resources/notes/store.ts";
import { addApiToken } from "../resources/users/credentials/api-token-store.ts";
import {
  type DocumentKind,
  type Role,
  accessLevels,
  edits,
  isCovering,
  sees,
  statuses,
} from "./access-rights.ts";
import type { Asker } from "./ask.ts";
import { addDocuments, addProject } from "./factories.ts";
import { markOf } from "./marks.ts";
import { buildPdf } from "./pdf.ts";
import { type NewPerson, type Person, addPerson, beginSession } from "./people.ts";
import { isInFull } from "./runs.ts";
import { type TestApp, type TestEngine, everyRoute, startTestApp } from "./test-app.ts";

export interface WorldDocument extends DocumentKind {
  id: number;
}

/** A document and what belongs to it. */
export interface FilledDocument extends WorldDocument {
  /** A public note. */
  note: number;
  section: number;
  entity: number;
}

export type NoteAccess = "public" | "organization" | "private" | "invisible";

/** The documents that a matrix runs with on an engine. */
export function matrixDocuments<T extends DocumentKind>(engine: TestEngine, documents: readonly T[]): T[] {
  return documents.filter((document) => isInFull(engine) || isCovering(document));
}

/** A person of each role, and a document of each access and status. */
export interface AccessWorld extends AsyncDisposable {
  app: TestApp;
  people: Readonly<Record<Role, Asker | null>>;
  /** The project that the documents are shared with. */
  project: number;
  /** A project that has the documents without sharing them. */
  unshared: number;
  documents: readonly WorldDocument[];
  /** Adds documents, each with a file like the others. */
  add(kinds: readonly DocumentKind[]): Promise<WorldDocument[]>;
  /** For each thing whose texts have a mark (see marks.ts), by its id: whether a role may see it. */
  shown: Map<number, (role: Role) => boolean>;
}

const moment = "2025-01-31T12:00:00.000000Z";
export const worldSlug = "a-document";
export const worldFile = (id: number): string => documentFileKey(id, worldSlug, "pdf");
/** Ids that nothing has. Like all ids of a world they have six digits, so that answers about both are equally long. */
export const absentId = {
  document: 199_999,
  note: 299_999,
  section: 399_999,
  project: 499_999,
  user: 599_999,
  token: 699_999,
  job: 799_999,
  mail: 899_999,
  entity: 999_999,
};

/** The ids after which the rows of each table begin. */
const firstIds = {
  documents: 100_000,
  notes: 200_000,
  sections: 300_000,
  projects: 400_000,
  api_tokens: 600_000,
  jobs: 700_000,
  mails: 800_000,
  entities: 900_000,
} as const;
const firstUser = 500_000;

export async function accessWorld(engine: TestEngine): Promise<AccessWorld> {
  const app = await startTestApp(engine, everyRoute);
  const { context } = app;
  await addDocuments(context, []);
  await startIds(app);
  const project = await addProject(context, {}, []);
  const unshared = await addProject(context, {}, []);
  const add = (username: string, more: Omit<NewPerson, "username">): Promise<Asker> =>
    addAsker(app, { username, ...more });
  const people = {
    anonymous: null,
    owner: await add("owner", { organizations: [1] }),
    member: await add("member", { organizations: [2, 1] }),
    "organization admin": await add("organization-admin", { organizations: [1], administers: [1] }),
    other: await add("other", { organizations: [2] }),
    "project viewer": await add("viewer", { organizations: [2], projects: { [project]: "view" } }),
    "project editor": await add("editor", { organizations: [2], projects: { [project]: "edit" } }),
    "project admin": await add("project-admin", { organizations: [2], projects: { [project]: "admin" } }),
    administrator: await add("administrator", { organizations: [2], isAdministrator: true }),
    "unshared editor": await add("unshared", { organizations: [2], projects: { [unshared]: "admin" } }),
  };
  const world = { app, people, owner: people.owner, project, unshared, shown: new Map() };
  const kinds = accessLevels.flatMap((access) => statuses.map((status) => ({ access, status })));
  return {
    ...world,
    documents: await addDocumentsOf(world, kinds),
    add: (more) => addDocumentsOf(world, more),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** Adds a person with credentials of every kind. */
export async function addAsker({ context }: TestApp, wanted: NewPerson): Promise<Asker> {
  const person = await addPerson(context, wanted);
  const session = await beginSession(context, person);
  const readOnly = { name: "may only read", mayWrite: false, expiresAt: null };
  const { token } = await context.database.write((writer) => addApiToken(writer, person.id, readOnly));
  return { ...person, session, readOnly: { authorization: `Bearer ${token}` } };
}

/** Lets ids begin with six digits. */
async function startIds({ context: { database } }: TestApp): Promise<void> {
  const { dialect, engine } = database;
  await database.write(async (writer) => {
    const times = { created_at: moment, updated_at: moment };
    await writer
      .insertInto("users")
      .values({ id: firstUser, username: "first", name: "First", ...times })
      .execute();
    await dialect.afterOwnIds("users")?.execute(writer);
    for (const [table, first] of Object.entries(firstIds)) {
      const start =
        engine === "sqlite"
          ? sql`insert into sqlite_sequence (name, seq) values (${table}, ${first})`
          : sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${first})`;
      await start.execute(writer);
    }
  });
}

interface Sharing extends Pick<AccessWorld, "project" | "unshared" | "shown"> {
  app: Pick<TestApp, "context">;
  owner: Pick<Person, "id">;
}

/** Adds documents of the owner, each with a file, to both projects. */
export async function addDocumentsOf(
  world: Sharing,
  kinds: readonly DocumentKind[],
): Promise<WorldDocument[]> {
  if (kinds.length === 0) return [];
  const { app, project, unshared } = world;
  const { database, files } = app.context;
  const first = await nextId(database.reader, "documents");
  const documents = kinds.map((kind, index) => ({ ...kind, id: first + index }));
  const owner = world.owner.id;
  for (const document of documents) world.shown.set(document.id, (role) => sees(role, document));
  const rows = documents.map(({ id, access, status }) => {
    const mark = markOf(id);
    const data = `{"a":["${mark}"],"path":["Leak/${mark}"]}`;
    const words = { title: `Title ${mark}`, description: mark, source: mark, slug: worldSlug };
    return { id, access, status, data, user_id: owner, ...words };
  });
  await addDocuments(app.context, rows);
  await database.write(async (writer) => {
    await database.dialect.afterOwnIds("documents")?.execute(writer);
    const of = documents.map(({ id }) => ({ document_id: id }));
    const shared = of.map((row) => ({ ...row, project_id: project, edit_access: true }));
    const lying = of.map((row) => ({ ...row, project_id: unshared, edit_access: false }));
    const memberships = shared.concat(lying);
    await writer.insertInto("project_memberships").values(memberships).execute();
    const entry = { at: moment, user_id: owner, action: "created", changes: "{}" };
    await writer
      .insertInto("document_history")
      .values(of.map((row) => Object.assign({}, row, entry)))
      .execute();
    const deletion = {
      status: "success",
      user_id: owner,
      organization_id: 1,
      deleted_at: timestampNow(),
      deleted_by: owner,
    };
    const deleted = documents.filter(({ status }) => status === "deleted");
    for (const { id } of deleted)
      await writer
        .insertInto("deleted_documents")
        .values({ document_id: id, ...deletion })
        .execute();
  });
  for (const { id } of documents) await files.put(worldFile(id), Readable.from([pdfOf(id)]));
  return documents;
}

function pdfOf(id: number): Buffer {
  return Buffer.from(buildPdf({ pages: [{ width: 200, height: 300, lines: [`Harbour ${markOf(id)}`] }] }));
}

/** Gives documents the text of their page, an earlier error, a public note, a section and an entity. */
export async function fill(
  { app, shown }: Pick<Sharing, "app" | "shown">,
  documents: readonly WorldDocument[],
): Promise<FilledDocument[]> {
  return app.context.database.write(async (writer) => {
    const entity = await anEntity(writer);
    const filled: FilledDocument[] = [];
    for (const document of documents) {
      const { id } = document;
      const mark = markOf(id);
      await replacePages(writer, id, [{ text: `Harbour ${mark}` }]);
      const details = { message: `It would not open: ${mark}` };
      await addReceipt(writer, { documentId: id, step: "read", outcome: "failed", milliseconds: 1, details });
      const { id: section } = await writer
        .insertInto("sections")
        .values({ document_id: id, page_number: 0, title: `A section ${mark}` })
        .returning("id")
        .executeTakeFirstOrThrow();
      const occurrences = JSON.stringify([{ page: 0, offset: 0, page_offset: 0, content: mark }]);
      const row = { document_id: id, entity_id: entity, relevance: 1, occurrences };
      await writer.insertInto("entity_occurrences").values(row).execute();
      const note = await addNote(writer, shown, document, { access: "public" });
      filled.push({ ...document, note, section, entity });
    }
    return filled;
  });
}

/** Adds a note, of somebody who sends no requests unless it has an author. Its texts have its own mark. */
export async function addNote(
  writer: Writer,
  shown: AccessWorld["shown"],
  document: WorldDocument,
  { access, author, title = "A note" }: { access: NoteAccess; author?: [Role, Person]; title?: string },
): Promise<number> {
  const id = await nextId(writer, "notes");
  const mark = markOf(id);
  const words = { title: `${title} ${mark}`, content: mark, content_html: mark };
  const whose = author === undefined ? {} : { user_id: author[1].id, organization_id: 2 };
  await insertNote(writer, { ...noteRow({ document_id: document.id, access, ...words, ...whose }), id });
  await dialectOf(writer).afterOwnIds("notes")?.execute(writer);
  const isOwn = (role: Role): boolean => access !== "invisible" && role === author?.[0];
  const isShared = (role: Role): boolean => access === "organization" && edits(role, document);
  shown.set(id, (role) => sees(role, document) && (access === "public" || isOwn(role) || isShared(role)));
  return id;
}

/** The id that the next row of a table gets. An id says what kind of thing it is of. */
async function nextId(reader: Reader, table: "documents" | "notes"): Promise<number> {
  const { last } = await reader
    .selectFrom(table)
    .select(({ fn }) => fn.max("id").as("last"))
    .executeTakeFirstOrThrow();
  return Math.max(last ?? 0, firstIds[table]) + 1;
}

/** A public note of a person who sends no requests, with the columns that the test overrides. */
export function noteRow(row: Partial<NewNote> & Pick<NewNote, "document_id">): NewNote {
  return {
    user_id: 1,
    organization_id: 1,
    page_number: 0,
    access: "public",
    title: "A note",
    content: "",
    content_html: "",
    x1: 0,
    x2: 1,
    y1: 0,
    y2: 1,
    created_at: moment,
    updated_at: moment,
    ...row,
  };
}

export type NewNote = Parameters<typeof insertNote>[1];

/** The one entity of the world, which the first call adds. */
async function anEntity(writer: Writer): Promise<number> {
  const known = await writer
    .selectFrom("entities")
    .select("id")
    .where("wikidata_id", "=", "Q1")
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  const said = { name: "An entity", description: "", wikipedia_url: "", metadata: "{}" };
  const times = { created_at: moment, updated_at: moment };
  const row = { user_id: 1, wikidata_id: "Q1", ...said, ...times };
  return (await writer.insertInto("entities").values(row).returning("id").executeTakeFirstOrThrow()).id;
}
