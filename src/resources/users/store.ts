import { BulkInsert } from "../../database/bulk-insert.ts";
import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** A user whom a record names by id, with the other facts that the record has about them. */
export interface NamedUser {
  id: number;
  username: string | null;
  name: string | null;
}

interface NewUser {
  id: number;
  username: string;
  name: string;
  created_at: string;
  updated_at: string;
}

/** Adds the users that imported records name: a user must exist before documents can belong to them. */
export class UserPlaceholders {
  readonly #dialect: Dialect;
  readonly #insert = new BulkInsert<NewUser>("users", ["id", "username", "name", "created_at", "updated_at"]);

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Existing users are not changed. A username that another user has already is not used twice. */
  async addMissing(writer: Writer, users: readonly NamedUser[]): Promise<void> {
    let missing = await withoutRow(writer, this.#dialect, "users", users);
    if (missing.length === 0) return;
    const now = timestampNow();
    for (let attempt = 0; missing.length > 0; attempt++) {
      const rows = missing.map((user) => ({
        id: user.id,
        username: usernameFor(user, attempt),
        name: user.name ?? user.username ?? `User ${user.id}`,
        created_at: now,
        updated_at: now,
      }));
      await this.#insert.run(writer, rows);
      missing = await withoutRow(writer, this.#dialect, "users", missing);
    }
    await this.#dialect.afterOwnIds("users")?.execute(writer);
  }
}

function usernameFor({ id, username }: NamedUser, attempt: number): string {
  if (attempt === 0) return username ?? `user-${id}`;
  return attempt === 1 ? `user-${id}` : `user-${id}-${attempt}`;
}

export async function findUsername(writer: Writer, id: number): Promise<string | null> {
  const found = await writer.selectFrom("users").select("username").where("id", "=", id).executeTakeFirst();
  return found?.username ?? null;
}

/** The user with this username, who is added if necessary. */
export async function ensureUser(
  writer: Writer,
  username: string,
): Promise<{ id: number; username: string }> {
  const known = await writer
    .selectFrom("users")
    .select(["id", "username"])
    .where("username", "=", username)
    .executeTakeFirst();
  if (known !== undefined) return known;
  const now = timestampNow();
  return writer
    .insertInto("users")
    .values({ username, name: username, created_at: now, updated_at: now })
    .returning(["id", "username"])
    .executeTakeFirstOrThrow();
}
