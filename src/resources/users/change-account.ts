import { byCommand } from "../organizations/membership-history-store.ts";
import type { Context } from "../../context.ts";
import { type ProfileChange, emailIsTaken, findAccount, findNamesake } from "./account-store.ts";
import { setActive, setPassword, setProfile } from "./change-account-store.ts";
import { checkPassword } from "./add-user.ts";

/** @throws Error if the password is not allowed, or if no account has this username. */
export async function changePassword(
  { database, passwords }: Pick<Context, "database" | "passwords">,
  username: string,
  password: string,
): Promise<void> {
  checkPassword(password);
  const hash = await passwords.hash(password);
  await database.write(async (writer) => {
    const account = await findAccount(writer, username);
    if (account === null) throw noAccount(username);
    await setPassword(writer, account.id, hash);
  });
}

/** @throws Error if the password is not allowed. */
export async function changeOwnPassword(
  { database, passwords }: Pick<Context, "database" | "passwords">,
  id: number,
  password: string,
): Promise<void> {
  checkPassword(password);
  const hash = await passwords.hash(password);
  await database.write((writer) => setPassword(writer, id, hash));
}

/** Returns false, and changes nothing, if another user has the email address. */
export async function changeProfile(
  { database }: Pick<Context, "database">,
  id: number,
  profile: ProfileChange,
): Promise<boolean> {
  return database.write(async (writer) => {
    await database.dialect.lockForWriting("users")?.execute(writer);
    const { email = "" } = profile;
    if (email !== "" && (await emailIsTaken(writer, email, id))) return false;
    await setProfile(writer, id, profile);
    return true;
  });
}

/** @throws Error if no account has this username. */
export async function changeActive(
  { database }: Pick<Context, "database">,
  username: string,
  isActive: boolean,
): Promise<void> {
  await database.write(async (writer) => {
    const account = await findAccount(writer, username);
    if (account === null) throw noAccount(username);
    await setActive(writer, account.id, isActive, byCommand);
  });
}

/** The id of the user with this username, who may have no account. */
export async function getUserId({ database }: Pick<Context, "database">, username: string): Promise<number> {
  const user = await findNamesake(database.reader, username);
  if (user === null) throw new Error(`There is no user ${username}`);
  return user.id;
}

export function noAccount(username: string): Error {
  return new Error(`There is no user ${username} with an account`);
}
