import { text } from "../../http/fields/fields.ts";
import { maxQueryLength } from "../../search/query-limits.ts";

export const changedSavedSearchFields = {
  name: text({ maxLength: 255, label: "Name", example: "Budgets" }),
  query: text({
    maxLength: maxQueryLength,
    long: true,
    label: "Query",
    help: "As it is typed in a search",
    example: "budget AND council",
  }),
};

/** A new one, or the whole of one. */
export const savedSearchFields = {
  name: { ...changedSavedSearchFields.name, required: true as const },
  query: { ...changedSavedSearchFields.query, required: true as const },
};
