import type { Context } from "../../context.ts";
import {
  addOrganization,
  findOrganizationNamed,
  removeMember,
  setMember,
} from "../organizations/member-store.ts";
import { findNamesake, leaveActiveOrganization } from "./account-store.ts";
import { checkedName } from "./add-user.ts";

type Ground = Pick<Context, "database">;

/** @throws Error when there is one of this name. */
export async function makeOrganization({ database }: Ground, name: string): Promise<void> {
  checkedName(name);
  await database.write(async (writer) => {
    const made = await addOrganization(writer, database.dialect, name);
    if (made === null) throw new Error(`There is an organization ${name} already`);
  });
}

export interface MemberChange {
  organization: string;
  username: string;
  /** Null: no member any more. */
  role: "member" | "admin" | null;
}

/** @throws Error when there is no such user or organization, or nothing to remove. */
export async function changeMember(
  { database }: Ground,
  { organization: name, username, role }: MemberChange,
): Promise<void> {
  await database.write(async (writer) => {
    const organization = await findOrganizationNamed(writer, name);
    if (organization === null) throw new Error(`There is no organization ${name}`);
    const user = await findNamesake(writer, username);
    if (user === null) throw new Error(`There is no user ${username}`);
    if (role !== null) {
      return setMember(writer, { organization, user: user.id, isAdmin: role === "admin" });
    }
    if (!(await removeMember(writer, { organization, user: user.id }))) {
      throw new Error(`${username} is no member of ${name}`);
    }
    await leaveActiveOrganization(writer, user.id, organization);
  });
}
