import { identityProviderLimits as limits } from "../../contract/limits.ts";
import { type Field, FieldError, readFields, readList } from "../../http/fields/fields.ts";
import { boolean, checkLength, key, readText, text } from "../../http/fields/field-kinds.ts";
import { faultOf } from "../../http/fields/nested-faults.ts";

/** What membership in a group at the provider gives here. */
export interface GroupRole {
  group: string;
  /** The id of an organization. */
  organization: number;
  is_admin: boolean;
}

/** The roles that a row has as JSON. */
export const rolesOf = ({ group_roles }: { group_roles: string }): readonly GroupRole[] =>
  JSON.parse(group_roles) as GroupRole[];

const groupRoleFields = {
  group: text({ maxLength: limits.group, required: true }),
  organization: key({ required: true }),
  is_admin: boolean({ default: false }),
};

const groupRoles: Field<GroupRole[]> = {
  type: "json",
  label: "Groups",
  help: "The organizations that membership in a group at the provider gives: group, organization (an id), is_admin",
  default: [],
  example: [],
  schema: {
    type: "array",
    maxItems: limits.groups,
    items: {
      type: "object",
      properties: {
        group: { type: "string", maxLength: limits.group },
        organization: { type: "integer", format: "int64", minimum: 1 },
        is_admin: { type: "boolean" },
      },
      required: ["group", "organization"],
    },
  },
  read: (value) =>
    faultOf(() =>
      readList(
        value,
        (members) => {
          const read = readFields(groupRoleFields, members, "whole");
          const { group = "", organization = 0, is_admin = false } = read;
          return { group, organization, is_admin };
        },
        limits.groups,
      ),
    ),
};

const shortText = (label: string, help: string, maxLength: number) =>
  text({ label, help, maxLength, blank: true });

/** HTTPS, or HTTP on this machine. A host of one label is a name within an organization's network. */
const issuer: Field<string> = {
  type: "url",
  maxLength: limits.issuer,
  read(value) {
    const read = readText(value).trim();
    if (read === "") throw new FieldError("This field may not be blank.");
    checkLength(read, limits.issuer);
    const address = URL.canParse(read) && /^https?:\/\/[^\s\p{Cc}<>"]+$/iu.test(read) ? new URL(read) : null;
    if (address === null || address.search !== "" || address.hash !== "" || address.username !== "")
      throw new FieldError("Enter a valid URL.");
    const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(address.hostname);
    if (address.protocol === "http:" && !isHere)
      throw new FieldError("Enter an address that begins with https.");
    return read;
  },
};

/** The fields of a provider. */
export const providerFields = {
  name: text({
    maxLength: limits.name,
    required: true as const,
    label: "Name",
    help: "As the sign-in page shows it",
    example: "Harbour Press",
  }),
  issuer: {
    ...issuer,
    required: true as const,
    label: "Issuer",
    help: "The address that names the provider; its configuration is found below it",
    example: "https://login.example.org/realms/press",
  },
  client_id: text({
    maxLength: limits.clientId,
    required: true as const,
    label: "Client id",
    example: "quire",
  }),
  client_secret: shortText(
    "Client secret",
    "As the provider has created it. It is stored sealed and never shown",
    limits.clientSecret,
  ),
  scopes: text({
    maxLength: limits.scopes,
    label: "Scopes",
    help: "What is asked of the provider, separated by spaces; openid is always among them",
    default: "openid profile email",
  }),
  groups_claim: {
    ...shortText("Groups claim", "The claim with a person's groups, or nothing", limits.group),
    default: "",
    example: "groups",
  },
  groups: groupRoles,
  administrators_group: {
    ...shortText("Administrators", "The group whose members are administrators, or nothing", limits.group),
    default: "",
  },
  creates_accounts: boolean({
    label: "Create accounts",
    help: "Give an account to each person who signs in there and has none",
    default: true,
  }),
  links_by_email: boolean({
    label: "Link by email",
    help: "Sign a person in to the account with the email address that the provider has verified",
    default: false,
  }),
  is_enabled: boolean({ label: "Enabled", help: "Whether people may sign in there", default: true }),
};
