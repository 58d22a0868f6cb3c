import { maxQueryLength, savedSearchLimits } from "../../contract/limits.ts";
import { text } from "../../http/fields/field-kinds.ts";

export const changedSavedSearchFields = {
  name: text({ maxLength: savedSearchLimits.name, label: "Name", example: "Budgets" }),
  query: text({
    maxLength: maxQueryLength,
    long: true,
    label: "Query",
    help: "The query, as in the parameter q of a search",
    example: "budget AND council",
  }),
};

/** The fields of a new saved search and of a PUT. */
export const savedSearchFields = {
  name: { ...changedSavedSearchFields.name, required: true as const },
  query: { ...changedSavedSearchFields.query, required: true as const },
};
