import { retentionLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { conflict, invalidFields, invalidRequest, invalidWhole } from "../../errors.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import { readFields, tooManyMessage } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { enqueue } from "../../jobs/queue.ts";
import { isDataKey } from "../documents/data-field.ts";
import { planOf } from "../documents/holds/held-documents.ts";
import { findProject } from "../projects/list-store.ts";
import { disposeJob } from "./dispose.ts";
import { decisionFields, ruleFields } from "./retention-fields.ts";
import { proposeJob } from "./propose.ts";
import { type RuleRow, allRules, decide, endRule } from "./retention-store.ts";

type RetentionContext = Pick<Context, "database" | "jobs">;

/** Makes a rule, and has it propose what has run out already. */
export async function createRule(
  { database, jobs }: RetentionContext,
  viewer: SignedInViewer,
  members: Members,
): Promise<RuleRow> {
  const values = readFields(ruleFields, members, "whole");
  const { name = "", period = 1, unit = "years", starts = "created_at", project = null, query = "" } = values;
  const data_key = starts === "data" ? (values.data_key ?? "") : null;
  if ((project === null) === (query.trim() === "")) throw invalidWhole("Name one of `project` and `query`.");
  if (data_key !== null && !isDataKey(data_key))
    throw invalidFields({ data_key: ["Name the key of the date in the data of documents."] });
  if (project !== null && (await findProject(database, viewer, project)) === null)
    throw invalidFields({ project: unknownKey(project).messages });
  if (query.trim() !== "" && (await planOf(query)) === null)
    throw invalidFields({ query: ["This query asks for too much at once."] });
  const rule = await database.write(async (writer) => {
    await enqueue(writer, { kind: proposeJob, subject: 0 });
    return allRules.add(writer, {
      name,
      project_id: project,
      query: query.trim() === "" ? null : query,
      period,
      unit,
      starts,
      data_key,
      user_id: viewer.id,
      created_at: timestampNow(),
    });
  });
  jobs.notify();
  return rule;
}

/**
 * Ends a rule: nothing is proposed or deleted by it any more.
 *
 * @throws {ApiError} 404, or 409 if it has ended before.
 */
export async function endRuleOf(
  context: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
): Promise<void> {
  await allRules.get(context.database, viewer, { id });
  const isEnded = await context.database.write((writer) => endRule(writer, id, viewer.id));
  if (!isEnded) throw conflict("This rule has ended before.");
}

/** Decides about all of the named proposals, or none. Returns how many there are. */
export async function decideAbout(
  { database, jobs }: RetentionContext,
  viewer: SignedInViewer,
  members: Members,
): Promise<number> {
  const { decision, dispositions = [] } = readFields(decisionFields, members, "whole");
  if (dispositions.length > retentionLimits.decisions) throw invalidRequest(tooManyMessage);
  const ids = [...new Set(dispositions)];
  await database.write(async (writer) => {
    const state = decision === "approve" ? "approved" : "kept";
    const isDecided =
      ids.length > 0 && (await decide(writer, database.dialect, ids, { state, userId: viewer.id }));
    if (!isDecided) throw invalidRequest("Could not find all of these among what waits for a decision");
    if (state === "approved") await enqueue(writer, { kind: disposeJob, subject: 0 });
  });
  jobs.notify();
  return ids.length;
}
