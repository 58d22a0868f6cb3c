import type { Database } from "../../database/database.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { isAdministrator } from "../../http/resource-route.ts";

/**
 * Whose holds a viewer may see, set and release. Administrators have those of the whole site; an admin of an
 * organization has those that cover this organization alone. A personal token gives neither right.
 */
export interface HoldRights {
  isAdministrator: boolean;
  /** The organizations, without individual ones, of which the viewer is an admin. */
  organizations: ReadonlySet<number>;
}

export async function holdRightsOf({ reader }: Database, viewer: SignedInViewer): Promise<HoldRights> {
  if (viewer.hasPersonalToken) return { isAdministrator: false, organizations: new Set() };
  const rows = await reader
    .selectFrom("organization_members")
    .innerJoin("organizations", "organizations.id", "organization_members.organization_id")
    .select("organizations.id")
    .where("organization_members.user_id", "=", viewer.id)
    .where("organization_members.is_admin", "=", true)
    .where("organizations.individual", "=", false)
    .execute();
  return { isAdministrator: isAdministrator(viewer), organizations: new Set(rows.map(({ id }) => id)) };
}

/** The rule for one hold, or for a new one: null stands for all organizations. */
export function mayHold(rights: HoldRights, organization: number | null): boolean {
  return rights.isAdministrator || (organization !== null && rights.organizations.has(organization));
}
