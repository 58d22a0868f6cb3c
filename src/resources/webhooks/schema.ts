import { NewWebhook, Webhook, WebhookDelivery, WebhookSecret } from "../../contract/event.ts";
import { listOf, paging } from "../../http/fields/schema-shapes.ts";

export const listing = {
  summary: "Your webhooks, a page at a time",
  query: paging,
  gives: listOf("WebhookList", Webhook),
};
export const creating = {
  summary: "Have an address told what happens from now on",
  gives: NewWebhook,
};
export const reading = { summary: "One webhook", gives: Webhook };
export const changing = {
  summary: "Change a webhook; one that is switched on goes on where it stopped",
  ifMatch: true,
  gives: Webhook,
};
export const replacing = { ...changing, summary: "Replace a webhook" };
export const deleting = { summary: "Delete a webhook, with its deliveries", ifMatch: true };
export const rotating = { summary: "Give a webhook another secret", gives: WebhookSecret };
export const listingDeliveries = {
  summary: "What a webhook was told, the newest first",
  query: paging,
  gives: listOf("WebhookDeliveryList", WebhookDelivery),
};
export const readingDelivery = { summary: "One delivery of a webhook", gives: WebhookDelivery };
export const sendingAgain = { summary: "Send a delivery again", gives: WebhookDelivery, status: 202 };
