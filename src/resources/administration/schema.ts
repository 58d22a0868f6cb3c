import { listOf, paging, textParameter } from "../../http/fields/schema-shapes.ts";
import {
  AdministeredOrganization,
  AdministeredUser,
  InvitedUser,
  OrganizationMember,
  PasswordLink,
  ReadUser,
} from "../../contract/administration.ts";
import { exampleBody } from "../../http/fields/field-metadata.ts";
import { tableSchema } from "../../http/fields/field-schema.ts";
import { changedMemberFields } from "./fields.ts";

export const listingUsers = {
  summary: "The users who have an account, a page at a time",
  query: { ...paging, q: textParameter("a part of the username, name or email") },
  gives: listOf("AdministeredUserList", AdministeredUser),
};
export const invitingUser = {
  summary: "Create an account, with a link to choose its password",
  gives: InvitedUser,
};
export const readingUser = { summary: "One user", gives: ReadUser };
export const resettingFactors = { summary: "Remove all second factors of a user who has lost them" };
export const changingUser = {
  summary: "Change a user's name, email or role, or disable the user",
  gives: ReadUser,
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
