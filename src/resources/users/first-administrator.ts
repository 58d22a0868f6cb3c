import { randomInt } from "node:crypto";
import type { Context } from "../../context.ts";
import { hasAccounts } from "./account-store.ts";
import { addUser } from "./add-user.ts";

export const firstUsername = "admin";

/** A password that is to be shown once. */
export function randomPassword(): string {
  return Array.from({ length: 4 }, () =>
    Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join(""),
  ).join("-");
}

/** Without letters and digits that look alike. */
const letters = "abcdefghijkmnpqrstuvwxyz23456789";

/**
 * Adds an administrator if nobody can sign in yet. Returns the password, which is to be shown once, or null if there was
 * an account already.
 */
export async function addFirstAdministrator(
  context: Pick<Context, "database" | "passwords">,
): Promise<string | null> {
  if (await hasAccounts(context.database.reader)) return null;
  const password = randomPassword();
  const isMade = await addUser(context, {
    username: firstUsername,
    password,
    name: "Administrator",
    email: null,
    organization: null,
    isAdministrator: true,
    onlyFirst: true,
  });
  return isMade ? password : null;
}
