import { IdentityProvider, ProviderCheck } from "../../contract/administration.ts";
import { operationsOf } from "../../http/schema/published-operation.ts";

export const operations = operationsOf("IdentityProviderList", IdentityProvider, {
  listing: "The identity providers, a page at a time",
  creating: "Add an identity provider",
  reading: "One identity provider",
  replacing: "Replace an identity provider",
  changing: "Change an identity provider",
  deleting: "Remove an identity provider, and end the sessions that began there",
});
export const checking = {
  summary: "Read the provider's configuration, as a sign-in would",
  gives: ProviderCheck,
};
