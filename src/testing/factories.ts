import type { Insertable } from "kysely";
import { describingParts } from "../resources/documents/indexed-fields.ts";
import { defaultColumns } from "../resources/documents/record-members.ts";
import { indexTexts } from "../search/text-index.ts";
import type { Context } from "../context.ts";
import type { Writer } from "../database/database.ts";
import { dialectOf } from "../database/dialects.ts";
import type { DocumentsTable, ProjectsTable } from "../database/tables.ts";

const moment = "2025-01-31T12:00:00.000000Z";

/** A public, processed document, with the columns that the test overrides. */
export function documentRow(row: Partial<Insertable<DocumentsTable>> = {}): Insertable<DocumentsTable> {
  return {
    ...defaultColumns,
    access: "public",
    admin_noindex: false,
    asset_url: null,
    created_at: moment,
    file_hash: "",
    organization_id: 1,
    page_count: 1,
    page_spec: "612.00x792.00:0",
    publish_at: null,
    slug: "a-document",
    status: "success",
    title: "A document",
    updated_at: moment,
    user_id: 1,
    ...row,
  };
}

export function projectRow(row: Partial<Insertable<ProjectsTable>> = {}): Insertable<ProjectsTable> {
  return {
    title: "A project",
    slug: "a-project",
    description: "",
    private: false,
    user_id: 1,
    created_at: moment,
    updated_at: moment,
    ...row,
  };
}

/** Adds a project of owner 1 with these documents. Returns its id. */
export async function addProject(
  { database }: Pick<Context, "database">,
  row: Partial<Insertable<ProjectsTable>>,
  documents: readonly number[],
): Promise<number> {
  return database.write(async (writer) => {
    const { id } = await writer
      .insertInto("projects")
      .values(projectRow(row))
      .returning("id")
      .executeTakeFirstOrThrow();
    for (const document_id of documents) {
      const membership = { project_id: id, document_id, edit_access: false };
      await writer.insertInto("project_memberships").values(membership).execute();
    }
    return id;
  });
}

/** Adds the users and organizations 1 and 2, which own the rows of tests. */
export async function addOwners(writer: Writer): Promise<void> {
  for (const id of [1, 2]) {
    const times = { created_at: moment, updated_at: moment };
    await writer
      .insertInto("users")
      .values({ id, username: `user-${id}`, name: `User ${id}`, ...times })
      .execute();
    await writer
      .insertInto("organizations")
      .values({ id, name: `Organization ${id}`, slug: `organization-${id}`, individual: false, ...times })
      .execute();
  }
  await dialectOf(writer).afterOwnIds("organizations")?.execute(writer);
}

/** Adds owners 1 and 2 and these documents. Returns the documents' ids, in the same order. */
export async function addDocuments(
  { database }: Pick<Context, "database">,
  rows: readonly Partial<Insertable<DocumentsTable>>[],
): Promise<number[]> {
  return database.write(async (writer) => {
    const owners = await writer.selectFrom("users").select("id").limit(1).execute();
    if (owners.length === 0) await addOwners(writer);
    const ids: number[] = [];
    for (const row of rows) {
      const { id } = await writer
        .insertInto("documents")
        .values(documentRow(row))
        .returning("id")
        .executeTakeFirstOrThrow();
      await indexTexts(writer, describingParts(id, documentRow(row)), { areNew: true });
      ids.push(id);
    }
    return ids;
  });
}
