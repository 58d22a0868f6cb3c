import { holdLimits, maxQueryLength } from "../../contract/limits.ts";
import { key, listOf, text } from "../../http/fields/field-kinds.ts";

/** The fields of a new hold. It names one of documents, a project and a query. A hold is never changed. */
export const holdFields = {
  name: text({ maxLength: holdLimits.name, label: "Name", required: true, example: "Harbour inquiry" }),
  reason: text({
    maxLength: holdLimits.reason,
    long: true,
    label: "Reason",
    help: "Why these documents must stay as they are",
    required: true,
    example: "Letter of the court, 12 March",
  }),
  documents: listOf(key({ label: "Document" }), {
    label: "Documents",
    help: "The ids of the documents that it covers",
    insteadOf: "query",
  }),
  project: key({
    label: "Project",
    help: "The project whose documents it covers",
    nullable: true as const,
    insteadOf: "query",
  }),
  query: text({
    maxLength: maxQueryLength,
    blank: true,
    long: true,
    label: "Query",
    help: "It covers what this search finds, now and later, including documents that you may not see",
    example: "harbour AND 2024",
  }),
  organization: key({
    label: "Organization",
    help: "Only documents of this organization; empty for those of all",
    nullable: true as const,
  }),
};
