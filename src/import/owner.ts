import type { Database } from "../database/database.ts";
import { ensureIndividualOrganization, organizationExists } from "../resources/organizations/store.ts";
import { projectExists } from "../resources/projects/store.ts";
import { ensureUser, findUsername } from "../resources/users/store.ts";

/** Whose documents are that come without an owner, by ids; null where none was chosen. */
export interface OwnerChoice {
  user: number | null;
  organization: number | null;
  project: number | null;
}

export interface Owner {
  user: number;
  organization: number;
  /** The projects that files become part of. */
  projects: readonly number[];
}

export const nobodyChosen: OwnerChoice = { user: null, organization: null, project: null };

/** Whom files belong to when nobody is chosen. */
const defaultUsername = "quire";

/**
 * The owner whom someone chose: without a user it is the one named `quire`, without an organization the user's own;
 * these two are made if need be.
 *
 * @throws Error for an id that nobody has.
 */
export async function findOwner(database: Database, choice: OwnerChoice): Promise<Owner> {
  return database.write(async (writer) => {
    const { id: user, username } =
      choice.user === null
        ? await ensureUser(writer, defaultUsername)
        : { id: choice.user, username: await findUsername(writer, choice.user) };
    if (username === null) throw new Error(`There is no user ${user}`);
    if (choice.organization !== null && !(await organizationExists(writer, choice.organization))) {
      throw new Error(`There is no organization ${choice.organization}`);
    }
    if (choice.project !== null && !(await projectExists(writer, choice.project))) {
      throw new Error(`There is no project ${choice.project}`);
    }
    return {
      user,
      organization: choice.organization ?? (await ensureIndividualOrganization(writer, username)),
      projects: choice.project === null ? [] : [choice.project],
    };
  });
}
