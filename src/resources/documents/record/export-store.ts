import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { type Buildable, compilable, parameter } from "../../../database/prepared-queries.ts";
import type { DocumentRow } from "../store.ts";

/**
 * The documents after an id, in ascending order, with all projects that each is in and whoever may see it; but for
 * those that are deleted, which no list has.
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
    .select((of) => of.fn.countAll<number>().as("count"))
    .where("status", "<>", "deleted")
    .executeTakeFirstOrThrow();
  return count;
}
