import { BulkInsert } from "../../database/bulk-insert.ts";
import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import {
  type NewIdentity,
  type RecordedIdentity,
  freeIdentities,
} from "../organizations/recorded-identity-store.ts";

/** A user whom a record names by id, with what else the record says of them. */
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

/** Makes the users that records name: someone must be there before documents can be theirs. */
export class UserPlaceholders {
  readonly #dialect: Dialect;
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

  /** Whoever is there stays as they are. A username or uuid that another user has already is not given twice. */
  async addMissing(writer: Writer, users: readonly NamedUser[]): Promise<void> {
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
      missing = await withoutRow(writer, this.#dialect, "users", missing);
    }
    await this.#dialect.afterOwnIds("users")?.execute(writer);
  }
}

function usernameFor({ id, username }: NamedUser, attempt: number): string {
  if (attempt === 0) return username ?? `user-${id}`;
  return attempt === 1 ? `user-${id}` : `user-${id}-${attempt}`;
}

/** What decides about the documents that somebody owns from now on. */
export interface OwnerFacts {
  id: number;
  username: string;
  /** The active one; null for a user who was only named in records. */
  organization: number | null;
}

export async function findOwnerFacts(writer: Writer, id: number): Promise<OwnerFacts | null> {
  const found = await writer
    .selectFrom("users")
    .select(["id", "username", "organization_id as organization"])
    .where("id", "=", id)
    .executeTakeFirst();
  return found ?? null;
}
