import { sql } from "kysely";
import { BulkInsert } from "../../database/bulk-insert.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { parameter } from "../../database/prepared-queries.ts";
import { type NewIdentity, type RecordedIdentity, freeIdentities } from "./recorded-identity-store.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import { hasRow } from "../../database/rows.ts";

/** An organization that a record names by id, with the other facts that the record has about it. */
export interface NamedOrganization extends RecordedIdentity {
  name: string | null;
  slug: string | null;
  individual: boolean;
}

interface NewOrganization extends NewIdentity {
  name: string;
  slug: string;
  individual: boolean;
}

/** Adds the organizations that imported records name. */
export class OrganizationPlaceholders {
  readonly #dialect: Dialect;
  readonly #insert = new BulkInsert<NewOrganization>("organizations", [
    "id",
    "uuid",
    "name",
    "slug",
    "avatar_url",
    "individual",
    "created_at",
    "updated_at",
  ]);

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /**
   * Adds those that do not exist yet. Existing ones stay as they are, except that those of which only the id was known
   * get their names. A uuid that another organization has already is replaced with a new one.
   */
  async addMissing(writer: Writer, organizations: readonly NamedOrganization[]): Promise<void> {
    await this.#introduce(writer, organizations);
    const missing = await withoutRow(writer, this.#dialect, "organizations", organizations);
    if (missing.length === 0) return;
    const identities = await freeIdentities(writer, this.#dialect, "organizations", missing);
    const rows = missing.map(({ id, name, slug, individual }, index) => {
      const named = { name: name ?? `Organization ${id}`, slug: slug ?? `organization-${id}`, individual };
      return Object.assign(named, identities[index] as NewIdentity);
    });
    await this.#insert.run(writer, rows);
    await this.#dialect.afterOwnIds("organizations")?.execute(writer);
  }

  /** Names the organizations that were added when only their id was known. */
  async #introduce(writer: Writer, organizations: readonly NamedOrganization[]): Promise<void> {
    const named = organizations.filter(({ isExpanded, name }) => isExpanded && name !== null);
    if (named.length === 0) return;
    const unnamed = await writer
      .selectFrom("organizations")
      .select("id")
      .where(this.#dialect.isAmong(sql.ref("id"), sql`${this.#dialect.list(named.map(({ id }) => id))}`))
      .where("name", "=", sql<string>`'Organization ' || id`)
      .where("slug", "=", sql<string>`'organization-' || id`)
      .execute();
    const ids = new Set(unnamed.map(({ id }) => id));
    const introduced = named.filter(({ id }) => ids.has(id));
    const identities = await freeIdentities(writer, this.#dialect, "organizations", introduced);
    for (const [index, { id, name, slug, individual }] of introduced.entries()) {
      await writer
        .updateTable("organizations")
        .set({
          ...(identities[index] as NewIdentity),
          name: name ?? "",
          slug: slug ?? `organization-${id}`,
          individual,
        })
        .where("id", "=", id)
        .execute();
    }
  }
}

export async function organizationExists(reader: Pick<Writer, "selectFrom">, id: number): Promise<boolean> {
  return hasRow(reader, "organizations", { id });
}

/** The names of these organizations, by id. */
export async function findOrganizationNames(
  { dialect, prepared }: Database,
  ids: readonly number[],
): Promise<Map<number, string>> {
  type Named = { id: number; name: string };
  const build = () => {
    const among = dialect.isAmong(sql.ref("id"), parameter("ids"));
    return sql`select id, name from organizations where ${among}`;
  };
  const found = await prepared.rows<Named>("organization names", build, { ids: dialect.list(ids) });
  return new Map(found.map(({ id, name }) => [id, name]));
}
