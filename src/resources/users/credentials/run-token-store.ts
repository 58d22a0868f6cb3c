import { sql } from "kysely";
import type { Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import { rowOf, removeRows, setRows } from "../../../database/rows.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { timestampIn } from "../../../http/text/timestamp.ts";
import { digestOf, newSecret } from "../../../secrets/digest.ts";
import { addApiToken } from "./api-token-store.ts";

/** The prefix of the tokens with which runs of add-ons get another access token. */
export const runTokenPrefix = "quirerun_";

const lifeSeconds = 3600;

export interface RunTokens {
  access: string;
  refresh: string;
}

/**
 * Gives the program of a run its tokens. They are personal tokens, so that they cannot manage the account and make
 * nobody an administrator; they end with the run.
 */
export async function addRunTokens(
  writer: Writer,
  { runId, userId, name }: { runId: number; userId: number; name: string },
): Promise<RunTokens> {
  const refresh = runTokenPrefix + newSecret(30);
  await setRows(writer, "addon_runs", { id: runId }, { refresh_digest: digestOf(refresh) });
  return { access: await addAccessToken(writer, runId, userId, name), refresh };
}

/** Lets the run reach, if the viewer uses the token of one, the documents that it makes. */
export async function addToRun(
  writer: Writer,
  { run }: Pick<SignedInViewer, "run">,
  documents: readonly number[],
): Promise<void> {
  if (run === undefined) return;
  const { forUpdate } = dialectOf(writer);
  const { rows } = await sql<{ scope: string | null }>`select scope from addon_runs
    where id = ${run.id} ${forUpdate}`.execute(writer);
  const known = JSON.parse(rows[0]?.scope ?? "[]") as number[];
  await setRows(writer, "addon_runs", { id: run.id }, { scope: JSON.stringify([...known, ...documents]) });
  for (const id of documents) run.documents.add(id);
}

/** Another access token for a run that has not ended; null for any other token. */
export async function refreshRunToken(writer: Writer, refresh: string): Promise<RunTokens | null> {
  const run = await rowOf(writer, "addon_runs", { refresh_digest: digestOf(refresh) });
  if (run === null) return null;
  const user = await rowOf(writer, "users", { id: run.user_id });
  if (user === null || !user.is_active) return null;
  const former = await rowOf(writer, "api_tokens", { run_id: run.id });
  if (former === null) return null;
  await endRunTokens(writer, run.id);
  return { access: await addAccessToken(writer, run.id, run.user_id, former.name), refresh };
}

/** Ends the access tokens of a run. */
export async function endRunTokens(writer: Writer, runId: number): Promise<void> {
  await removeRows(writer, "api_tokens", { run_id: runId });
}

async function addAccessToken(writer: Writer, runId: number, userId: number, name: string): Promise<string> {
  const expiresAt = timestampIn(lifeSeconds);
  const { token } = await addApiToken(writer, userId, { name, mayWrite: true, expiresAt, runId });
  return token;
}
