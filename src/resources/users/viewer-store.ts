import { sql } from "kysely";
import type { Database } from "../../database/database.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { ProjectAccess, SignedInViewer } from "../../http/request/viewer.ts";

/** A user as a viewer, with the facts that authentication checks. */
export interface KnownUser {
  viewer: Omit<SignedInViewer, "mayWrite" | "hasPersonalToken" | "csrfToken">;
  isActive: boolean;
  /** Tokens of an earlier generation are invalid. */
  tokenGeneration: number;
}

interface UserRow {
  id: number;
  username: string;
  name: string;
  language: string;
  time_zone: string;
  is_active: boolean | number;
  is_administrator: boolean | number;
  unread: number;
  working: boolean | number;
  organization_id: number | null;
  token_generation: number;
  organizations: string | null;
  viewed: string | null;
  edited: string | null;
  administered: string | null;
}

/**
 * The current state of the user with this id or uuid. Read on every request, so that every change takes effect at once.
 */
export async function findKnownUser(
  { dialect, prepared }: Database,
  by: { id: number } | { uuid: string },
): Promise<KnownUser | null> {
  const column = "id" in by ? "id" : "uuid";
  const build = () => {
    const organization = sql.ref("organization_members.organization_id");
    const project = sql.ref("project_collaborators.project_id");
    const collaborations = (access: ProjectAccess, name: string) =>
      sql`(select ${dialect.joinedIds(project)} from project_collaborators
        where user_id = users.id and access = ${sql.lit(access)}) as ${sql.ref(name)}`;
    const columns = sql.raw(
      "id, username, name, language, time_zone, is_active, is_administrator, organization_id, token_generation",
    );
    return sql`select ${columns},
        (select count(*) from notifications where user_id = users.id and seen_at is null) as unread,
        exists (select 1 from jobs where owner = users.id and cancelled_at is null) as working,
        (select ${dialect.joinedIds(organization)} from organization_members where user_id = users.id) as organizations,
        ${collaborations("view", "viewed")}, ${collaborations("edit", "edited")},
        ${collaborations("admin", "administered")}
        from users where ${sql.ref(`users.${column}`)} = ${parameter("user")}`;
  };
  const [row] = await prepared.rows<UserRow>(`user by ${column}`, build, {
    user: "id" in by ? by.id : by.uuid,
  });
  return row === undefined ? null : knownUser(row);
}

function knownUser(row: UserRow): KnownUser {
  const collaborations = (access: ProjectAccess, joined: string | null): [number, ProjectAccess][] =>
    idsOf(joined).map((id) => [id, access]);
  return {
    viewer: {
      kind: "user",
      id: row.id,
      username: row.username,
      name: row.name,
      language: row.language,
      timeZone: row.time_zone,
      isAdministrator: Boolean(row.is_administrator),
      unread: row.unread,
      hasWork: Boolean(row.working),
      organization: row.organization_id,
      organizations: new Set(idsOf(row.organizations)),
      projects: new Map([
        ...collaborations("view", row.viewed),
        ...collaborations("edit", row.edited),
        ...collaborations("admin", row.administered),
      ]),
    },
    isActive: Boolean(row.is_active),
    tokenGeneration: row.token_generation,
  };
}

function idsOf(joined: string | null): number[] {
  return (joined ?? "")
    .split(",")
    .filter((id) => id !== "")
    .map(Number);
}
