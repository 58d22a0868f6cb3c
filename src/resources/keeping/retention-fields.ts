import { dispositionDecisions, retentionStarts, retentionUnits } from "../../contract/keeping.ts";
import { maxQueryLength, retentionLimits } from "../../contract/limits.ts";
import { choice, integer, key, listOf, text } from "../../http/fields/field-kinds.ts";

/** The fields of a new rule. It names a project or a query. A rule is never changed. */
export const ruleFields = {
  name: text({ maxLength: retentionLimits.name, label: "Name", required: true, example: "Applications" }),
  project: key({
    label: "Project",
    help: "The project whose documents it is about",
    nullable: true as const,
    insteadOf: "query",
  }),
  query: text({
    maxLength: maxQueryLength,
    blank: true,
    long: true,
    label: "Query",
    help: "It is about what this search finds, including documents that you may not see",
    example: "tag:application",
  }),
  period: integer({
    min: 1,
    max: retentionLimits.period,
    label: "Period",
    help: "How many days, months or years documents are kept",
    required: true,
    example: 10,
  }),
  unit: choice(retentionUnits, { label: "Unit", required: true, example: "years" }),
  starts: choice(retentionStarts, {
    label: "Starts",
    help: "When the period begins: when a document was made or first public, or at a date in its data",
    default: "created_at",
    example: "created_at",
  }),
  data_key: text({
    maxLength: retentionLimits.dataKey,
    blank: true,
    label: "Data key",
    help: "The key of that date",
  }),
};

/** What is decided about documents that have run out. */
export const decisionFields = {
  decision: choice(dispositionDecisions, { label: "Decision", required: true, example: "keep" }),
  dispositions: listOf(key({ label: "Disposition" }), {
    label: "Dispositions",
    help: "The ids of those that wait for a decision",
    required: true,
    example: [1],
  }),
};
