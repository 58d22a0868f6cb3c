import type { View } from "../../http/browsable/view.ts";
import { adminView } from "../administration/views.ts";
import { holdFields } from "./fields.ts";
import { decisionFields, ruleFields } from "./retention-fields.ts";

export const holdList: View = {
  name: "Hold List",
  description: "Legal holds: what they cover can be neither deleted nor changed in its file.",
  fields: { POST: holdFields },
};

export const holdInstance: View = {
  name: "Hold",
  description: "A legal hold. DELETE releases it.",
};

export const heldList: View = {
  name: "Held Document List",
  description:
    "The documents that a legal hold has found. The other members of their families are under it, too.",
};

export const ruleList: View = {
  ...adminView(
    "Retention Rule List",
    "How long documents are kept. Quire proposes those that have run out, and deletes them after an approval.",
  ),
  fields: { POST: ruleFields },
};

export const ruleInstance: View = adminView("Retention Rule", "A retention rule. DELETE ends it.");

export const dispositionList: View = {
  ...adminView(
    "Disposition List",
    "Documents that have run out. POST approves their deletion, or keeps them.",
  ),
  fields: { POST: decisionFields },
  leadsTo: "./",
};

export const certificateList: View = adminView(
  "Certificate List",
  "What retention rules have deleted, and who has approved it.",
);
