import { NewMailKey, RefusedMail } from "../../contract/person.ts";
import { listOf, paging } from "../../http/fields/schema-shapes.ts";

export const making = {
  summary: "Make the key of an address to which documents are mailed; it replaces the former one",
  gives: NewMailKey,
  status: 200,
};
export const revoking = { summary: "Revoke the key: mails to its address are refused from now on" };
export const listingRefused = {
  summary: "The mails that were refused within 30 days, the latest first",
  query: paging,
  gives: listOf("RefusedMailList", RefusedMail),
};
