import { personLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import {
  emailIsTaken,
  findAccountByEmail,
  findNamesake,
  isActiveUser,
  lockAccount,
  unsetPassword,
} from "../users/account-store.ts";
import { setActiveOrganization } from "../users/change-account-store.ts";
import { insertUser, isEmailAddress } from "../users/add-user.ts";
import { insertSession } from "../users/credentials/session-store.ts";
import { noteOtherSignIn } from "../users/credentials/sign-in.ts";
import { groupsIn, takeRoles } from "./group-roles.ts";
import type { Claims } from "./oidc.ts";
import { type Identity, type ProviderRow, addIdentity, findUserOf, noteIdentityUse } from "./store.ts";

/** Why a person who has signed in at a provider may not come in here. */
export type Refusal = "no account" | "disabled" | "of another account" | "groups left out";

export interface SignedInAt {
  provider: ProviderRow;
  claims: Claims;
  /** The client's IP address. */
  address: string;
  browser: string;
  /** The user, already signed in, whose identity it shall be from now on; null to sign in. */
  connectTo: number | null;
}

/**
 * Signs in the person whom a provider has named, in one transaction: finds the account or creates it, gives what the
 * person's groups give now and takes what they no longer give, and begins a session. Returns its cookie's value.
 */
export async function signInAt(
  context: Pick<Context, "database" | "secrets">,
  { provider, claims, address, browser, connectTo }: SignedInAt,
): Promise<{ secret: string } | { refusal: Refusal }> {
  const { database } = context;
  const groups = groupsIn(claims, provider);
  if (groups === null) return { refusal: "groups left out" };
  const identity = { provider_id: provider.id, subject: claims.sub };
  const result = await database.write(async (writer) => {
    const found = await findUser(database, writer, identity);
    if (connectTo !== null && found !== null && found !== connectTo) return "of another account";
    const user = found ?? connectTo ?? (await findAccount(writer, provider, claims));
    const isNew = user === null;
    if (isNew && !provider.creates_accounts) return "no account";
    const id = isNew ? await createAccount(database, writer, provider, claims) : user;
    await lockAccount(writer, database.dialect, id);
    if (!(await isActiveUser(writer, id))) return "disabled";
    await (found === null ? addIdentity(writer, identity, id) : noteIdentityUse(writer, identity));
    const [organization] = await takeRoles(writer, provider, id, groups);
    if (isNew && organization !== undefined) await setActiveOrganization(writer, id, organization);
    const session = typeof claims["sid"] === "string" ? claims["sid"] : null;
    const origin = { provider_id: provider.id, provider_session: session };
    return { id, secret: await insertSession(writer, { user_id: id, browser, ...origin }) };
  });
  if (typeof result === "string") return { refusal: result };
  await noteOtherSignIn(context, result.id, address);
  return { secret: result.secret };
}

/** The user with this identity, or null. Then it has locked the users, so that two sign-ins do not both add one. */
async function findUser(database: Database, writer: Writer, identity: Identity): Promise<number | null> {
  const found = await findUserOf(writer, identity);
  if (found !== null) return found;
  await database.dialect.lockForWriting("users")?.execute(writer);
  return findUserOf(writer, identity);
}

/** The account that the email address of a person leads to, who comes from this provider for the first time. */
async function findAccount(writer: Writer, provider: ProviderRow, claims: Claims): Promise<number | null> {
  const email = emailIn(claims);
  if (!provider.links_by_email || email === null) return null;
  return (await findAccountByEmail(writer, email))?.id ?? null;
}

/**
 * Nobody becomes a user whom records have named, and whose documents would then be theirs: a username is free only if
 * neither an account nor a record has it.
 */
async function createAccount(
  database: Database,
  writer: Writer,
  { id: provider }: ProviderRow,
  claims: Claims,
): Promise<number> {
  const wanted = usernameIn(claims);
  let username = wanted;
  for (let more = 2; (await findNamesake(writer, username)) !== null; more++) username = `${wanted}-${more}`;
  const email = emailIn(claims);
  const isFree = email !== null && !(await emailIsTaken(writer, email));
  return insertUser(database, writer, {
    username,
    name: nameIn(claims),
    email: isFree ? email : null,
    organization: null,
    isAdministrator: false,
    passwordHash: unsetPassword,
    by: { means: "provider", provider },
  });
}

/** The email address, if the provider says that it has verified it. */
function emailIn({ email, email_verified: isVerified }: Claims): string | null {
  return isVerified === true && typeof email === "string" && isEmailAddress(email) ? email : null;
}

/** Leaves room for a number, in case others have the same one. */
const maxWantedLength = personLimits.username - 10;

function usernameIn({ preferred_username: preferred, email }: Claims): string {
  const [local] = typeof email === "string" ? email.split("@") : [];
  const plain = [preferred, local].map((text) => (typeof text === "string" ? plainName(text) : ""));
  return plain.find((text) => text !== "") ?? "user";
}

function plainName(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9@.+_-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, maxWantedLength);
}

function nameIn({ name, given_name: given, family_name: family }: Claims): string | null {
  const parts = [given, family].filter((part) => typeof part === "string").join(" ");
  const whole = typeof name === "string" ? name : parts;
  const text = whole.replaceAll("\0", "").toWellFormed().trim();
  return text === "" ? null : Array.from(text).slice(0, personLimits.name).join("");
}
