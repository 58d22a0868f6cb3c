import { type RawBuilder, sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { SignedInViewer, Viewer } from "../../http/request/viewer.ts";

export interface OrganizationRow {
  id: number;
  uuid: string;
  name: string;
  slug: string;
  avatar_url: string;
  individual: boolean | number;
}

export interface OrganizationFilters {
  ids?: number[] | undefined;
  individual?: boolean | undefined;
  slug?: string | undefined;
  uuid?: string | undefined;
  name?: string | undefined;
  nameStart?: string | undefined;
}

const columns = sql`id, uuid, name, slug, avatar_url, individual`;

/** The condition on `organizations` for those that a viewer may know about. The query parameter is `viewer`. */
export type KnownOrganizations = (dialect: Dialect, viewer: Viewer) => RawBuilder<boolean>;

/** One page of the organizations that the viewer may know about. */
export async function listOrganizations(
  database: Database,
  viewer: SignedInViewer,
  isKnownTo: KnownOrganizations,
  filters: OrganizationFilters,
  cursor: Cursor,
  limit: number,
): Promise<Page<OrganizationRow>> {
  const conditions = new Conditions(database.dialect, "organizations")
    .always(`known to ${viewer.isAdministrator}`, isKnownTo(database.dialect, viewer))
    .among("id", filters.ids)
    .equals("slug", filters.slug)
    .equals("uuid", filters.uuid)
    .equals("name", filters.name)
    .startsWithInAnyCase("name", filters.nameStart);
  if (filters.individual !== undefined) {
    conditions.always(`individual ${filters.individual}`, sql`individual = ${sql.lit(filters.individual)}`);
  }
  return conditions.with({ viewer: viewer.id }).page(database, columns, cursor, limit);
}

/** The organizations that exist among those with these ids, by id, without an access check. */
export async function findOrganizations(
  { dialect, prepared }: Database,
  ids: readonly number[],
): Promise<Map<number, OrganizationRow>> {
  if (ids.length === 0) return new Map();
  const rows = await prepared.rows<OrganizationRow>(
    "organizations",
    () => sql`select ${columns} from organizations where ${dialect.isAmong(sql.ref("id"), parameter("ids"))}`,
    { ids: dialect.list(ids) },
  );
  return new Map(rows.map((row) => [row.id, row]));
}
