import type { Collaborator } from "../../contract/project.ts";
import type { Context } from "../../context.ts";
import { readExpansion, readSelection } from "../../http/request/expansion.ts";
import type { Query } from "../../http/request/query.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { findPresentedUsers } from "../users/expand.ts";
import type { CollaboratorRow } from "./collaborator-store.ts";

export interface Options {
  viewer: Viewer;
  query: Query;
  /** A list allows fewer expansions than a single collaborator. */
  as: "list" | "one";
}

/** Collaborators as the API shows them, with each user as an id or expanded. */
export async function presentCollaborators(
  { database }: Pick<Context, "database">,
  rows: readonly CollaboratorRow[],
  { viewer, query, as }: Options,
): Promise<Record<string, unknown>[]> {
  const expansion = readExpansion(query, as === "list" ? ["user", "user.organization"] : "any");
  const selection = readSelection(query);
  if (!expansion.has("user")) return rows.map((row) => selection.of(shown(row.id, row)));
  const ids = rows.map(({ id }) => id);
  const options = { inDetail: as === "one" };
  const users = await findPresentedUsers(database, viewer, ids, expansion.within("user"), options);
  return rows.map((row) => selection.of(shown(users.get(row.id) ?? row.id, row)));
}

const shown = (user: Collaborator["user"], { access }: CollaboratorRow): Collaborator => ({ user, access });
