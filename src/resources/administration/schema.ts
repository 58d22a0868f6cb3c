import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
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
export const hidden = { 404: ErrorDetail };

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

const params = Type.Object({ id: id() });
const memberParams = Type.Object({ id: id("the organization's id"), user: id("the user's id") });

export const listingUsers = {
  summary: "The users who have an account, a page at a time",
  querystring: Type.Object({ ...paging, q: textParameter("a part of the username, name or email") }),
  response: { 200: listOf("AdministeredUserList", AdministeredUser), ...hidden },
};
export const invitingUser = {
  summary: "Create an account, with a link to choose its password",
  response: { 201: InvitedUser, 400: ValidationError, ...hidden },
};
export const readingUser = {
  summary: "One user",
  params,
  response: { 200: AdministeredUser, ...hidden },
};
export const changingUser = {
  summary: "Change a user's name, email or role, or disable the user",
  params,
  response: { 200: AdministeredUser, 400: ValidationError, ...hidden },
};
export const linkingUser = {
  summary: "Create a link with which the user sets a new password",
  params,
  response: { 201: PasswordLink, 400: ValidationError, ...hidden },
};
export const listingOrganizations = {
  summary: "The organizations, a page at a time, without individual ones",
  querystring: Type.Object(paging),
  response: { 200: listOf("AdministeredOrganizationList", AdministeredOrganization), ...hidden },
};
export const creatingOrganization = {
  summary: "Create an organization",
  response: { 201: AdministeredOrganization, 400: ValidationError, ...hidden },
};
export const readingOrganization = {
  summary: "One organization",
  params,
  response: { 200: AdministeredOrganization, ...hidden },
};
export const changingOrganization = {
  summary: "Change an organization's name or picture",
  params,
  response: { 200: AdministeredOrganization, 400: ValidationError, ...hidden },
};
export const listingMembers = {
  summary: "The members of an organization, a page at a time",
  params: Type.Object({ id: id("the organization's id") }),
  querystring: Type.Object(paging),
  response: { 200: listOf("OrganizationMemberList", OrganizationMember), ...hidden },
};
export const addingMember = {
  summary: "Make a user a member of an organization, or change their role",
  params: Type.Object({ id: id("the organization's id") }),
  response: { 201: OrganizationMember, 400: ValidationError, ...hidden },
};
export const readingMember = {
  summary: "One member of an organization",
  params: memberParams,
  response: { 200: OrganizationMember, ...hidden },
};
export const changingMember = {
  summary: "Change a member's role",
  params: memberParams,
  body: { ...tableSchema(changedMemberFields, false), examples: [exampleBody(changedMemberFields)] },
  response: { 200: OrganizationMember, 400: ValidationError, ...hidden },
};
export const removingMember = {
  summary: "End a membership",
  params: memberParams,
  response: { 204: Type.Null(), ...hidden },
};
