import { organizationLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import {
  addOrganization,
  findOrganizationCalled,
  removeMember,
  setMember,
  setPicture,
} from "../organizations/member-store.ts";
import { byCommand } from "../organizations/membership-history-store.ts";
import { isWebAddress } from "../../http/text/web-address.ts";
import { findNamesake } from "./account-store.ts";
import { leaveActiveOrganization } from "./change-account-store.ts";
import { checkedName } from "./add-user.ts";

/** @throws Error if an organization has this name already. */
export async function makeOrganization({ database }: Pick<Context, "database">, name: string): Promise<void> {
  checkedName(name);
  await database.write(async (writer) => {
    const made = await addOrganization(writer, database.dialect, name, byCommand);
    if (made === null) throw new Error(`There is an organization ${name} already`);
  });
}

/** Addresses up to this length work in all browsers and databases. */
const maxAddressLength = organizationLimits.avatarAddress;

/**
 * Sets the address of an organization's picture, `avatar_url` in the API. Null removes it. Returns the organization's
 * name.
 *
 * @throws Error if the organization does not exist, or if the address is not a web address.
 */
export async function changePicture(
  { database }: Pick<Context, "database">,
  { organization, address }: { organization: string; address: string | null },
): Promise<string> {
  if (address !== null && (!isWebAddress(address) || address.length > maxAddressLength)) {
    throw new Error(
      `${address}: expected an http:// or https:// address of up to ${maxAddressLength} characters`,
    );
  }
  return database.write(async (writer) => {
    const found = await findOrganizationCalled(writer, organization);
    if (found === null) throw new Error(`There is no organization ${organization}`);
    await setPicture(writer, found.id, address ?? "");
    return found.name;
  });
}

export interface MemberChange {
  /** Name or id. */
  organization: string;
  username: string;
  /** Null removes the member. */
  role: "member" | "admin" | null;
}

/**
 * Adds, changes or removes a member. Returns the organization's name.
 *
 * @throws Error if the user, the organization or the membership to remove does not exist.
 */
export async function changeMember(
  { database }: Pick<Context, "database">,
  { organization: nameOrId, username, role }: MemberChange,
): Promise<string> {
  return database.write(async (writer) => {
    const found = await findOrganizationCalled(writer, nameOrId);
    if (found === null) throw new Error(`There is no organization ${nameOrId}`);
    const { id: organization, name } = found;
    const user = await findNamesake(writer, username);
    if (user === null) throw new Error(`There is no user ${username}`);
    if (role !== null) {
      await setMember(writer, { organization, user: user.id, isAdmin: role === "admin" }, byCommand);
      return name;
    }
    if (!(await removeMember(writer, { organization, user: user.id }, byCommand))) {
      throw new Error(`${username} is no member of ${name}`);
    }
    await leaveActiveOrganization(writer, user.id, organization);
    return name;
  });
}
