import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Dialect } from "../../../database/dialect.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { audiencesOf } from "../access.ts";
import { isTopLevel } from "../children-store.ts";
import { isListed } from "./condition-store.ts";

/** Pages count documents up to this number, so that they cost no more where there are a million. */
export const maxCounted = 10_000;

/**
 * How many documents the viewer can find in a project, or altogether, besides those that are part of others.
 * `maxCounted` + 1 stands for more.
 */
export async function countFindable(
  { dialect, prepared }: Pick<Database, "dialect" | "prepared">,
  viewer: Viewer,
  project: number | null,
): Promise<number> {
  const shape = `${viewer.kind === "anonymous" ? "listed" : "own"} ${project === null ? "everywhere" : "in project"}`;
  const build = (): RawBuilder<unknown> => {
    const among = project === null ? sql`` : sql`and ${isInProject}`;
    const limit = sql.lit(maxCounted + 1);
    // SQLite's planner would read another index and look up each document.
    const index =
      viewer.kind === "anonymous" && project === null ? dialect.indexedBy("documents_searched") : sql``;
    const listed = sql`select documents.id from documents ${index}
      where ${isListed(dialect, viewer)} and ${isTopLevel} ${among} limit ${limit}`;
    if (viewer.kind === "anonymous") return sql`select count(*) as count from (${listed}) as listed`;
    const own = sql`select distinct documents.id from document_audiences
      join documents on documents.id = document_audiences.document_id
      where ${isAmongAudiences(dialect)} and ${isTopLevel} ${among} limit ${limit}`;
    return sql`select (select count(*) from (${listed}) as listed) + (select count(*) from (${own}) as own) as count`;
  };
  const values = {
    ...(project !== null && { project }),
    ...(viewer.kind !== "anonymous" && { audiences: dialect.list(audiencesOf(viewer)) }),
  };
  const [row] = await prepared.rows<{ count: number }>(`count findable ${shape}`, build, values);
  return Math.min(row?.count ?? 0, maxCounted + 1);
}

const isInProject = sql`documents.id in (
  select document_id from project_memberships where project_memberships.project_id = ${parameter("project")})`;

const isAmongAudiences = (dialect: Dialect): RawBuilder<boolean> =>
  dialect.isAmongTexts(sql.ref("document_audiences.audience"), parameter("audiences"));
