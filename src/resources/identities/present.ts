import type { IdentityProvider } from "../../contract/administration.ts";
import { rolesOf } from "./fields.ts";
import type { ProviderRow } from "./store.ts";

/** The addresses of this service that a provider has to know, by the address of the service. */
export const addressesAt = (service: string, id: number) => ({
  return_address: `${service}/sign-in/with/${id}/return/`,
  sign_out_address: `${service}/sign-in/`,
  notice_address: `${service}/sign-in/with/${id}/notice/`,
});

/** @param service the address of this service. */
export const presentProvider = (row: ProviderRow, service: string): IdentityProvider => ({
  id: row.id,
  name: row.name,
  issuer: row.issuer,
  client_id: row.client_id,
  has_secret: row.client_secret !== "",
  scopes: row.scopes,
  groups_claim: row.groups_claim,
  groups: [...rolesOf(row)],
  administrators_group: row.administrators_group,
  creates_accounts: Boolean(row.creates_accounts),
  links_by_email: Boolean(row.links_by_email),
  is_enabled: Boolean(row.is_enabled),
  ...addressesAt(service, row.id),
  created_at: row.created_at,
  updated_at: row.updated_at,
});
