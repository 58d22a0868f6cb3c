import { type DescribingTexts, describingNames, isDescribing } from "../contract/describing-fields.ts";
import { documentLimits } from "../contract/limits.ts";
import { Draft } from "../viewer/form/draft.ts";
import type { FieldName } from "../viewer/form/merge.ts";
import { RefusedError } from "../viewer/model/send.ts";
import { momentOf } from "../viewer/texts/local-time.ts";
import { timeZone } from "../viewer/texts/moments.ts";
import { texts as viewerTexts } from "../viewer/texts/texts.ts";
import type { BulkAction, DocumentList } from "./model/document-list.ts";
import { texts } from "./model/texts.ts";

/** The actions in the order of the choice, with their names. */
export const bulkActions = Object.entries(texts.actions).flatMap((action) => {
  const setting = describingNames.map((each): [string, string] => [each, texts.describing[each].set]);
  return action[0] === "language" ? setting.concat([action]) : [action];
}) as [BulkAction, string][];

/** The values of all actions. Those that are named after a member of documents set it. */
export interface BulkValues extends DescribingTexts {
  access: string;
  project: string;
  tag: string;
  key: string;
  value: string;
  language: string;
  /** In the time zone of the person; empty for none. */
  publish_at: string;
}

const blank = Object.fromEntries(describingNames.map((name) => [name, ""])) as DescribingTexts;
const empty: BulkValues = {
  ...blank,
  access: "private",
  project: "",
  tag: "",
  key: "",
  value: "",
  language: "",
  publish_at: "",
};

/** The fields of an action. */
const fieldsOf = (action: BulkAction): readonly FieldName<BulkValues>[] =>
  action === "data"
    ? ["key", "value"]
    : Object.hasOwn(empty, action)
      ? [action as FieldName<BulkValues>]
      : [];

export function bulkDraft(action: () => BulkAction): Draft<BulkValues> {
  return new Draft(empty, {
    limits: { tag: documentLimits.dataValue, key: documentLimits.dataKey, value: documentLimits.dataValue },
    check: (values) => faultsOf(action(), values),
  });
}

const needed = new Set<FieldName<BulkValues>>(["project", "tag", "key", "value", "language"]);

function* faultsOf(action: BulkAction, values: BulkValues): Iterable<[FieldName<BulkValues>, string]> {
  for (const field of fieldsOf(action))
    if (needed.has(field) && values[field].trim() === "") yield [field, viewerTexts.form.needed];
  if (action === "data" && !/^[\w-]*$/.test(values.key)) yield ["key", texts.keyHelp];
  // The service would publish the documents at once.
  if (action === "publish_at" && values.publish_at !== "" && new Date(momentIn(values)) <= new Date())
    yield ["publish_at", texts.momentPassed];
}

const momentIn = ({ publish_at: local }: BulkValues): string => momentOf(local, timeZone);

/** Changes the selected documents. @throws {RefusedError} With the reason at the field that was refused. */
export async function changeSelected(
  list: DocumentList,
  action: BulkAction,
  values: BulkValues,
): Promise<void> {
  const refusal = await sent(list, action, values);
  const [field] = fieldsOf(action);
  if (refusal === null) return;
  const isWrong = refusal.status === 400 && field !== undefined;
  throw isWrong ? new RefusedError(400, refusal.message, new Map([[field, refusal.message]])) : refusal;
}

function sent(list: DocumentList, action: BulkAction, values: BulkValues): Promise<RefusedError | null> {
  if (isDescribing(action)) return list.change({ [action]: values[action] });
  switch (action) {
    case "access":
    case "language":
      return list.change({ [action]: values[action] });
    case "project":
      return list.addToProject(Number(values.project));
    case "data":
      return list.addData(values.key, values.value);
    case "tag":
      return list.addData("_tag", values.tag);
    case "publish_at":
      return list.planPublication(values.publish_at === "" ? null : momentIn(values));
    case "process":
      return list.process();
    case "redact":
      location.assign(list.redactAddress());
      return Promise.resolve(null);
    case "delete":
      return list.remove();
  }
}
