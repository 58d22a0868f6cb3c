import { randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { digestOf } from "../../secrets/digest.ts";
import { mailKeyFields } from "./fields.ts";
import { removeMailKey, replaceMailKey } from "./store.ts";

/** Makes the viewer's key, for a project or without one. Returns the key, which is not shown again. */
export async function makeMailKey(
  { database }: Pick<Context, "database">,
  { id }: SignedInViewer,
  project: number | null,
  members: Members,
): Promise<string> {
  const { access = "private" } = readFields(mailKeyFields, members, "whole");
  const key = randomUUID();
  await database.write((writer) =>
    replaceMailKey(writer, database, { user_id: id, project_id: project }, { digest: digestOf(key), access }),
  );
  return key;
}

/** Revokes the viewer's key, if there is one. */
export async function revokeMailKey(
  { database }: Pick<Context, "database">,
  { id }: SignedInViewer,
  project: number | null,
): Promise<void> {
  await database.write((writer) => removeMailKey(writer, { user_id: id, project_id: project }));
}
