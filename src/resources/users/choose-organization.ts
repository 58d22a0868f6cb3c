import type { Context } from "../../context.ts";
import { invalidFields, invalidRequest } from "../../errors.ts";
import { findOrganizations } from "../organizations/list-store.ts";
import { isMember } from "../organizations/member-store.ts";
import { setActiveOrganization } from "./change-account-store.ts";

/** Sets the user's active organization. The user must be a member of it. */
export async function chooseOrganization(
  { database }: Pick<Context, "database">,
  userId: number,
  organization: number,
): Promise<void> {
  if (!(await findOrganizations(database, [organization])).has(organization)) {
    throw invalidFields({ organization: [`Organization \`${organization}\` does not exist`] });
  }
  await database.write(async (writer) => {
    if (!(await isMember(writer, { organization, user: userId }))) {
      throw invalidRequest(
        "Cannot set a user's active organization to an organization they are not a member of",
      );
    }
    await setActiveOrganization(writer, userId, organization);
  });
}
