import { reasonLimits } from "../../../contract/limits.ts";
import type { View } from "../../../http/browsable/view.ts";
import { text } from "../../../http/fields/field-kinds.ts";
import { jsonBody } from "../../../http/request/body.ts";

export const withheldList: View = {
  name: "Withheld",
  description: "What redactions have withheld in a document, by page and reason.",
};

export const reasonFields = {
  code: text({
    maxLength: reasonLimits.code,
    required: true,
    label: "Code",
    help: "As the box shows it",
    example: "§ 5",
  }),
  label: text({
    maxLength: reasonLimits.label,
    required: true,
    label: "Label",
    help: "What it means",
    example: "Ongoing procurement",
  }),
};

export const reasonList: View = {
  name: "Redaction Reasons",
  description:
    "The reasons that a redaction may have: those of the GDPR, of the FOIA, and those of this site.",
};

export const ownReasonList: View = {
  name: "Own Redaction Reasons",
  description: "The reasons that administrators have added. A change replaces all of them.",
  parses: [jsonBody],
};
