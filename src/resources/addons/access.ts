import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Dialect } from "../../database/dialect.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { AddonsTable } from "../../database/tables.ts";
import type { Viewer } from "../../http/request/viewer.ts";

/**
 * Everyone sees public add-ons. Members see those of their organization, and users those that they registered. Nobody
 * sees one that is switched off or removed.
 */
export function mayViewAddon(viewer: Viewer, addon: Selectable<AddonsTable>): boolean {
  if (addon.is_removed || !addon.is_enabled) return false;
  if (addon.access === "public") return true;
  if (viewer.kind === "anonymous") return false;
  if (addon.user_id === viewer.id) return true;
  const { access, organization_id } = addon;
  return access === "organization" && organization_id !== null && viewer.organizations.has(organization_id);
}

/** The rule for a list: a condition on `addons`. */
export function isViewableAddon(
  dialect: Pick<Dialect, "isAmong" | "list">,
  viewer: Viewer,
): { condition: RawBuilder<boolean>; values: Readonly<Record<string, unknown>> } {
  const organizations = dialect.list(viewer.kind === "user" ? [...viewer.organizations] : []);
  return {
    condition: sql<boolean>`(addons.is_removed = false and addons.is_enabled = true and (addons.access = 'public'
      or addons.user_id = ${parameter("viewer")} or (addons.access = 'organization'
        and ${dialect.isAmong(sql.ref("addons.organization_id"), parameter("organizations"))})))`,
    values: { viewer: viewer.kind === "user" ? viewer.id : -1, organizations },
  };
}
