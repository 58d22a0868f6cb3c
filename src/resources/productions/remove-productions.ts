import type { Context } from "../../context.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { cancelJob } from "../../jobs/queue.ts";
import { findOwner } from "../searches/compare.ts";
import { productionFolder } from "./fragment.ts";
import { makeJob } from "./make-production.ts";
import { isComplete } from "./missing-files.ts";
import { isUnchanged } from "./production-zip.ts";
import {
  type ProductionRow,
  findEndedProductions,
  findFilled,
  forgetFiles,
  ownProductions,
  setProduction,
} from "./store.ts";

type Services = Pick<Context, "database" | "files">;

/** A worker that makes a cancelled production removes what it has stored last. */
const cancellingSeconds = 600;

/** Cancels a production that is being made, and removes the files of any other. The numbers stay. */
export async function removeOwnProduction(
  { database, files }: Services,
  viewer: SignedInViewer,
  id: number,
): Promise<void> {
  const before = await database.write(async (writer) => {
    const row = await ownProductions.lock(writer, viewer, { id });
    if (row.state === "making") {
      const ended = { ended_at: timestampNow(), expires_at: timestampIn(cancellingSeconds) };
      await setProduction(writer, id, { state: "cancelled", ...ended });
      await cancelJob(writer, { kind: makeJob, subject: id });
    } else if (row.expires_at !== null) await setProduction(writer, id, { state: "deleted" });
    return row;
  });
  if (before.state !== "making" && before.expires_at !== null)
    await removeFilesOf({ database, files }, id, "deleted");
}

async function removeFilesOf(
  { database, files }: Services,
  id: number,
  state: ProductionRow["state"],
): Promise<void> {
  await files.deleteFolder(productionFolder(id));
  await database.write((writer) => forgetFiles(writer, id, state));
}

/**
 * Removes the files of productions whose time has come, and of those that have something of a document that was
 * redacted, deleted, or hidden from their makers since.
 */
export async function removeEndedProductions({ database, files }: Services): Promise<void> {
  for (const { id, state } of await findEndedProductions(database.reader, timestampNow()))
    await removeFilesOf({ database, files }, id, state);
  for (const production of await findFilled(database.reader)) {
    const state = await stateNow({ database, files }, production);
    if (state !== "done") await removeFilesOf({ database, files }, production.id, state);
  }
}

async function stateNow(services: Services, production: ProductionRow): Promise<ProductionRow["state"]> {
  const maker = await findOwner(services.database, production.user_id);
  // An account that is switched off may be switched on again.
  if (maker !== null && !(await isUnchanged(services, maker, production))) return "withdrawn";
  // The database was restored from a backup, which has no files of productions.
  return (await isComplete(services, production.id)) ? "done" : "deleted";
}
