import { Readable } from "node:stream";
import { sql } from "kysely";
import { documentFileKey } from "../files/keys.ts";
import { addDocuments, addProject } from "./factories.ts";
import { type Person, addPerson } from "./people.ts";
import { isInFull } from "./runs.ts";
import { type TestApp, type TestEngine, startTestApp } from "./test-app.ts";

export const roles = [
  "anonymous",
  "owner",
  "member",
  "organization admin",
  "other",
  "project viewer",
  "project editor",
  "project admin",
  "administrator",
  "unshared editor",
] as const;
export type Role = (typeof roles)[number];

export const accessLevels = ["public", "organization", "private", "invisible"] as const;
export const statuses = ["success", "readable", "pending", "error", "nofile", "deleted"] as const;

export interface WorldDocument {
  id: number;
  access: (typeof accessLevels)[number];
  status: (typeof statuses)[number];
}

/** Documents that cover each different row of rights, and each status with special rules. */
const covering: ReadonlySet<string> = new Set([
  "public success",
  "public pending",
  "public deleted",
  "organization success",
  "organization nofile",
  "private success",
  "private error",
  "invisible readable",
]);

/** The documents that a matrix runs with on an engine. */
export function matrixDocuments(engine: TestEngine, documents: readonly WorldDocument[]): WorldDocument[] {
  return documents.filter(({ access, status }) => isInFull(engine) || covering.has(`${access} ${status}`));
}

/** A person of each role, and a document of each access and status. */
export interface AccessWorld extends AsyncDisposable {
  app: TestApp;
  people: Record<Role, Person | null>;
  /** The project that the documents are shared with. */
  project: number;
  /** A project that has the documents without sharing them. */
  unshared: number;
  documents: readonly WorldDocument[];
  /** Adds another document of that access and status, with a file like the others. */
  add(access: string, status: string): Promise<number>;
}

const moment = "2025-01-31T12:00:00.000000Z";
export const worldSlug = "a-document";
export const worldFile = (id: number): string => documentFileKey(id, worldSlug, "pdf");

export async function accessWorld(engine: TestEngine): Promise<AccessWorld> {
  const app = await startTestApp(engine);
  const { context } = app;
  await addDocuments(context, []);
  const project = await addProject(context, {}, []);
  const unshared = await addProject(context, {}, []);
  const add = (username: string, more: object = {}): Promise<Person> =>
    addPerson(context, { username, ...more });
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
  const addDocument = async (access: string, status: string): Promise<number> => {
    const row = { access, status, slug: worldSlug, data: '{"a":["1"]}', user_id: people.owner.id };
    const [id = 0] = await addDocuments(context, [row]);
    await context.database.write(async (writer) => {
      const sharing = { document_id: id, project_id: project, edit_access: true };
      const lying = { document_id: id, project_id: unshared, edit_access: false };
      await writer.insertInto("project_memberships").values([sharing, lying]).execute();
      const entry = {
        document_id: id,
        at: moment,
        user_id: people.owner.id,
        action: "created",
        changes: "{}",
      };
      await writer.insertInto("document_history").values(entry).execute();
    });
    await context.files.put(worldFile(id), Readable.from([Buffer.from("%PDF-")]));
    return id;
  };
  const documents: WorldDocument[] = [];
  for (const access of accessLevels) {
    for (const status of statuses) documents.push({ id: await addDocument(access, status), access, status });
  }
  return {
    app,
    people,
    project,
    unshared,
    documents,
    add: addDocument,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

/** The rows of the tables as text: two dumps are equal if nothing has changed between them. */
export async function dumpOf(
  { context }: Pick<TestApp, "context">,
  tables: readonly (DumpedTable | FileTable)[] = dumped,
): Promise<string> {
  const { engine, reader } = context.database;
  if (engine === "postgres") {
    // One statement instead of one for each table: the round trips took longer than the reading.
    const selects = tables.map(
      (table) => sql`select ${sql.lit(`${table}: `)} || to_jsonb(t)::text as line from ${sql.table(table)} t`,
    );
    const { rows } = await sql<{
      line: string;
    }>`${sql.join(selects, sql` union all `)} order by line`.execute(reader);
    return rows.map(({ line }) => line).join("\n");
  }
  const rows = [];
  for (const table of tables) {
    const found = await reader.selectFrom(table).selectAll().execute();
    rows.push(
      `${table}: ${found
        .map((row) => JSON.stringify(row))
        .toSorted()
        .join("\n")}`,
    );
  }
  return rows.join("\n");
}

const dumped = [
  "documents",
  "document_data",
  "document_audiences",
  "document_history",
  "file_removals",
  "projects",
  "project_memberships",
  "project_collaborators",
  "project_pins",
  "users",
  "organizations",
  "organization_members",
  "notes",
  "sections",
  "entities",
  "entity_occurrences",
  "saved_searches",
] as const;
type DumpedTable = (typeof dumped)[number];

/** The tables about files, including those that change only when files are processed. */
export const fileTables = [
  "documents",
  "document_history",
  "document_pages",
  "document_progress",
  "document_receipts",
  "document_rewrites",
  "file_locks",
  "jobs",
  "remote_files",
] as const;
type FileTable = (typeof fileTables)[number];
