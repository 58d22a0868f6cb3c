import { IdentityProvider, ProviderCheck } from "../../contract/administration.ts";
import { listOf, paging } from "../../http/fields/schema-shapes.ts";

export const listing = {
  summary: "The identity providers, a page at a time",
  query: paging,
  gives: listOf("IdentityProviderList", IdentityProvider),
};
export const creating = { summary: "Add an identity provider", gives: IdentityProvider };
export const reading = { summary: "One identity provider", gives: IdentityProvider };
export const changing = { summary: "Change an identity provider", ifMatch: true, gives: IdentityProvider };
export const replacing = { ...changing, summary: "Replace an identity provider" };
export const deleting = {
  summary: "Remove an identity provider, and end the sessions that began there",
  ifMatch: true,
};
export const checking = {
  summary: "Read the provider's configuration, as a sign-in would",
  gives: ProviderCheck,
};
