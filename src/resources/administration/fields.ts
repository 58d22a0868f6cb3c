import { organizationLimits, personLimits } from "../../contract/limits.ts";
import { boolean, key, listOf, text, url } from "../../http/fields/field-kinds.ts";
import { nameAndEmail } from "../users/profile-fields.ts";

const { name, email } = nameAndEmail;

const sendMail = boolean({
  label: "Send by mail",
  help: "Send the link to the user by mail, instead of showing it",
  default: false,
  example: false,
});

/** How a user gets a password link. */
export const passwordLinkFields = { send_mail: sendMail };

/** The fields of a new account. */
export const newUserFields = {
  username: text({
    maxLength: personLimits.username,
    label: "Username",
    help: "Letters (a to z), digits and @ . + - _",
    required: true,
    example: "maria",
  }),
  name: { ...name, help: "The name that others see; without it, the username" },
  email,
  organization: text({
    maxLength: organizationLimits.name,
    blank: true,
    label: "Organization",
    help: "Its name. It is created if it does not exist",
    example: "Harbour Press",
  }),
  is_administrator: boolean({ label: "Administrator", default: false }),
  send_mail: sendMail,
};

export const changedUserFields = {
  name,
  email,
  is_active: boolean({ label: "May sign in" }),
  is_administrator: boolean({ label: "Administrator" }),
};

const organizationName = text({
  maxLength: organizationLimits.name,
  label: "Name",
  example: "Harbour Press",
});

export const newOrganizationFields = { name: { ...organizationName, required: true as const } };

export const changedOrganizationFields = {
  name: organizationName,
  avatar_url: url({
    maxLength: organizationLimits.avatarAddress,
    blank: true,
    label: "Picture",
    help: "The web address of a picture, or nothing",
    example: "https://example.org/harbour.png",
  }),
};

export const newMemberFields = {
  user: key({ label: "User", help: "The user's id", required: true, example: 1 }),
  is_admin: boolean({
    label: "Admin",
    help: "Whether the user is an admin of the organization",
    default: false,
  }),
};

export const changedMemberFields = { is_admin: { ...boolean({ label: "Admin" }), required: true as const } };

/** Which failed documents to process again; all without them. */
export const retryFields = {
  reason: text({ maxLength: 1000, label: "Reason", help: "Only documents that failed for this reason" }),
  documents: listOf(key({ label: "Document" }), {
    label: "Documents",
    help: "Only documents with these ids",
  }),
};

export const examinationFields = {
  repairs: boolean({ label: "Repair", help: "Repair what can be repaired", default: false }),
  hashes: boolean({ label: "Hashes", help: "Also compare every PDF with its hash", default: false }),
};
