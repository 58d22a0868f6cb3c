import { holdLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { conflict, invalidFields, invalidWhole, permissionDenied } from "../../errors.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import { type Values, readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { keep, keepCovered, planOf } from "../documents/holds/held-documents.ts";
import { type HoldRow, releaseHold } from "../documents/holds/hold-store.ts";
import { findVisibleDocuments } from "../documents/store.ts";
import { organizationExists } from "../organizations/store.ts";
import { findProject } from "../projects/list-store.ts";
import { type HoldRights, holdRightsOf, mayHold } from "./access.ts";
import { holdFields } from "./fields.ts";
import { heldBy } from "./hold-store.ts";

type HoldContext = Pick<Context, "database">;

/**
 * Sets a hold. It is in force from its commit; when this returns, what it found is kept under it. If the server stops
 * before, the hourly work does the rest.
 */
export async function setHold(
  context: HoldContext,
  viewer: SignedInViewer,
  members: Members,
): Promise<HoldRow> {
  const rights = await holdRightsOf(context.database, viewer);
  if (!rights.isAdministrator && rights.organizations.size === 0) throw permissionDenied();
  const { name = "", reason = "", ...values } = readFields(holdFields, members, "whole");
  const organization_id = await organizationIn(context, rights, values.organization ?? null);
  const scope = await scopeIn(context, viewer, organization_id, values);
  const { database } = context;
  const hold = await database.write((writer) =>
    heldBy.add(writer, {
      name,
      reason,
      organization_id,
      project_id: scope.project,
      query: scope.query,
      user_id: viewer.id,
      created_at: timestampNow(),
    }),
  );
  await keep(context, hold, viewer.id, scope.documents);
  await keepCovered(context, hold, viewer.id);
  return hold;
}

async function organizationIn(
  { database }: HoldContext,
  rights: HoldRights,
  id: number | null,
): Promise<number | null> {
  if (id === null && !rights.isAdministrator)
    throw invalidFields({ organization: ["Name the organization whose documents it covers."] });
  const isKnown = id === null || (mayHold(rights, id) && (await organizationExists(database.reader, id)));
  if (!isKnown) throw invalidFields({ organization: unknownKey(id).messages });
  return id;
}

interface Scope {
  documents: readonly number[];
  project: number | null;
  query: string | null;
}

/** What a new hold covers. @throws {ApiError} 400 unless it is one thing, which the viewer may see. */
async function scopeIn(
  { database }: HoldContext,
  viewer: SignedInViewer,
  organization: number | null,
  { documents = [], project = null, query = "" }: Omit<Values<typeof holdFields>, "name" | "reason">,
): Promise<Scope> {
  const named = [documents.length > 0, project !== null, query.trim() !== ""].filter(Boolean);
  if (named.length !== 1) throw invalidWhole("Name one of `documents`, `project` and `query`.");
  if (documents.length > holdLimits.documents) {
    const message = `A hold may name ${holdLimits.documents} documents. Use a project or a query for more.`;
    throw invalidFields({ documents: [message] });
  }
  const rows = await findVisibleDocuments(database, viewer, documents);
  const known = new Set(
    rows.filter((row) => organization === null || row.organization_id === organization).map(({ id }) => id),
  );
  const unknown = documents.find((id) => !known.has(id));
  if (unknown !== undefined) throw invalidFields({ documents: unknownKey(unknown).messages });
  if (project !== null && (await findProject(database, viewer, project)) === null)
    throw invalidFields({ project: unknownKey(project).messages });
  if (query.trim() !== "" && (await planOf(query)) === null)
    throw invalidFields({ query: ["This query asks for too much at once."] });
  return { documents: [...known], project, query: query.trim() === "" ? null : query };
}

/** The hold. @throws {ApiError} 404 if the viewer may not see it. */
export async function getHold(
  { database }: HoldContext,
  viewer: SignedInViewer,
  id: number,
): Promise<HoldRow> {
  return heldBy.get(database, await holdRightsOf(database, viewer), { id });
}

/** Releases a hold. @throws {ApiError} 404 if the viewer may not see it, 409 if it was released before. */
export async function releaseOf(
  { database }: HoldContext,
  viewer: SignedInViewer,
  id: number,
): Promise<void> {
  const rights = await holdRightsOf(database, viewer);
  await database.write(async (writer) => {
    const hold = await heldBy.lock(writer, rights, { id });
    if (hold.released_at !== null) throw conflict("This hold was released before.");
    await releaseHold(writer, id, viewer.id);
  });
}
