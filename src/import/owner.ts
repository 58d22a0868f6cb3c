import type { Context } from "../context.ts";
import type { Database, Reader, Writer } from "../database/database.ts";
import { ensureIndividualOrganization } from "../resources/organizations/member-store.ts";
import { organizationExists } from "../resources/organizations/store.ts";
import { projectExists } from "../resources/projects/store.ts";
import { addUser } from "../resources/users/add-user.ts";
import { findAccount, findActiveAccounts, findNamesake } from "../resources/users/account-store.ts";
import { createPasswordLink } from "../resources/users/credentials/password-links.ts";
import { findOwnerFacts, type OwnerFacts } from "../resources/users/store.ts";

/** The owner on the command line, for documents that name no owner. Each part is null if it was not given. */
export interface OwnerChoice {
  /** An id or a username. */
  user: string | null;
  organization: number | null;
  project: number | null;
}

export interface Owner {
  user: number;
  organization: number;
  /**
   * The user's active organization, or else the user's individual one. Equal to `organization` unless another was
   * given.
   */
  ownOrganization: number;
  /** The projects that imported files join. */
  projects: readonly number[];
  /** Whether each was given on the command line. The others apply to new documents only. */
  isChosen: { user: boolean; organization: boolean };
}

export const noChoice: OwnerChoice = { user: null, organization: null, project: null };

/**
 * Finds the owner on the command line. The default user is the only one who can sign in. The default organization is
 * the user's active one, or else the user's individual one, which is created if necessary.
 *
 * @throws Error if a user, organization or project does not exist, or if no user was given and there is not exactly one
 * account.
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
    const { organization: active, uuid, username } = user;
    const own = { uuid, username, isKnown: true };
    const ownOrganization = active ?? (await ensureIndividualOrganization(writer, own));
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
 * The owner of the samples: an administrator who can sign in, or else any user who can.
 *
 * @throws Error if no user can sign in.
 */
export async function findSamplesOwner(database: Database): Promise<Owner> {
  const [first] = await findActiveAccounts(database.reader);
  return findOwner(database, { ...noChoice, user: first === undefined ? null : String(first.id) });
}

/**
 * Creates an account for the owner on the command line if they have none: a new user, or one that only imported records
 * have named so far. Returns the token of a link with which they set their password. Null if the account exists, or if
 * the id is unknown, which {@link findOwner} refuses.
 *
 * @throws Error if the account is disabled, or if the name is not a valid username.
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

/** Digits are read as an id first, and then as a username. */
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
