import { sql } from "kysely";
import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { deleteCollaborator, insertCollaborator, setAccess } from "../projects/collaborator-store.ts";
import { type NamedUser, UserPlaceholders } from "../users/store.ts";

/** A collaborator of a mirrored project, with the local id of the user. */
export interface MirroredCollaborator {
  user: NamedUser;
  access: "view" | "edit" | "admin";
}

/**
 * Brings the collaborators of a mirrored project up to date. Collaborators that the other server does not name stay if
 * they have an account here.
 */
export async function putCollaborators(
  writer: Writer,
  dialect: Dialect,
  project_id: number,
  collaborators: readonly MirroredCollaborator[],
): Promise<void> {
  const { rows } = await sql`select id from projects where id = ${project_id} ${dialect.forUpdate}`.execute(
    writer,
  );
  if (rows.length === 0) return;
  const named = new Map(collaborators.map((collaborator) => [collaborator.user.id, collaborator]));
  await new UserPlaceholders(dialect).addMissing(
    writer,
    Array.from(named.values(), ({ user }) => user),
  );
  const before = await writer
    .selectFrom("project_collaborators")
    .innerJoin("users", "users.id", "project_collaborators.user_id")
    .select(["user_id", "access", "password_hash"])
    .where("project_id", "=", project_id)
    .execute();
  const by = { means: "mirror" } as const;
  for (const { user_id, access, password_hash } of before) {
    const was = { id: user_id, access };
    const now = named.get(user_id);
    named.delete(user_id);
    if (now === undefined) {
      if (password_hash === null) await deleteCollaborator(writer, project_id, was, by);
    } else if (now.access !== access) await setAccess(writer, project_id, was, now.access, by);
  }
  for (const [user_id, { access }] of named)
    await insertCollaborator(writer, { project_id, user_id, access }, by);
}
