import { addonLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidWhole } from "../../errors.ts";
import type { SentItem } from "../../http/collection.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { type EventRow, ownEvents } from "./event-store.ts";
import { changedEventFields, eventFields } from "./fields.ts";
import { getNamedAddon } from "./manage-runs.ts";
import { checkParameters } from "./parameters.ts";
import { startOf } from "./start-events.ts";

export async function createEvent(
  context: Pick<Context, "database">,
  viewer: SignedInViewer,
  members: Members,
): Promise<EventRow> {
  const {
    addon: id = 0,
    parameters = {},
    event = 0,
    scratch = {},
  } = readFields(eventFields, members, "whole");
  const addon = await getNamedAddon(context, viewer, id);
  await checkParameters(addon, parameters);
  const start = await startOf(context.database, event);
  const now = timestampNow();
  return context.database.write(async (writer) => {
    if ((await ownEvents.count(writer, { user_id: viewer.id })) >= addonLimits.eventsPerPerson)
      throw invalidWhole(`You may have at most ${addonLimits.eventsPerPerson} events.`);
    return ownEvents.add(writer, {
      addon_id: addon.id,
      user_id: viewer.id,
      ...parametersOf(parameters),
      event,
      scratch: JSON.stringify(scratch),
      ...start,
      created_at: now,
      updated_at: now,
    });
  });
}

/** Changes an event that is locked. */
export async function changeEvent(
  context: Pick<Context, "database">,
  writer: Writer,
  row: EventRow,
  { members, extent }: SentItem,
  viewer: SignedInViewer,
): Promise<EventRow> {
  const values = readFields(extent === "whole" ? eventFields : changedEventFields, members, extent);
  const { addon: id = row.addon_id, parameters, event, scratch } = values;
  if (values.addon !== undefined || parameters !== undefined) {
    const addon = await getNamedAddon(context, viewer, id);
    await checkParameters(addon, parameters ?? (JSON.parse(row.parameters) as object));
  }
  return ownEvents.change(writer, row, {
    addon_id: id,
    ...(parameters !== undefined && parametersOf(parameters)),
    ...(event !== undefined && event !== row.event && { event, ...(await startOf(context.database, event)) }),
    ...(scratch !== undefined && { scratch: JSON.stringify(scratch) }),
    updated_at: timestampNow(),
  });
}

function parametersOf(parameters: object): { parameters: string; site: string | null } {
  const { site } = parameters as { site?: unknown };
  return { parameters: JSON.stringify(parameters), site: typeof site === "string" ? site : null };
}
