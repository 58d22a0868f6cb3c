import { type RawBuilder, type Selectable, sql } from "kysely";
import type { addonCategories } from "../../contract/addon.ts";
import { Conditions, likeText } from "../../database/conditions.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import { lockRow, rowOf, rowsOf, visibleRows } from "../../database/rows.ts";
import type { AddonsTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { isViewableAddon, mayViewAddon } from "./access.ts";

export type AddonRow = Selectable<AddonsTable>;
/** With whether the viewer has pinned it. */
export type ListedAddonRow = AddonRow & { active: boolean | number };

export interface AddonFilters {
  active?: boolean | undefined;
  default?: boolean | undefined;
  featured?: boolean | undefined;
  premium?: boolean | undefined;
  repository?: string | undefined;
  query?: string | undefined;
  categories?: readonly (typeof addonCategories)[number][];
}

const isPinned = sql<boolean>`exists (select 1 from addon_pins where addon_pins.addon_id = addons.id
  and addon_pins.user_id = ${parameter("viewer")})`;
const listed = sql`addons.*, ${isPinned} as active`;

/** One page of the add-ons that the viewer may see, oldest first. */
export async function listAddons(
  database: Database,
  viewer: Viewer,
  filters: AddonFilters,
  cursor: Cursor,
  limit: number,
): Promise<Page<ListedAddonRow>> {
  const { condition, values } = isViewableAddon(database.dialect, viewer);
  const conditions = new Conditions(database.dialect, "addons").always("viewable", condition).with(values);
  const { active, query, categories = [] } = filters;
  if (active !== undefined) conditions.always(`active ${active}`, sql`${isPinned} = ${bool(active)}`);
  for (const [column, value] of [
    ["is_default", filters.default],
    ["is_featured", filters.featured],
  ] as const)
    if (value !== undefined)
      conditions.always(`${column} ${value}`, sql`${sql.ref(`addons.${column}`)} = ${bool(value)}`);
  if (filters.premium !== undefined) {
    const is = filters.premium ? sql`like` : sql`not like`;
    conditions.always(`premium ${filters.premium}`, sql`addons.categories ${is} '%,premium,%'`);
  }
  conditions.equals("repository", filters.repository);
  const pattern = query === undefined ? undefined : `%${likeText(query)}%`;
  conditions.that("query", "query", pattern, (placeholder) => {
    const [inName, inDescription] = ["name", "description"].map((column) =>
      conditions.holdsInAnyCase(column, placeholder),
    );
    return sql`(${inName} or ${inDescription})`;
  });
  if (categories.length > 0) {
    const any = sql.join(
      categories.map((_category, index) => sql`addons.categories like ${parameter(`category${index}`)}`),
      sql` or `,
    );
    conditions.always(`categories ${categories.length}`, sql`(${any})`);
    for (const [index, category] of categories.entries())
      conditions.with({ [`category${index}`]: `%,${category},%` });
  }
  return conditions.page(database, listed, cursor, limit);
}

const bool = (value: boolean): RawBuilder<boolean> => (value ? sql<boolean>`true` : sql<boolean>`false`);

/** The add-on, if the viewer may see it. */
export async function findAddon(
  reader: Pick<Reader, "selectFrom">,
  viewer: Viewer,
  id: number,
): Promise<ListedAddonRow | null> {
  const row = await rowOf(reader, "addons", { id });
  if (row === null || !mayViewAddon(viewer, row)) return null;
  const active = viewer.kind === "user" && (await isPinnedBy(reader, viewer.id, id));
  return { ...row, active };
}

async function isPinnedBy(
  reader: Pick<Reader, "selectFrom">,
  user_id: number,
  addon_id: number,
): Promise<boolean> {
  return (await rowOf(reader, "addon_pins", { user_id, addon_id })) !== null;
}

/** All add-ons that were not removed. */
export const registeredAddons = visibleRows("addons", {
  row: (_viewer: Viewer, row) => !row.is_removed,
  list: (rows) => rows.always("there", sql`addons.is_removed = false`),
});

/** Like {@link findAddon}, and locks the add-on until the transaction ends. */
export async function lockAddon(writer: Writer, viewer: Viewer, id: number): Promise<ListedAddonRow | null> {
  await lockRow(writer, "addons", { id });
  return findAddon(writer, viewer, id);
}

export async function findAddonRow(
  reader: Pick<Reader, "selectFrom">,
  where: { id: number } | { repository: string },
): Promise<AddonRow | null> {
  return rowOf(reader, "addons", where);
}

/** All add-ons that were not removed, by the names of their folders. */
export async function findRegistered(reader: Reader): Promise<AddonRow[]> {
  return rowsOf(reader, "addons", { is_removed: false }, "repository");
}

export async function hasOrganization(reader: Pick<Reader, "selectFrom">, id: number): Promise<boolean> {
  return (await rowOf(reader, "organizations", { id })) !== null;
}

/** Pins an add-on for a person, or ends that. */
export async function setPin(writer: Writer, user_id: number, addon_id: number, is: boolean): Promise<void> {
  if (is) {
    await writer
      .insertInto("addon_pins")
      .values({ user_id, addon_id })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else {
    await writer
      .deleteFrom("addon_pins")
      .where("user_id", "=", user_id)
      .where("addon_id", "=", addon_id)
      .execute();
  }
}

/** These add-ons by id, with whether the viewer has pinned them. Removed ones are shown with their runs. */
export async function findAddonsFor(
  { dialect, reader }: Pick<Database, "dialect" | "reader">,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Map<number, ListedAddonRow>> {
  const rows = await reader
    .selectFrom("addons")
    .selectAll()
    .where(dialect.isAmong(sql.ref("addons.id"), sql`${dialect.list(ids)}`))
    .execute();
  const pins =
    viewer.kind === "anonymous"
      ? []
      : await reader.selectFrom("addon_pins").select("addon_id").where("user_id", "=", viewer.id).execute();
  const pinned = new Set(pins.map(({ addon_id }) => addon_id));
  return new Map(rows.map((row) => [row.id, { ...row, active: pinned.has(row.id) }]));
}
