import { NewWebhook, Webhook, WebhookDelivery, WebhookSecret } from "../../contract/event.ts";
import { listOf, paging } from "../../http/fields/schema-shapes.ts";
import { operationsOf } from "../../http/schema/published-operation.ts";

const summaries = {
  listing: "Your webhooks, a page at a time",
  creating: "Have an address told what happens from now on",
  reading: "One webhook",
  replacing: "Replace a webhook",
  changing: "Change a webhook; one that is switched on goes on where it stopped",
  deleting: "Delete a webhook, with its deliveries",
};
export const operations = operationsOf("WebhookList", Webhook, summaries, NewWebhook);
export const rotating = { summary: "Give a webhook another secret", gives: WebhookSecret };
export const listingDeliveries = {
  summary: "What a webhook was told, the newest first",
  query: paging,
  gives: listOf("WebhookDeliveryList", WebhookDelivery),
};
export const readingDelivery = { summary: "One delivery of a webhook", gives: WebhookDelivery };
export const sendingAgain = { summary: "Send a delivery again", gives: WebhookDelivery, status: 202 };
