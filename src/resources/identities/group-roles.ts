import type { Writer } from "../../database/database.ts";
import { organizationExists } from "../organizations/store.ts";
import { removeMember, setMember } from "../organizations/member-store.ts";
import { leaveActiveOrganization, setAdministrator } from "../users/change-account-store.ts";
import { rolesOf } from "./fields.ts";
import type { Claims } from "./oidc.ts";
import { type ProviderRow, hasOtherAdministrator } from "./store.ts";

type Roles = Pick<ProviderRow, "id" | "groups_claim" | "group_roles" | "administrators_group">;

/**
 * The groups that a provider names in its claims. A person whom it gives none is in none. Null if it says that it has
 * left them out, because there are too many: what a person may do must not follow from a part of their groups.
 */
export function groupsIn(claims: Claims, { groups_claim: name }: Roles): ReadonlySet<string> | null {
  if (name === "") return new Set();
  const value = claims[name];
  if (value === undefined) {
    const elsewhere = claims["_claim_names"];
    const isLeftOut = typeof elsewhere === "object" && elsewhere !== null && name in elsewhere;
    return isLeftOut ? null : new Set();
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return new Set(list.filter((group) => typeof group === "string"));
}

/**
 * Gives a user what their groups give now, and takes what they no longer give: memberships of the organizations that
 * the provider's groups name, and the role of an administrator if a group gives it. Other memberships stay. The last
 * administrator who may sign in stays one. Returns the ids of the organizations.
 */
export async function takeRoles(
  writer: Writer,
  { id: provider, group_roles, administrators_group: administrators }: Roles,
  user: number,
  groups: ReadonlySet<string>,
): Promise<number[]> {
  const by = { means: "provider", provider } as const;
  const given: number[] = [];
  const byOrganization = Map.groupBy(rolesOf({ group_roles }), ({ organization }) => organization);
  for (const [organization, roles] of byOrganization) {
    const held = roles.filter(({ group }) => groups.has(group));
    if (held.length > 0) {
      // An organization may have been removed since its group was entered.
      if (!(await organizationExists(writer, organization))) continue;
      await setMember(writer, { organization, user, isAdmin: held.some(({ is_admin }) => is_admin) }, by);
      given.push(organization);
    } else if (await removeMember(writer, { organization, user }, by)) {
      await leaveActiveOrganization(writer, user, organization);
    }
  }
  const isAdministrator = groups.has(administrators);
  if (administrators !== "" && (isAdministrator || (await hasOtherAdministrator(writer, user))))
    await setAdministrator(writer, user, isAdministrator, by);
  return given;
}
