import type { Writer } from "../../database/database.ts";
import { invalidFields } from "../../errors.ts";
import type { Values } from "../../http/fields/fields.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import type { Secrets } from "../../secrets/secrets.ts";
import { organizationExists } from "../organizations/store.ts";
import { type providerFields, rolesOf } from "./fields.ts";
import { sealSecret } from "./oidc.ts";
import type { ProviderRow, ProviderSettings } from "./store.ts";

/** A provider of which nothing is known yet. */
export const newProvider: ProviderSettings = {
  name: "",
  issuer: "",
  client_id: "",
  client_secret: "",
  scopes: "",
  groups_claim: "",
  group_roles: "[]",
  administrators_group: "",
  creates_accounts: true,
  links_by_email: false,
  is_enabled: true,
};

/**
 * The columns that sent values change in a row.
 *
 * @throws {ApiError} 400 with messages by field.
 */
export async function settingsFrom(
  writer: Writer,
  secrets: Secrets,
  row: Pick<ProviderRow, keyof ProviderSettings>,
  { groups, client_secret: secret, ...plain }: Values<typeof providerFields>,
): Promise<Partial<ProviderSettings>> {
  const after = { ...row, ...plain };
  const roles = groups ?? rolesOf(row);
  // Groups have to be asked for before they can give something.
  if (after.groups_claim === "" && (roles.length > 0 || after.administrators_group !== ""))
    throw invalidFields({ groups_claim: ["Name the claim that has a person's groups."] });
  for (const { organization } of groups ?? [])
    if (!(await organizationExists(writer, organization)))
      throw invalidFields({ groups: unknownKey(organization).messages });
  const isOther = after.issuer !== row.issuer || after.client_id !== row.client_id;
  if (secret === undefined && isOther && row.client_secret !== "")
    throw invalidFields({ client_secret: ["Enter the secret again: it belongs to the earlier client."] });
  return {
    ...plain,
    ...(groups !== undefined && { group_roles: JSON.stringify(groups) }),
    ...(secret !== undefined && { client_secret: sealSecret(secrets, after, secret) }),
  };
}
