import type { View } from "../../http/browsable/view.ts";
import { guestLinkFields } from "./fields.ts";

export const guestLinkList: View = {
  name: "Guest Link List",
  description: "Links that open documents to visitors without an account.",
  fields: { POST: guestLinkFields },
};

export const guestLinkInstance: View = {
  name: "Guest Link",
  description: "A link that opens documents to visitors without an account. DELETE revokes it.",
};
