import { GuestLink, NewGuestLink } from "../../contract/guest-link.ts";
import {
  ValidationError,
  choiceParameter,
  integerParameter,
  listOf,
  paging,
  uuid,
} from "../../http/fields/schema-shapes.ts";

export const parameters = { uuid: uuid("the guest link's uuid") };

export const listing = {
  summary: "Guest links, a page at a time, also those that no longer work",
  query: {
    ...paging,
    document: integerParameter(
      "everyone's links to this document, which you may share; by default your own links",
    ),
    project: integerParameter("everyone's links to this project, which you administer"),
    everyone: choiceParameter(["true"], "everyone's links, for administrators"),
  },
  gives: listOf("GuestLinkList", GuestLink),
  also: { 400: ValidationError },
};
export const creating = {
  summary: "Make a link that opens a document, a project or a saved search without an account",
  gives: NewGuestLink,
};
export const reading = { summary: "One guest link", gives: GuestLink };
export const revoking = { summary: "Revoke a guest link: from now on it opens nothing" };
