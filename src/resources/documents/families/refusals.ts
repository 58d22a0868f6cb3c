import { type ApiError, actionRefused, invalidFields, invalidRequest } from "../../../errors.ts";
import type { Reader } from "../../../database/database.ts";
import { busyStatuses } from "../../document-states.ts";
import { findBusyDescendants, findContainerWithFile, findContainment, isInFamily } from "./family-store.ts";

/*
 * What cannot be done to a document that is part of another. Its rights are those of its root, and its container's file
 * has it as it came.
 */

/** The members of a record in which a document follows its root. */
const followedMembers = ["access", "user", "organization", "noindex", "publish_at"] as const;

/** The followed members among these changes. */
export function followedIn(values: Readonly<Record<string, unknown>>): string[] {
  return followedMembers.filter((name) => values[name] !== undefined);
}

/** Throws 400 if one of these members of a document would differ from those of its root. */
export function refuseFollowing(changed: readonly string[], rootId: number): void {
  if (changed.length === 0) return;
  const message = `It follows document ${rootId}, which this document is part of: change it there.`;
  throw invalidFields(Object.fromEntries(changed.map((name) => [name, [message]])));
}

export function projectsFollow(id: number, rootId: number): ApiError {
  const message = `Document ${id} is part of document ${rootId}, and is in the same projects. Name that one.`;
  return invalidFields({ document: [message] });
}

export function deletionFollows(id: number, rootId: number): ApiError {
  return invalidRequest(`Document ${id} is part of document ${rootId}, and is deleted with it.`);
}

/**
 * Throws 400 if a redaction in place would leave the same words in the file of the container, or if parts are still
 * being read: what is in them could not be told.
 */
export async function refuseRedacting(reader: Pick<Reader, "selectFrom">, id: number): Promise<void> {
  const container = await findContainerWithFile(reader, id);
  if (container !== null) {
    throw actionRefused(
      `Document ${id} is part of document ${container}, whose file has it unredacted: make a redacted copy instead`,
    );
  }
  const [busy] = await findBusyDescendants(reader, id, busyStatuses);
  if (busy !== undefined)
    throw actionRefused(`Document ${busy}, which is part of document ${id}, is still being read`);
}

/** Throws 400 if a redacted copy is to change the access of a document that is part of another. */
export async function refuseHiding(reader: Pick<Reader, "selectFrom">, id: number): Promise<void> {
  const containment = await findContainment(reader, id);
  if (containment !== null) refuseFollowing(["original_access"], containment.rootId);
}

export async function refuseReplacing(reader: Pick<Reader, "selectFrom">, id: number): Promise<void> {
  if (!(await isInFamily(reader, id))) return;
  throw actionRefused(
    `The file of document ${id} cannot be replaced, because it is part of another document or others are part of it`,
  );
}
