import { mailKeyAccesses } from "../../contract/person.ts";
import { choice } from "../../http/fields/field-kinds.ts";

/** The fields of a new key. */
export const mailKeyFields = {
  access: choice(mailKeyAccesses, {
    label: "Access",
    help: "Of the documents that arrive",
    default: "private",
  }),
};
