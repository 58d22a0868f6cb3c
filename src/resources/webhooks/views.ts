import type { View } from "../../http/browsable/view.ts";

export const webhookList: View = {
  name: "Webhook List",
  description: "Addresses that are told what happens to what you may see.",
};

export const webhookInstance: View = {
  name: "Webhook",
  description: "An address that is told what happens to what you may see.",
};

export const secretView: View = {
  name: "Webhook Secret",
  description: "POST gives the webhook another secret. For a day, the former one signs beside it.",
  fields: { POST: {} },
  leadsTo: "..",
};

export const deliveryList: View = {
  name: "Webhook Delivery List",
  description: "What the webhook was told, the newest first, and what became of it.",
};

export const deliveryInstance: View = {
  name: "Webhook Delivery",
  description: "An event that the webhook is told. POST sends it again.",
  fields: { POST: {} },
};
