import type { Addon } from "../../contract/addon.ts";
import { pageLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { ApiError, notFound } from "../../errors.ts";
import type { Site } from "../../http/browsable/page-shell.ts";
import { listStart } from "../../http/request/cursor.ts";
import type { SessionViewer } from "../../http/request/session-viewer.ts";
import { presentAddon, presentRun } from "../../resources/addons/present.ts";
import { type RunFilters, listRuns } from "../../resources/addons/run-store.ts";
import { findAddon, findAddonsFor } from "../../resources/addons/store.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { findVisibleDocuments } from "../../resources/documents/store.ts";
import type { ChosenDocument, ShownRun } from "./run-pages.ts";

/** More documents are counted, or stay numbers. */
const maxNamed = 100;

/** Why the API refuses what a form had. @throws any error that is not a refusal of the form */
export function problemOf(error: unknown): string {
  if (!(error instanceof ApiError) || error.status !== 400) throw error;
  return Object.values(error.body as Record<string, unknown>)
    .flat(2)
    .map(String)
    .join(" ");
}

/** @throws {ApiError} 404 if the person may not see it */
export async function getAddon({ database }: Context, viewer: SessionViewer, id: number): Promise<Addon> {
  const row = await findAddon(database.reader, viewer, id);
  if (row === null) throw notFound();
  return presentAddon(row);
}

/** Rows with their add-ons, also removed ones, in place of the ids. */
export async function withAddons<Row extends { addon_id: number }>(
  { database }: Context,
  viewer: SessionViewer,
  rows: readonly Row[],
): Promise<(Row & { addon: Addon })[]> {
  const known = await findAddonsFor(database, viewer, [...new Set(rows.map(({ addon_id }) => addon_id))]);
  return rows.flatMap((row) => {
    const addon = known.get(row.addon_id);
    return addon === undefined ? [] : [{ ...row, addon: presentAddon(addon) }];
  });
}

/** The newest runs of a person. */
export async function runsOf(
  context: Context,
  viewer: SessionViewer,
  site: Site,
  filters: RunFilters,
): Promise<ShownRun[]> {
  const { rows } = await listRuns(
    context.database,
    viewer,
    { filters, descending: true },
    listStart,
    pageLimits.usual,
  );
  const api = site.api.slice(0, -"/api/".length);
  return (await withAddons(context, viewer, rows)).map(({ addon, ...row }) =>
    Object.assign(presentRun(row, api), { addon }),
  );
}

/** These documents in their order, as far as the person may see them, at most some of them. */
export async function chosenDocuments(
  { database }: Context,
  viewer: SessionViewer,
  { home }: Site,
  ids: readonly number[],
): Promise<ChosenDocument[]> {
  const usable = [...new Set(ids)].filter((id) => Number.isSafeInteger(id) && id > 0).slice(0, maxNamed);
  const found = await findVisibleDocuments(database, viewer, usable);
  const byId = new Map(found.map((row) => [row.id, row]));
  return usable.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    return [{ id, title: row.title, href: documentAddress(home.slice(0, -1), row) }];
  });
}
