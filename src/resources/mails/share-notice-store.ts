import type { Context } from "../../context.ts";
import type { Reader } from "../../database/database.ts";
import { countAttempt } from "../users/credentials/sign-in-attempt-store.ts";
import { hasMail } from "./mail-store.ts";

/** Maximum shares of which one person's collaborators are told within a quarter of an hour. */
const maxFromSender = 100;

/**
 * Counts a share, and returns whether its recipient may be told of it by mail. Recipients find every share on their
 * page of shared projects. Call it before the transaction that shares the project.
 */
export async function mayNoticeShare(
  { config, database }: Pick<Context, "config" | "database">,
  by: number,
): Promise<boolean> {
  return hasMail(config) && (await countAttempt(database, `share:${by}`, maxFromSender)) === null;
}

/** A shared project, as a notice names it. */
export interface SharedProject {
  id: number;
  title: string;
  slug: string;
  /** The name of the person who shared it; null if that is unknown. */
  by: string | null;
}

/** Those of the projects that are still shared with the user. */
export async function findShared(
  reader: Reader,
  userId: number,
  ids: readonly number[],
): Promise<SharedProject[]> {
  if (ids.length === 0) return [];
  return reader
    .selectFrom("project_collaborators")
    .innerJoin("projects", "projects.id", "project_collaborators.project_id")
    .leftJoin("users", "users.id", "project_collaborators.added_by")
    .select(["projects.id", "projects.title", "projects.slug", "users.name as by"])
    .where("project_collaborators.user_id", "=", userId)
    .where("project_collaborators.project_id", "in", ids)
    .orderBy("projects.id")
    .execute();
}
