import { sql } from "kysely";
import type { Writer } from "../../database/database.ts";
import { addRow } from "../../database/rows.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** Who or what changes memberships. */
export type ChangedBy =
  | { means: "person"; user: number }
  /** The groups that an identity provider names at a sign-in. */
  | { means: "provider"; provider: number }
  /** The command line, or Quire itself at its first start. */
  | { means: "command" }
  | { means: "mirror" }
  | { means: "archive" };

export const byCommand: ChangedBy = { means: "command" };

export const byPerson = (user: number): ChangedBy => ({ means: "person", user });

interface MembershipChange {
  of: { organization: number } | { project: number };
  user: number;
  /** Null if the user was not a member before, or is not one now. */
  before: string | null;
  after: string | null;
}

/** Adds a change to the history, in its transaction. A role that stays is no change. */
export async function addMembershipHistory(
  writer: Writer,
  { of, user, before, after }: MembershipChange,
  by: ChangedBy,
): Promise<void> {
  if (before === after) return;
  const action = before === null ? "added" : "changed";
  await addRow(writer, "membership_history", {
    at: timestampNow(),
    organization_id: "organization" in of ? of.organization : null,
    project_id: "project" in of ? of.project : null,
    user_id: user,
    action: after === null ? "removed" : action,
    role_before: before,
    role_after: after,
    ...actorOf(by),
  });
}

/** The columns of a history that say who or what has changed something. */
export const actorOf = (by: ChangedBy) => ({
  by_id: by.means === "person" ? by.user : null,
  means: by.means,
  provider_id: by.means === "provider" ? by.provider : null,
});

/** Says that all collaborators of a project cease to be some, because the project is about to be deleted. */
export async function endCollaborations(writer: Writer, project: number, by: ChangedBy): Promise<void> {
  const { by_id, means } = actorOf(by);
  await sql`insert into membership_history
      (at, project_id, user_id, by_id, means, action, role_before)
    select ${timestampNow()}, project_id, user_id, ${by_id}, ${means}, 'removed', access
    from project_collaborators where project_id = ${project} order by user_id`.execute(writer);
}
