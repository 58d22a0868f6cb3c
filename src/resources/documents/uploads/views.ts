import type { View } from "../../../http/browsable/view.ts";
import { replacementFields } from "../record/fields.ts";

export const replacement: View = {
  name: "File",
  description:
    "Replaces a document's file by the part `file` of the form, or by the file at the address " +
    "`file_url`. The document " +
    "keeps its id, its title and all that belongs to it, and its old file until the new one has been read.",
  fields: { POST: replacementFields },
  leadsTo: "..",
};
