import type { Addon, AddonEvent, AddonRun, AdministeredAddon } from "../../contract/addon.ts";
import type { Database } from "../../database/database.ts";
import {
  type ExpandedObjects,
  type Expansion,
  type Selection,
  expandMembers,
} from "../../http/request/expansion.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { type EventRow, findEventsOf } from "./event-store.ts";
import type { RunRow } from "./run-store.ts";
import { type AddonRow, type ListedAddonRow, findAddonsFor } from "./store.ts";

type Json = Record<string, unknown>;

const parsed = (text: string): Json => JSON.parse(text) as Json;

export function presentAddon(row: ListedAddonRow): Addon {
  return {
    id: row.id,
    user: row.user_id,
    organization: row.organization_id,
    access: row.access,
    name: row.name,
    repository: row.repository,
    parameters: parsed(row.parameters),
    created_at: row.created_at,
    updated_at: row.updated_at,
    active: Boolean(row.active),
    default: Boolean(row.is_default),
    featured: Boolean(row.is_featured),
  };
}

/** As administrators see it. */
export function presentAdministered(row: AddonRow): AdministeredAddon {
  return {
    id: row.id,
    repository: row.repository,
    name: row.name,
    config: row.config ?? "",
    access: row.access,
    organization: row.organization_id,
    is_default: Boolean(row.is_default),
    is_featured: Boolean(row.is_featured),
    is_enabled: Boolean(row.is_enabled),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function presentEvent(row: EventRow): AddonEvent {
  const { id, addon_id, user_id, event, created_at, updated_at } = row;
  return {
    id,
    addon: addon_id,
    user: user_id,
    parameters: parsed(row.parameters),
    event,
    scratch: parsed(row.scratch),
    created_at,
    updated_at,
  };
}

/** @param api the address of the service. @param uploadTo where its file goes; null shows no address */
export function presentRun(row: RunRow, api: string, uploadTo: string | null = null): AddonRun {
  const { file_expires_at } = row;
  const hasFile = file_expires_at !== null && file_expires_at > timestampNow();
  return {
    uuid: row.uuid,
    addon: row.addon_id,
    event: row.event_id,
    user: row.user_id,
    status: row.status,
    progress: row.progress,
    message: row.message,
    ...(uploadTo !== null && { presigned_url: uploadTo }),
    file_url: hasFile ? `${api}/files/addon-runs/${row.uuid}/` : null,
    file_expires_at,
    dismissed: Boolean(row.dismissed),
    rating: row.rating,
    comment: row.comment,
    credits_spent: row.credits_spent,
    created_at: row.created_at,
    updated_at: row.updated_at,
    data: parsed(row.data),
  };
}

interface Shown {
  viewer: Viewer;
  expansion: Expansion;
  selection: Selection;
}

const addonsFor =
  (database: Database, viewer: Viewer): ExpandedObjects =>
  async (ids) => {
    const found = await findAddonsFor(database, viewer, ids);
    return new Map([...found].map(([id, row]) => [id, presentAddon(row)]));
  };

/** Events with their add-ons in place of the ids, and only the selected members. */
export async function presentEvents(
  database: Database,
  events: readonly EventRow[],
  { viewer, expansion, selection }: Shown,
): Promise<Json[]> {
  const shown = events.map(presentEvent);
  await expandMembers(shown, expansion, { addon: addonsFor(database, viewer) });
  return shown.map((event) => selection.of(event));
}

/** Runs with the objects that they name in place of the ids, and only the selected members. */
export async function expandedRuns(
  database: Database,
  runs: readonly AddonRun[],
  { viewer, expansion, selection }: Shown,
): Promise<Json[]> {
  const addon = addonsFor(database, viewer);
  await expandMembers(runs, expansion, {
    addon,
    async event(ids, within) {
      const found = viewer.kind === "user" ? await findEventsOf(database, viewer.id, ids) : [];
      const events = found.map(presentEvent);
      await expandMembers(events, within, { addon });
      return new Map(found.map(({ id }, index) => [id, events[index] ?? {}]));
    },
  });
  return runs.map((run) => selection.of(run));
}
