import { webhookLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidFields, invalidWhole, notFound } from "../../errors.ts";
import type { Values } from "../../http/fields/fields.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import type { SentValues } from "../../http/collection.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { newestPosition } from "../events/store.ts";
import { findProject } from "../projects/list-store.ts";
import { type DeliveryRow, findDelivery, sendAgain, sendWaiting } from "./delivery-store.ts";
import type { webhookFields } from "./fields.ts";
import { newSecret } from "./signing.ts";
import { type WebhookRow, ownWebhooks, queueDelivery } from "./store.ts";

type WebhookContext = Pick<Context, "database" | "jobs" | "secrets">;

/** Creates a webhook, which is told what happens from now on. Returns its secret, which is not shown again. */
export async function createWebhook(
  context: WebhookContext,
  viewer: SignedInViewer,
  values: Values<typeof webhookFields>,
): Promise<{ row: WebhookRow; secret: string }> {
  const { database, secrets } = context;
  await checkProject(context, viewer, values);
  const { secret, sealed } = newSecret(secrets, viewer.id);
  const position = await newestPosition(database);
  const now = timestampNow();
  const row = await database.write(async (writer) => {
    if ((await ownWebhooks.count(writer, { user_id: viewer.id })) >= webhookLimits.perPerson)
      throw invalidWhole(`You may have at most ${webhookLimits.perPerson} webhooks.`);
    return ownWebhooks.add(writer, {
      user_id: viewer.id,
      project_id: values.project ?? null,
      name: values.name ?? "",
      url: values.url ?? "",
      types: JSON.stringify(values.types ?? []),
      secret: sealed,
      is_enabled: values.enabled ?? true,
      transaction_id: position?.transaction_id ?? null,
      event_id: position?.id ?? null,
      created_at: now,
      updated_at: now,
    });
  });
  return { row, secret };
}

/**
 * Changes a webhook that is locked. Switched on again, it goes on where it stopped: with what waits, at once and with
 * all attempts before it, and then with what has happened meanwhile.
 */
export async function changeWebhook(
  context: WebhookContext,
  writer: Writer,
  row: WebhookRow,
  { values, extent }: SentValues<typeof webhookFields>,
  viewer: SignedInViewer,
): Promise<WebhookRow> {
  await checkProject(context, viewer, values);
  const { name, url, project, types, enabled } = values;
  const isSwitchedOn = enabled === true && !row.is_enabled;
  const changed = await ownWebhooks.change(writer, row, {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(types !== undefined && { types: JSON.stringify(types) }),
    ...((project !== undefined || extent === "whole") && { project_id: project ?? null }),
    ...(enabled !== undefined && { is_enabled: enabled }),
    ...(isSwitchedOn && { problem: null, failing_since: null }),
    updated_at: timestampNow(),
  });
  if (isSwitchedOn) await sendWaiting(writer, row.id);
  if (changed.is_enabled) await queueDelivery(writer, row.id);
  return changed;
}

async function checkProject(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  { project }: Values<typeof webhookFields>,
): Promise<void> {
  if (typeof project !== "number" || (await findProject(database, viewer, project)) !== null) return;
  throw invalidFields({ project: unknownKey(project).messages });
}

/** Gives a webhook another secret, and returns it. For a day, the former one signs beside it. */
export async function rotateSecret(
  context: WebhookContext,
  viewer: SignedInViewer,
  id: number,
): Promise<string> {
  const { secret, sealed } = newSecret(context.secrets, viewer.id);
  await context.database.write(async (writer) => {
    const row = await ownWebhooks.lock(writer, viewer, { id });
    const now = timestampNow();
    const values = { secret: sealed, former_secret: row.secret, rotated_at: now, updated_at: now };
    await ownWebhooks.change(writer, row, values);
  });
  return secret;
}

/** @throws {ApiError} 404 */
export async function getOwnDelivery(
  context: Pick<Context, "database">,
  viewer: SignedInViewer,
  { webhook, delivery }: { webhook: number; delivery: number },
): Promise<DeliveryRow> {
  await ownWebhooks.get(context.database, viewer, { id: webhook });
  const row = await findDelivery(context.database.reader, webhook, delivery);
  if (row === null) throw notFound();
  return row;
}

/** Has a delivery sent again, whatever became of it. @throws {ApiError} 404 */
export async function redeliver(
  context: WebhookContext,
  viewer: SignedInViewer,
  ids: { webhook: number; delivery: number },
): Promise<DeliveryRow> {
  await getOwnDelivery(context, viewer, ids);
  await context.database.write(async (writer) => {
    await sendAgain(writer, ids.delivery);
    await queueDelivery(writer, ids.webhook);
  });
  context.jobs.notify();
  return getOwnDelivery(context, viewer, ids);
}
