import { GuestLink, NewGuestLink } from "../../contract/guest-link.ts";
import { listOf, paging, uuid } from "../../http/fields/schema-shapes.ts";

export const parameters = { uuid: uuid("the guest link's uuid") };

export const listing = {
  summary: "Your guest links, a page at a time, also those that no longer work",
  query: paging,
  gives: listOf("GuestLinkList", GuestLink),
};
export const creating = {
  summary: "Make a link that opens a document, a project or a saved search without an account",
  gives: NewGuestLink,
};
export const reading = { summary: "One guest link", gives: GuestLink };
export const revoking = { summary: "Revoke a guest link: from now on it opens nothing" };
