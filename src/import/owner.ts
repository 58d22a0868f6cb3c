import type { Context } from "../context.ts";
import type { Database, Reader, Writer } from "../database/database.ts";
import { ensureIndividualOrganization, organizationExists } from "../resources/organizations/store.ts";
import { projectExists } from "../resources/projects/store.ts";
import { addUser } from "../resources/users/add-user.ts";
import { findAccount, findActiveAccounts, findNamesake } from "../resources/users/account-store.ts";
import { createPasswordLink } from "../resources/users/credentials/password-links.ts";
import { findOwnerFacts, type OwnerFacts } from "../resources/users/store.ts";

/** The owner that a command line names for documents that name none themselves; null where it names nothing. */
export interface OwnerChoice {
  /** An id or a username. */
  user: string | null;
  organization: number | null;
  project: number | null;
}

export interface Owner {
  user: number;
  organization: number;
  /** The organization that is active for the user, or else their own; the same one unless another was chosen. */
  ownOrganization: number;
  /** The projects that files become part of. */
  projects: readonly number[];
  /** Which of these somebody chose. The others are what a new document gets. */
  isChosen: { user: boolean; organization: boolean };
}

export const noChoice: OwnerChoice = { user: null, organization: null, project: null };

/**
 * The owner that somebody chose. Without a user it is the only one who can sign in; without an organization it is the
 * one that is active for the user, or else the user's own, which is made if need be.
 *
 * @throws Error for what does not exist, and where nobody was chosen and there is not exactly one account.
 */
export async function findOwner(database: Database, choice: OwnerChoice): Promise<Owner> {
  return database.write(async (writer) => {
    const user = choice.user === null ? await onlyAccount(writer) : await findUser(writer, choice.user);
    if (user === null) throw new Error(`There is no user ${choice.user}`);
    if (choice.organization !== null && !(await organizationExists(writer, choice.organization))) {
      throw new Error(`There is no organization ${choice.organization}`);
    }
    if (choice.project !== null && !(await projectExists(writer, choice.project))) {
      throw new Error(`There is no project ${choice.project}`);
    }
    const { organization: active, username } = user;
    const ownOrganization = active ?? (await ensureIndividualOrganization(writer, username));
    return {
      user: user.id,
      organization: choice.organization ?? ownOrganization,
      ownOrganization,
      projects: choice.project === null ? [] : [choice.project],
      isChosen: { user: choice.user !== null, organization: choice.organization !== null },
    };
  });
}

/**
 * The owner of the samples: an administrator who can sign in, or else anybody who can.
 *
 * @throws Error where nobody can.
 */
export async function findSamplesOwner(database: Database): Promise<Owner> {
  const [first] = await findActiveAccounts(database.reader);
  return findOwner(database, { ...noChoice, user: first === undefined ? null : String(first.id) });
}

/**
 * Makes an account for the owner that somebody named, if nobody can sign in as them: a new user, or one whom only
 * records have named so far. Returns the token of a link with which they set their password; null if there is an account,
 * and for an unknown id, which {@link findOwner} refuses.
 *
 * @throws Error if the account is disabled, or the name cannot be an account's.
 */
export async function ensureOwnerAccount(
  context: Pick<Context, "database" | "passwords">,
  idOrUsername: string,
): Promise<{ username: string; token: string } | null> {
  const { reader } = context.database;
  const byId = /^\d{1,15}$/.test(idOrUsername) ? await findOwnerFacts(reader, Number(idOrUsername)) : null;
  const username = byId?.username ?? idOrUsername;
  const account = await findAccount(reader, username);
  if (account !== null && !account.isActive) {
    throw new Error(`User ${account.username} is disabled. quire user enable lets them sign in again`);
  }
  if (account !== null || (byId === null && /^\d+$/.test(idOrUsername))) return null;
  const details = { name: null, email: null, organization: null, isAdministrator: false };
  await addUser(context, { username, password: null, ...details });
  return { username, token: await createPasswordLink(context, username) };
}

/** An id comes before a username, which may also be digits. */
export async function findUser(reader: Reader, idOrUsername: string): Promise<OwnerFacts | null> {
  const byId = /^\d{1,15}$/.test(idOrUsername) ? await findOwnerFacts(reader, Number(idOrUsername)) : null;
  if (byId !== null) return byId;
  const namesake = await findNamesake(reader, idOrUsername);
  return namesake === null ? null : findOwnerFacts(reader, namesake.id);
}

async function onlyAccount(writer: Writer): Promise<OwnerFacts | null> {
  const accounts = await findActiveAccounts(writer);
  const [only] = accounts;
  if (only === undefined) {
    throw new Error(
      "Nobody can sign in yet who could own the documents. Make an account with quire user add, " +
        "or name an owner with --user",
    );
  }
  if (accounts.length > 1) {
    throw new Error(
      `${accounts.length} users can sign in. Name the owner of the documents with --user; ` +
        "quire user list shows the users, and quire user add makes one",
    );
  }
  return findOwnerFacts(writer, only.id);
}
