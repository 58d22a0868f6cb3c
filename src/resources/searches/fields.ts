import { alertKinds } from "../../contract/search.ts";
import { maxQueryLength, savedSearchLimits } from "../../contract/limits.ts";
import { choice, text } from "../../http/fields/field-kinds.ts";

export const changedSavedSearchFields = {
  name: text({ maxLength: savedSearchLimits.name, label: "Name", example: "Budgets" }),
  query: text({
    maxLength: maxQueryLength,
    long: true,
    label: "Query",
    help: "The query, as in the parameter q of a search",
    example: "budget AND council",
  }),
  alert: choice(alertKinds, {
    label: "Alert",
    help: "When you are told of documents that the search newly finds; page: on pages and in the feed of events",
    default: "off",
    example: "daily",
  }),
};

/** The fields of a new saved search and of a PUT. */
export const savedSearchFields = {
  ...changedSavedSearchFields,
  name: { ...changedSavedSearchFields.name, required: true as const },
  query: { ...changedSavedSearchFields.query, required: true as const },
};
