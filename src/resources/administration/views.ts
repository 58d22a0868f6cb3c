import type { View } from "../../http/browsable/view.ts";
import {
  changedMemberFields,
  changedOrganizationFields,
  changedUserFields,
  examinationFields,
  newMemberFields,
  newOrganizationFields,
  newUserFields,
  passwordLinkFields,
  retryFields,
} from "./fields.ts";

/** A view without fields for a path below `/api/admin/`. */
export const adminView = (name: string, description: string): View => ({
  name,
  description: `${description} Only administrators see this address.`,
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
};

export const secondFactorsView: View = adminView(
  "Second Factors",
  "Removes all second factors and recovery codes of a user who has lost them.",
);

export const passwordLinkView: View = {
  ...adminView(
    "Password Link",
    "Creates a link with which the user chooses a new password, once. It is shown once.",
  ),
  fields: { POST: passwordLinkFields },
  leadsTo: "..",
};

export const organizationListView: View = {
  ...adminView("Administered Organization List", "The organizations that do not belong to a single user."),
  fields: { POST: newOrganizationFields },
};

export const organizationView: View = {
  ...adminView("Administered Organization", "An organization."),
  fields: { PATCH: changedOrganizationFields },
};

export const memberListView: View = {
  ...adminView("Organization Member List", "The members of an organization."),
  fields: { POST: newMemberFields },
};

export const memberView: View = {
  ...adminView("Organization Member", "A member of an organization."),
  fields: { PATCH: changedMemberFields },
};

export const jobView: View = {
  ...adminView("Job", "POST runs a waiting job now, and DELETE cancels a job."),
  leadsTo: "..",
};

export const failureListView: View = {
  ...adminView(
    "Failure List",
    "The newest 1,000 documents that could not be processed, by reason. POST processes them again.",
  ),
  fields: { POST: retryFields },
  leadsTo: "./",
};

export const storageView: View = {
  ...adminView(
    "Storage",
    "The storage that users and projects take, as it was measured last. POST measures it again.",
  ),
  leadsTo: "./",
};

export const examinationView: View = {
  ...adminView(
    "Examination",
    "The latest examination of the database, the files and the index, and its findings. POST begins another.",
  ),
  fields: { POST: examinationFields },
  leadsTo: "./",
};

export const mailView: View = {
  ...adminView("Mail", "POST sends a mail again, and DELETE removes it."),
  leadsTo: "..",
};
