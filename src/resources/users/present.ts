import type { User } from "../../contract/person.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import type { UserRow } from "./list-store.ts";

/**
 * A user as the API shows them to a viewer. Private fields appear only at `users/me/`. `organization` is the active
 * organization, as an id or expanded.
 */
export function presentUser(
  row: UserRow,
  viewer: Viewer,
  {
    organization = row.organization_id,
    isMe = false,
  }: { organization?: User["organization"]; isMe?: boolean } = {},
): User {
  const { id, uuid, username, name, avatar_url, email } = row;
  const seesStaff = viewer.kind === "user" && viewer.isAdministrator;
  return {
    id,
    uuid,
    username,
    name,
    avatar_url,
    // Quire has no features that only paying users get.
    ...(isMe && { feature_level: 1 }),
    ...(seesStaff && { is_staff: Boolean(row.is_administrator) }),
    organization,
    organizations: idsOf(row.organizations),
    admin_organizations: idsOf(row.admin_organizations),
    verified_journalist: Boolean(row.is_active),
    ...(isMe && { email }),
  };
}

function idsOf(joined: string | null): number[] {
  return (joined ?? "")
    .split(",")
    .filter((id) => id !== "")
    .map(Number);
}
