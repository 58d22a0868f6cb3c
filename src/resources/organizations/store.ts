import { sql } from "kysely";
import { BulkInsert } from "../../database/bulk-insert.ts";
import type { Database, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import { type Buildable, compilable, parameter } from "../../database/prepared-queries.ts";
import { timestampNow } from "../../http/text/timestamp.ts";

/** An organization that a record names by id, with the other facts that the record has about it. */
export interface NamedOrganization {
  id: number;
  name: string | null;
  slug: string | null;
  individual: boolean;
}

interface NewOrganization {
  id: number;
  name: string;
  slug: string;
  individual: boolean;
  created_at: string;
  updated_at: string;
}

/** Adds the organizations that imported records name. */
export class OrganizationPlaceholders {
  readonly #dialect: Dialect;
  readonly #insert = new BulkInsert<NewOrganization>("organizations", [
    "id",
    "name",
    "slug",
    "individual",
    "created_at",
    "updated_at",
  ]);

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Existing organizations are not changed. */
  async addMissing(writer: Writer, organizations: readonly NamedOrganization[]): Promise<void> {
    const missing = await withoutRow(writer, this.#dialect, "organizations", organizations);
    if (missing.length === 0) return;
    const now = timestampNow();
    const rows = missing.map(({ id, name, slug, individual }) => ({
      id,
      name: name ?? `Organization ${id}`,
      slug: slug ?? `organization-${id}`,
      individual,
      created_at: now,
      updated_at: now,
    }));
    await this.#insert.run(writer, rows);
    await this.#dialect.afterOwnIds("organizations")?.execute(writer);
  }
}

export async function organizationExists(writer: Writer, id: number): Promise<boolean> {
  const found = await writer.selectFrom("organizations").select("id").where("id", "=", id).executeTakeFirst();
  return found !== undefined;
}

/** The id of a user's individual organization, whose name is the username. It is added if necessary. */
export async function ensureIndividualOrganization(writer: Writer, username: string): Promise<number> {
  const known = await writer
    .selectFrom("organizations")
    .select("id")
    .where("name", "=", username)
    .where("individual", "=", true)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  const now = timestampNow();
  const slug = username.toLowerCase().replaceAll(/[^a-z0-9_-]+/g, "-");
  const { id } = await writer
    .insertInto("organizations")
    .values({ name: username, slug, individual: true, created_at: now, updated_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The names of these organizations, by id. */
export async function findOrganizationNames(
  { dialect, prepared, reader }: Database,
  ids: readonly number[],
): Promise<Map<number, string>> {
  type Named = { id: number; name: string };
  const build = (): Buildable<Named> => {
    const among = dialect.isAmong(sql.ref("id"), parameter("ids"));
    return compilable(reader, sql`select id, name from organizations where ${among}`);
  };
  const found = await prepared.rows<Named>("organization names", build, { ids: dialect.list(ids) });
  return new Map(found.map(({ id, name }) => [id, name]));
}
