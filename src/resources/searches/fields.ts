import { alertKinds } from "../../contract/search.ts";
import { maxQueryLength, savedSearchLimits } from "../../contract/limits.ts";
import { choice, text } from "../../http/fields/field-kinds.ts";

/** The fields of a saved search. */
export const savedSearchFields = {
  name: text({
    maxLength: savedSearchLimits.name,
    required: true as const,
    label: "Name",
    example: "Budgets",
  }),
  query: text({
    maxLength: maxQueryLength,
    required: true as const,
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
