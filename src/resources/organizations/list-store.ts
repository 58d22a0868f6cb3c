import { type RawBuilder, sql } from "kysely";
import { Conditions } from "../../database/conditions.ts";
import type { Database } from "../../database/database.ts";
import { readIdPage } from "../../database/id-pages.ts";
import type { Page } from "../../database/keyset.ts";
import { type Buildable, compilable, parameter } from "../../database/prepared-queries.ts";
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

/** Whom a viewer knows of, as a condition on `users`, with the parameter `viewer`. */
export type KnownUsers = (viewer: Viewer) => RawBuilder<boolean>;

/** One page of organizations, without those that are the own ones of users whom the viewer does not know of. */
export async function listOrganizations(
  database: Database,
  viewer: SignedInViewer,
  isKnownTo: KnownUsers,
  filters: OrganizationFilters,
  cursor: Cursor,
  limit: number,
): Promise<Page<OrganizationRow>> {
  const isOfStranger = sql`exists (
    select 1 from users where users.uuid = organizations.uuid and not ${isKnownTo(viewer)})`;
  const conditions = new Conditions(database.dialect, "organizations")
    .always(`known to ${viewer.isAdministrator}`, sql`not ${isOfStranger}`)
    .among("id", filters.ids)
    .equals("slug", filters.slug)
    .equals("uuid", filters.uuid)
    .equals("name", filters.name)
    .startsWithInAnyCase("name", filters.nameStart);
  if (filters.individual !== undefined) {
    conditions.always(`individual ${filters.individual}`, sql`individual = ${sql.lit(filters.individual)}`);
  }
  const { shape, where } = conditions;
  const values = { ...conditions.values, viewer: viewer.id };
  const list = { shape, table: "organizations", columns, where, values };
  return readIdPage<OrganizationRow>(database, list, cursor, limit);
}

/** Those that there are of these, by their ids. */
export async function findOrganizations(
  { dialect, prepared, reader }: Database,
  ids: readonly number[],
): Promise<Map<number, OrganizationRow>> {
  if (ids.length === 0) return new Map();
  const build = (): Buildable<OrganizationRow> =>
    compilable(
      reader,
      sql`select ${columns} from organizations where ${dialect.isAmong(sql.ref("id"), parameter("ids"))}`,
    );
  const rows = await prepared.rows<OrganizationRow>("organizations", build, { ids: dialect.list(ids) });
  return new Map(rows.map((row) => [row.id, row]));
}
