import { sql } from "kysely";
import { BulkInsert } from "../../database/bulk-insert.ts";
import type { Reader, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import {
  type NewIdentity,
  type RecordedIdentity,
  freeIdentities,
} from "../organizations/recorded-identity-store.ts";

/** A user whom a record names by id, with the other facts that the record has about them. */
export interface NamedUser extends RecordedIdentity {
  username: string | null;
  name: string | null;
}

interface NewUser {
  id: number;
  uuid: string;
  username: string;
  name: string;
  avatar_url: string;
  created_at: string;
  updated_at: string;
}

/** Adds the users that imported records name: a user must exist before documents can belong to them. */
export class UserPlaceholders {
  readonly #dialect: Dialect;
  readonly #unlike = new Map<number, UnlikeAccount>();
  readonly #nameless = new Set<number>();
  readonly #insert = new BulkInsert<NewUser>("users", [
    "id",
    "uuid",
    "username",
    "name",
    "avatar_url",
    "created_at",
    "updated_at",
  ]);

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The users since the last call whose username an account with another id has. */
  takeUnlikeAccounts(): UnlikeAccount[] {
    const unlike = [...this.#unlike.values()].filter(({ isTold }) => !isTold);
    for (const user of unlike) user.isTold = true;
    return unlike;
  }

  /** The number of users that were added and of whom only the id is known. */
  get nameless(): number {
    return this.#nameless.size;
  }

  /**
   * Adds those who do not exist yet. Existing users stay as they are, except that those of whom only the id was known
   * get their names. A username or uuid that another user has already is replaced with a new one.
   */
  async addMissing(writer: Writer, users: readonly NamedUser[]): Promise<void> {
    await this.#introduce(writer, users);
    let missing = await withoutRow(writer, this.#dialect, "users", users);
    if (missing.length === 0) return;
    for (let attempt = 0; missing.length > 0; attempt++) {
      const identities = await freeIdentities(writer, this.#dialect, "users", missing);
      const rows = missing.map((user, index) => ({
        ...(identities[index] as NewIdentity),
        username: usernameFor(user, attempt),
        name: user.name ?? user.username ?? `User ${user.id}`,
      }));
      await this.#insert.run(writer, rows);
      for (const { id, username } of missing) {
        if (username === null) this.#nameless.add(id);
        else if (attempt > 0)
          await this.#compare(writer, { id, username, ownName: usernameFor({ id, username }, attempt) });
      }
      missing = await withoutRow(writer, this.#dialect, "users", missing);
    }
    await this.#dialect.afterOwnIds("users")?.execute(writer);
  }

  /** Names the users who were added when only their id was known, and who have no account. */
  async #introduce(writer: Writer, users: readonly NamedUser[]): Promise<void> {
    const named = users.filter(({ isExpanded, username, name }) => isExpanded && (username ?? name) !== null);
    if (named.length === 0) return;
    const unnamed = await writer
      .selectFrom("users")
      .select("id")
      .where(this.#dialect.isAmong(sql.ref("id"), sql`${this.#dialect.list(named.map(({ id }) => id))}`))
      .where("name", "=", sql<string>`'User ' || id`)
      .where("password_hash", "is", null)
      .execute();
    const ids = new Set(unnamed.map(({ id }) => id));
    const introduced = named.filter(({ id }) => ids.has(id));
    const identities = await freeIdentities(writer, this.#dialect, "users", introduced);
    for (const [index, { id, username, name }] of introduced.entries()) {
      const isTaken = username !== null && (await hasUsername(writer, username));
      this.#nameless.delete(id);
      if (isTaken) await this.#compare(writer, { id, username, ownName: `user-${id}` });
      await writer
        .updateTable("users")
        .set({
          ...(identities[index] as NewIdentity),
          name: name ?? username ?? "",
          ...(username !== null && !isTaken && { username }),
        })
        .where("id", "=", id)
        .execute();
    }
  }

  /** Notes a user whose username is that of an account. */
  async #compare(writer: Writer, user: { id: number; username: string; ownName: string }): Promise<void> {
    const account = await writer
      .selectFrom("users")
      .select("id")
      .where("username", "=", user.username)
      .where("password_hash", "is not", null)
      .executeTakeFirst();
    if (account === undefined || this.#unlike.has(user.id)) return;
    this.#unlike.set(user.id, { ...user, account: account.id, isTold: false });
  }
}

/** A user of records whose username an account with another id has. */
export interface UnlikeAccount {
  id: number;
  username: string;
  /** The username that they got instead. */
  ownName: string;
  /** The id of the account. */
  account: number;
  isTold: boolean;
}

async function hasUsername(writer: Writer, username: string): Promise<boolean> {
  const found = await writer.selectFrom("users").select("id").where("username", "=", username).execute();
  return found.length > 0;
}

function usernameFor({ id, username }: Pick<NamedUser, "id" | "username">, attempt: number): string {
  if (attempt === 0) return username ?? `user-${id}`;
  return attempt === 1 ? `user-${id}` : `user-${id}-${attempt}`;
}

/** The facts about an owner that decide how their new documents are created. */
export interface OwnerFacts {
  id: number;
  uuid: string;
  username: string;
  /** The active one; null for a user who was only named in records. */
  organization: number | null;
}

export async function findOwnerFacts(
  reader: Pick<Reader, "selectFrom">,
  id: number,
): Promise<OwnerFacts | null> {
  const found = await reader
    .selectFrom("users")
    .select(["id", "uuid", "username", "organization_id as organization"])
    .where("id", "=", id)
    .executeTakeFirst();
  return found ?? null;
}
