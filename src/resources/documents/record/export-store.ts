import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { type Buildable, compilable, parameter } from "../../../database/prepared-queries.ts";
import type { DocumentRow } from "../store.ts";

/**
 * The documents after an id, in ascending order, each with all of its projects and without an access check. Documents
 * with status `deleted` are left out, as in every list.
 */
export async function listAllDocuments(
  { dialect, prepared, reader }: Database,
  afterId: number,
  limit: number,
): Promise<DocumentRow[]> {
  const build = (): Buildable<DocumentRow> => {
    const projectId = sql.ref("project_memberships.project_id");
    return compilable(
      reader,
      sql`select documents.*, (
          select ${dialect.joinedIds(projectId)} from project_memberships
          where project_memberships.document_id = documents.id
        ) as public_projects
        from documents where id > ${parameter("afterId")} and status <> 'deleted'
        order by id limit ${parameter("limit")}`,
    );
  };
  return prepared.rows("all documents", build, { afterId, limit });
}

export async function countAllDocuments({ reader }: Database): Promise<number> {
  const { count } = await reader
    .selectFrom("documents")
    .select((table) => table.fn.countAll<number>().as("count"))
    .where("status", "<>", "deleted")
    .executeTakeFirstOrThrow();
  return count;
}
