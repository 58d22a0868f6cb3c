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
  const plain = rows.map(({ id, access }) => ({ user: id, access }));
  if (!expansion.has("user")) return plain.map((record) => selection.of(record));
  const ids = rows.map(({ id }) => id);
  const options = { inDetail: as === "one" };
  const users = await findPresentedUsers(database, viewer, ids, expansion.within("user"), options);
  return plain.map((record) => selection.of({ ...record, user: users.get(record.user) ?? record.user }));
}
