import type { View } from "../../http/browsable/view.ts";
import { everyBody } from "../../http/request/body.ts";
import {
  changedMemberFields,
  changedOrganizationFields,
  changedUserFields,
  newMemberFields,
  newOrganizationFields,
  newUserFields,
} from "./fields.ts";

const above = [{ name: "Api Root", path: "" }];

/** A view without fields for a path below `/api/admin/`. */
export const adminView = (name: string, description: string): View => ({
  name,
  description: `${description} Only administrators see this address.`,
  parses: everyBody,
  above,
});

export const userListView: View = {
  ...adminView(
    "Administered User List",
    "The users who have an account. A new user gets a link to choose a password, which is shown once.",
  ),
  fields: { POST: newUserFields },
  leadsTo: "./",
};

export const userView: View = {
  ...adminView("Administered User", "A user who has an account."),
  fields: { PATCH: changedUserFields },
  above: [...above, { name: "Administered User List", path: "admin/users/" }],
};

export const passwordLinkView: View = {
  ...adminView(
    "Password Link",
    "Creates a link with which the user chooses a new password, once. It is shown once.",
  ),
  leadsTo: "..",
  above: [...above, { name: "Administered User List", path: "admin/users/" }],
};

const organizationList = { name: "Administered Organization List", path: "admin/organizations/" };

export const organizationListView: View = {
  ...adminView("Administered Organization List", "The organizations that do not belong to a single user."),
  fields: { POST: newOrganizationFields },
};

export const organizationView: View = {
  ...adminView("Administered Organization", "An organization."),
  fields: { PATCH: changedOrganizationFields },
  above: [...above, organizationList],
};

export const memberListView: View = {
  ...adminView("Organization Member List", "The members of an organization."),
  fields: { POST: newMemberFields },
  above: [...above, organizationList],
};

export const memberView: View = {
  ...adminView("Organization Member", "A member of an organization."),
  fields: { PATCH: changedMemberFields },
  above: [...above, organizationList],
};
