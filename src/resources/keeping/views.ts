import type { View } from "../../http/browsable/view.ts";
import { holdFields } from "./fields.ts";

export const holdList: View = {
  name: "Hold List",
  description: "Legal holds: what they cover can be neither deleted nor changed in its file.",
  fields: { POST: holdFields },
};

export const holdInstance: View = {
  name: "Hold",
  description: "A legal hold. DELETE releases it.",
};
