import { forEachConcurrently } from "../../concurrently.ts";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { ApiError } from "../../errors.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Job } from "../../jobs/running-job.ts";
import { postRemote } from "../../remote/post-remote.ts";
import { RemoteError } from "../../remote/remote-error.ts";
import { visibleAmong } from "../events/access.ts";
import { readFeed } from "../events/feed.ts";
import { presentEvent } from "../events/present.ts";
import { type EventRow, type FeedPosition, newestPosition } from "../events/store.ts";
import { notifyPerson } from "../mails/notify-people.ts";
import { findKnownUser } from "../users/viewer-store.ts";
import {
  type DeliveryRow,
  addDeliveries,
  eventOf,
  findDue,
  findNextDue,
  noteAttempt,
} from "./delivery-store.ts";
import { typesOf } from "./present.ts";
import { signedHeaders } from "./signing.ts";
import {
  type WebhookRow,
  findInProject,
  findWebhook,
  lockWebhook,
  ownWebhooks,
  setFailingSince,
  setPosition,
  webhookJob,
} from "./store.ts";

type DeliveryContext = Pick<Context, "config" | "database" | "jobs" | "log" | "secrets">;

const minute = 60;
const hour = 60 * minute;

/** How long a delivery waits after each failed attempt, in seconds: three days in all, as Standard Webhooks has it. */
export const pausesSeconds = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** After this long without a success, a webhook is switched off. */
const patienceMilliseconds = 3 * 24 * hour * 1000;
/** An address at which everything fails is not asked again at once. */
const restSeconds = 30;

/** How long a receiver may take; less if files may take less. */
const maxAnswerSeconds = 20;
const eventsAtOnce = 200;
const sentPerRun = 100;
const sentAtOnce = 4;

const gone = 410;

/**
 * Tells a webhook what has happened: adds a delivery for each event that its owner may see, and sends those that are
 * due. Each is sent until it is answered with success, which may be more than once. Then the job waits for the time of
 * the next attempt, if there is one; new events have it run at once.
 */
export async function deliverToWebhook(
  context: DeliveryContext,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  const webhook = await findWebhook(database.reader, job.subject);
  if (webhook === null || !webhook.is_enabled) return;
  const owner = await ownerOf(context, webhook);
  if (owner === null) {
    await switchOff(context, webhook, "The account of its owner is disabled");
    return;
  }
  while (await collect(context, webhook.id, owner)) signal.throwIfAborted();
  const outcome = await sendDue(context, webhook.id, signal);
  await database.write(async (writer) => {
    const next = await findNextDue(writer, webhook.id);
    await job.complete(writer);
    if (next === null) return;
    const waitSeconds = Math.max(0, (Date.parse(next) - Date.now()) / 1000);
    const afterSeconds = outcome === "failed" ? Math.max(restSeconds, waitSeconds) : waitSeconds;
    await enqueue(writer, { kind: webhookJob, subject: webhook.id, afterSeconds });
  });
  context.jobs.notify();
}

/** The owner as they are now; null if they may not sign in. */
async function ownerOf({ database }: DeliveryContext, { user_id }: WebhookRow): Promise<Viewer | null> {
  const known = await findKnownUser(database, { id: user_id });
  if (known === null || !known.isActive) return null;
  return { ...known.viewer, mayWrite: false, hasPersonalToken: true, csrfToken: null };
}

/** Adds deliveries for the next events. Returns whether there are more. */
async function collect({ database }: DeliveryContext, id: number, owner: Viewer): Promise<boolean> {
  const webhook = await findWebhook(database.reader, id);
  if (webhook === null) return false;
  const from = positionOf(webhook);
  const { events, position, hasMore } = await readFrom({ database }, owner, from);
  const told = await toldOf({ database }, webhook, events);
  await database.write(async (writer) => {
    const now = await lockWebhook(writer, id);
    // Another worker has done it meanwhile, or the webhook is gone.
    if (now === null || now.event_id !== webhook.event_id) return;
    await addDeliveries(writer, id, told);
    await setPosition(writer, id, position);
  });
  return hasMore;
}

/** Where the feed has lost what follows, as after a webhook was off for long, it goes on at the end. */
async function readFrom(
  { database }: Pick<Context, "database">,
  owner: Viewer,
  from: FeedPosition | null,
): ReturnType<typeof readFeed> {
  try {
    return await readFeed(database, owner, from, eventsAtOnce);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== gone) throw error;
    return { events: [], position: await newestPosition(database), hasMore: false };
  }
}

function positionOf({ transaction_id, event_id }: WebhookRow): FeedPosition | null {
  return transaction_id === null || event_id === null ? null : { transaction_id, id: event_id };
}

/** The events that the webhook asks for. */
async function toldOf(
  { database }: Pick<Context, "database">,
  webhook: WebhookRow,
  events: readonly EventRow[],
): Promise<EventRow[]> {
  const types = new Set<string>(typesOf(webhook));
  const { project_id: project } = webhook;
  const wanted = events.filter(({ type }) => types.size === 0 || types.has(type));
  if (project === null) return wanted;
  const documents = wanted.flatMap(({ document_id }) => document_id ?? []);
  const inProject = await findInProject(database, project, [...new Set(documents)]);
  return wanted.filter(
    ({ project_id, document_id }) =>
      project_id === project || (project_id === null && document_id !== null && inProject.has(document_id)),
  );
}

/** Sends what is due. Failed: nothing of what was sent last was accepted. */
async function sendDue(
  context: DeliveryContext,
  webhookId: number,
  signal: AbortSignal,
): Promise<"failed" | "done"> {
  for (let sent = 0; sent < sentPerRun;) {
    const due = await findDue(context.database, webhookId, { now: timestampNow(), limit: 4 * sentAtOnce });
    if (due.length === 0) break;
    const outcomes: boolean[] = [];
    await forEachConcurrently(due, sentAtOnce, async (delivery) => {
      outcomes.push(await attempt(context, delivery, signal));
    });
    if (!outcomes.includes(true)) return "failed";
    sent += due.length;
  }
  return "done";
}

/**
 * Sends one delivery, unless its owner may not see what it is about any more. The webhook and the rights of its owner
 * are read each time, because a run takes minutes when the receiver is slow. Returns whether that succeeded.
 */
async function attempt(
  context: DeliveryContext,
  delivery: DeliveryRow,
  signal: AbortSignal,
): Promise<boolean> {
  const { database } = context;
  const webhook = await findWebhook(database.reader, delivery.webhook_id);
  const owner = webhook?.is_enabled ? await ownerOf(context, webhook) : null;
  if (webhook === null || owner === null) return false;
  const event = eventOf(delivery);
  if ((await visibleAmong(database, owner, [event])).length === 0) {
    await database.write((writer) => noteAttempt(writer, delivery, { state: "withdrawn" }));
    return true;
  }
  const started = performance.now();
  const answer = await post(context, webhook, delivery, event, signal);
  const milliseconds = Math.round(performance.now() - started);
  const isDone = answer.problem === null;
  const attempts = delivery.attempts + 1;
  const pause = pausesSeconds[delivery.attempts];
  await database.write(async (writer) => {
    await noteAttempt(writer, delivery, {
      attempts,
      at: timestampNow(),
      milliseconds,
      status: answer.status,
      problem: answer.problem,
      state: isDone ? "delivered" : pause === undefined ? "failed" : "waiting",
      ...(pause !== undefined && { due_at: timestampIn(pause) }),
    });
    await noteHealth(context, writer, webhook, answer);
  });
  return isDone;
}

interface Answer {
  status: number | null;
  /** Why it is no success; null if it is one. */
  problem: string | null;
}

async function post(
  { config, secrets }: DeliveryContext,
  webhook: WebhookRow,
  { id }: DeliveryRow,
  event: EventRow,
  signal: AbortSignal,
): Promise<Answer> {
  const body = JSON.stringify({ type: event.type, timestamp: event.at, data: presentEvent(event) });
  const message = { id: `msg_${id}`, body, milliseconds: Date.now() };
  const signed = signedHeaders(secrets, webhook, message);
  if (signed === null) return { status: null, problem: "Its secret cannot be opened: rotate it" };
  const headers = { "content-type": "application/json", ...signed };
  const seconds = Math.min(maxAnswerSeconds, config.fetchTimeLimitSeconds);
  const limits = { bytes: 0, timeSeconds: seconds, idleSeconds: seconds };
  const settings = { limits, allowedHosts: config.fetchAllowedHosts ?? [] };
  try {
    const status = await postRemote(webhook.url, { headers, body }, settings, signal);
    const isSuccess = status >= 200 && status < 300;
    return { status, problem: isSuccess ? null : "It was answered with an error" };
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    return { status: null, problem: error.isFinal ? unreachable : silent };
  }
}

const unreachable = "The address may not be used, or leads to nothing on the public internet";
const silent = "The receiver did not answer in time, or not as a web server should";

/** Notes since when every attempt has failed, and switches off a webhook for which that is too long. */
async function noteHealth(
  context: Pick<Context, "config" | "database">,
  writer: Writer,
  { id }: WebhookRow,
  { status, problem }: Answer,
): Promise<void> {
  const webhook = await lockWebhook(writer, id);
  if (webhook === null) return;
  const { failing_since: since } = webhook;
  if (problem === null) {
    if (since !== null) await setFailingSince(writer, id, null);
    return;
  }
  if (since === null) await setFailingSince(writer, id, timestampNow());
  const isOver = since !== null && Date.now() - Date.parse(since) > patienceMilliseconds;
  if (webhook.is_enabled && (isOver || status === gone)) await switchOffIn(context, writer, webhook, problem);
}

async function switchOff(context: DeliveryContext, webhook: WebhookRow, problem: string): Promise<void> {
  await context.database.write((writer) => switchOffIn(context, writer, webhook, problem));
}

async function switchOffIn(
  context: Pick<Context, "config" | "database">,
  writer: Writer,
  { id, user_id }: WebhookRow,
  problem: string,
): Promise<void> {
  await ownWebhooks.change(writer, { id }, { is_enabled: false, problem });
  await notifyPerson(context, writer, { userId: user_id, kind: "stopped", subject: id });
}
