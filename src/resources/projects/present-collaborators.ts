import type { Collaborator } from "../../contract/project.ts";
import type { Context } from "../../context.ts";
import { expandMembers, readExpansion, readSelection } from "../../http/request/expansion.ts";
import type { Query } from "../../http/request/query.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { expandedUsers } from "../users/expand.ts";
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
  const collaborators = rows.map(({ id, access }): Collaborator => ({ user: id, access }));
  const user = expandedUsers(database, viewer, { inDetail: as === "one" });
  await expandMembers(collaborators, expansion, { user });
  return collaborators.map((collaborator) => selection.of(collaborator));
}
