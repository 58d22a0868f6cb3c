import { Type } from "../../http/fields/json-schema.ts";
import {
  dateTime,
  id,
  listOf,
  nullable,
  paging,
  textParameter,
  uri,
  uriOrEmpty,
} from "../../http/fields/schema-shapes.ts";
import { exampleBody } from "../../http/fields/field-metadata.ts";
import { tableSchema } from "../../http/fields/field-schema.ts";
import { changedMemberFields } from "./fields.ts";

/** The answers to everyone who may not use an address below `/api/admin/`. */

const userMembers = {
  id: id(),
  username: Type.String(),
  name: Type.String(),
  email: Type.String({ description: "Empty if unknown" }),
  is_active: Type.Boolean({ description: "False for a user who may not sign in" }),
  is_administrator: Type.Boolean(),
  has_password: Type.Boolean({ description: "False until the user has chosen a password" }),
  created_at: dateTime(),
  signed_in_at: nullable(dateTime("The last sign-in with the password")),
  organizations: Type.Array(Type.Object({ id: id(), name: Type.String(), is_admin: Type.Boolean() }), {
    description: "Without the user's individual organization",
  }),
};
const AdministeredUser = Type.Object(userMembers, { $id: "AdministeredUser" });
const linkMembers = {
  link: nullable(
    uri(
      "The address at which the user chooses a password. It is never shown again; null if it is sent by mail",
    ),
  ),
  expires_at: nullable(dateTime()),
};
const InvitedUser = Type.Object({ ...userMembers, ...linkMembers }, { $id: "InvitedUser" });
const PasswordLink = Type.Object(linkMembers, { $id: "PasswordLink" });

const AdministeredOrganization = Type.Object(
  { id: id(), name: Type.String(), avatar_url: uriOrEmpty(), members: Type.Integer() },
  { $id: "AdministeredOrganization" },
);
const OrganizationMember = Type.Object(
  { user: id(), username: Type.String(), name: Type.String(), is_admin: Type.Boolean() },
  { $id: "OrganizationMember" },
);

export const listingUsers = {
  summary: "The users who have an account, a page at a time",
  query: { ...paging, q: textParameter("a part of the username, name or email") },
  gives: listOf("AdministeredUserList", AdministeredUser),
};
export const invitingUser = {
  summary: "Create an account, with a link to choose its password",
  gives: InvitedUser,
};
export const readingUser = { summary: "One user", gives: AdministeredUser };
export const changingUser = {
  summary: "Change a user's name, email or role, or disable the user",
  gives: AdministeredUser,
};
export const linkingUser = {
  summary: "Create a link with which the user sets a new password",
  gives: PasswordLink,
};
export const listingOrganizations = {
  summary: "The organizations, a page at a time, without individual ones",
  query: paging,
  gives: listOf("AdministeredOrganizationList", AdministeredOrganization),
};
export const creatingOrganization = { summary: "Create an organization", gives: AdministeredOrganization };
export const readingOrganization = { summary: "One organization", gives: AdministeredOrganization };
export const changingOrganization = {
  summary: "Change an organization's name or picture",
  gives: AdministeredOrganization,
};
export const listingMembers = {
  summary: "The members of an organization, a page at a time",
  query: paging,
  gives: listOf("OrganizationMemberList", OrganizationMember),
};
export const addingMember = {
  summary: "Make a user a member of an organization, or change their role",
  gives: OrganizationMember,
};
export const readingMember = { summary: "One member of an organization", gives: OrganizationMember };
export const changingMember = {
  summary: "Change a member's role",
  body: { ...tableSchema(changedMemberFields, false), examples: [exampleBody(changedMemberFields)] },
  gives: OrganizationMember,
};
export const removingMember = { summary: "End a membership" };
