import { cp } from "node:fs/promises";
import path from "node:path";
import { addonLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { TooSlowError } from "../../database/read-worker.ts";
import type { Job } from "../../jobs/running-job.ts";
import { type Ending, Sandbox } from "../../processing/convert/sandbox.ts";
import { makeWorkFolder } from "../../work-folders.ts";
import { type RunTokens, addRunTokens } from "../users/credentials/run-token-store.ts";
import { findNow, isRefusal } from "../searches/compare.ts";
import { type KnownUser, findKnownUser } from "../users/viewer-store.ts";
import { mayViewAddon } from "./access.ts";
import { switchOffFailing } from "./event-store.ts";
import { endRun } from "./manage-runs.ts";
import { folderOf } from "./register.ts";
import { runFolder } from "./run-files.ts";
import { type RunRow, findRun, lockRun, ownRuns } from "./run-store.ts";
import { commandOf } from "./runner-command.ts";
import { type AddonRow, findAddonRow } from "./store.ts";

type RunContext = Pick<Context, "config" | "database" | "files" | "log">;

/** Of each file that an add-on writes. */
const outputLimitMb = 2048;

/** One for all runs: it remembers what the kernel allows. */
const sandbox = new Sandbox();

interface Outcome {
  status: "success" | "failure";
  /** Why it failed. */
  message?: string;
}

/**
 * Runs an add-on: its program gets the task as JSON, with tokens that end with the run. Nobody knows what a program has
 * done that was interrupted, so a run begins once: another attempt only records that it has failed.
 */
export async function runAddon(context: RunContext, job: Job, signal: AbortSignal): Promise<void> {
  const begun = await begin(context, job);
  if (begun === null) return;
  const { run, addon, task } = begun;
  const outcome = await outcomeOf(context, addon, task, signal);
  context.log.info({ addon: addon.repository, run: run.uuid, status: outcome.status }, "An add-on has run");
  await finish(context, job, outcome);
}

/** Ends a run that is given up. */
export async function runningFailed(context: RunContext, job: Job, reason: string): Promise<void> {
  context.log.warn({ run: job.subject, reason }, "An add-on could not be run");
  await finish(context, job, { status: "failure", message: "Quire could not run the add-on" });
}

/** Marks the run as begun and makes its tokens. Null if there is nothing to run. */
async function begin(
  context: RunContext,
  job: Job,
): Promise<{ run: RunRow; addon: AddonRow; task: object } | null> {
  const { config, database } = context;
  const known = await findRun(database.reader, { id: job.subject });
  const user = known && (await findKnownUser(database, { id: known.user_id }));
  const scope = known === null || user === null ? [] : await scopeOf(database, user.viewer, known);
  return database.write(async (writer) => {
    const run = await lockRun(writer, { id: job.subject });
    const fail = async (message: string): Promise<null> => {
      await endRun(writer, job.subject, { status: "failure", message });
      await job.complete(writer);
      return null;
    };
    if (run?.status === "in_progress") return fail("The add-on was interrupted");
    if (run?.status !== "queued") {
      await job.complete(writer);
      return null;
    }
    const addon = await findAddonRow(writer, { id: run.addon_id });
    if (addon === null || user === null || !user.isActive) return fail("The account is closed");
    const viewer = { ...user.viewer, mayWrite: true, hasPersonalToken: true, csrfToken: null };
    if (!mayViewAddon(viewer, addon)) return fail("There is no such add-on any more");
    if (config.addonRunner === null) return fail("The server runs no add-ons");
    if (typeof scope === "string") return fail(scope);
    await ownRuns.change(writer, run, { status: "in_progress", scope: JSON.stringify(scope) });
    const tokens = await addRunTokens(writer, { runId: run.id, userId: run.user_id, name: addon.name });
    await job.hold(writer);
    const organization = user.viewer.organization;
    return { run, addon, task: taskOf({ run, addon, tokens, organization, api: apiOf(config) }) };
  });
}

/** The documents that the token of a run reaches: the chosen ones, or those that its search finds. Or why it fails. */
async function scopeOf(
  database: Database,
  person: KnownUser["viewer"],
  { documents, query }: RunRow,
): Promise<readonly number[] | string> {
  if (documents !== null) return JSON.parse(documents) as number[];
  if (query === null || query.trim() === "") return [];
  const viewer = { ...person, mayWrite: false, hasPersonalToken: true, csrfToken: null };
  try {
    const found = await findNow(database, viewer, { query }, null);
    return found.size <= addonLimits.found
      ? [...found]
      : `The search finds more than ${addonLimits.found} documents`;
  } catch (error) {
    if (isRefusal(error)) return "The search asks for too much at once";
    if (error instanceof TooSlowError) return "The search takes too long";
    throw error;
  }
}

/** Where a program on this machine reaches the API. */
function apiOf({ url, host, port }: RunContext["config"]): string {
  const isEverywhere = host === "0.0.0.0" || host === "::";
  const name = isEverywhere ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `${url ?? `http://${name}:${port}`}/api/`;
}

/** The task as DocumentCloud's library for add-ons reads it. An add-on of version 2 expects it one level deeper. */
function taskOf({
  run,
  addon,
  tokens,
  organization,
  api,
}: {
  run: RunRow;
  addon: AddonRow;
  tokens: RunTokens;
  organization: number | null;
  api: string;
}): object {
  const { version } = JSON.parse(addon.parameters) as { version?: unknown };
  const payload = {
    token: tokens.access,
    refresh_token: tokens.refresh,
    base_uri: api,
    auth_uri: api,
    id: run.uuid,
    addon_id: addon.id,
    documents: run.documents === null ? null : (JSON.parse(run.documents) as unknown),
    query: run.query,
    data: JSON.parse(run.parameters) as unknown,
    user: run.user_id,
    organization,
    event_id: run.event_id,
    title: addon.name,
  };
  return version === 2 ? { id: run.uuid, payload } : payload;
}

/** Runs the program in a copy of its folder, which it may fill. */
async function outcomeOf(
  { config, log }: RunContext,
  { repository }: AddonRow,
  task: object,
  signal: AbortSignal,
): Promise<Outcome> {
  const { addonMemoryLimitMb: memoryLimitMb, addonTimeLimitMinutes: minutes } = config;
  const late = AbortSignal.timeout(minutes * 60_000);
  await using folder = await makeWorkFolder("addon");
  try {
    await cp(folderOf(config, repository), folder.path, {
      recursive: true,
      filter: (source) => path.basename(source) !== ".git",
    });
  } catch (error) {
    log.warn({ err: error, addon: repository }, "The folder of an add-on cannot be read");
    return { status: "failure", message: "The files of the add-on cannot be read" };
  }
  const command = commandOf(config.addonRunner ?? "", { folder: folder.path, json: JSON.stringify(task) });
  try {
    const ending = await sandbox.run(command, {
      folder: folder.path,
      limits: { timeLimitSeconds: minutes * 60, memoryLimitMb, outputLimitMb },
      hidden: hiddenFrom(folder.path, config.data),
      hasNetwork: true,
      signal: AbortSignal.any([signal, late]),
    });
    if (ending.isLate) return lateOutcome(minutes);
    if (ending.code === 0) return { status: "success" };
    log.info({ addon: repository, code: ending.code, complaints: ending.complaints }, "An add-on has failed");
    return { status: "failure", message: complaintOf(ending) };
  } catch (error) {
    if (signal.aborted || !late.aborted) throw error;
    return lateOutcome(minutes);
  }
}

const lateOutcome = (minutes: number): Outcome => ({
  status: "failure",
  message: `The add-on took longer than ${minutes} minutes`,
});

/** The data folder, unless the program works in it. */
function hiddenFrom(folder: string, data: string): string[] {
  const hidden = path.resolve(data);
  return path.resolve(folder).startsWith(`${hidden}${path.sep}`) ? [] : [hidden];
}

/** The last line that a program has written: in Python, that is the error. */
function complaintOf({ code, complaints, output }: Ending): string {
  const [last] = (complaints.trim() === "" ? output : complaints).trim().split("\n").slice(-1);
  const text = (last ?? "")
    .replaceAll(/\p{Cc}+/gu, " ")
    .replaceAll(/quire(?:run)?_[\w-]+/g, "…")
    .trim();
  const said = text === "" ? `The add-on ended with the code ${code ?? "of a signal"}` : text;
  return Array.from(said.toWellFormed()).slice(0, addonLimits.text).join("");
}

/** Writes the outcome, unless the run was cancelled meanwhile. An upload that was never named goes. */
async function finish(
  { database, files }: RunContext,
  job: Job,
  { status, message }: Outcome,
): Promise<void> {
  const ended = await database.write(async (writer) => {
    const run = await lockRun(writer, { id: job.subject });
    const isThere = run?.status === "in_progress" || run?.status === "queued";
    if (isThere) await endRun(writer, run.id, { status, ...(message !== undefined && { message }) });
    if (isThere && run.event_id !== null) await switchOffFailing(writer, run.event_id);
    await job.complete(writer);
    return isThere ? run : null;
  });
  if (ended?.file_name === "") await files.deleteFolder(runFolder(ended.uuid));
}
