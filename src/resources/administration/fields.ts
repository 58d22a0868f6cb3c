import { boolean, key, text, url } from "../../http/fields/fields.ts";
import { nameAndEmail } from "../users/profile-fields.ts";

const { name, email } = nameAndEmail;

/** The fields of a new account. */
export const newUserFields = {
  username: text({
    maxLength: 150,
    label: "Username",
    help: "Letters (a to z), digits and @ . + - _",
    required: true,
    example: "maria",
  }),
  name: { ...name, help: "The name that others see; without it, the username" },
  email,
  organization: text({
    maxLength: 255,
    blank: true,
    label: "Organization",
    help: "Its name. It is created if it does not exist",
    example: "Harbour Press",
  }),
  is_administrator: boolean({ label: "Administrator", default: false }),
};

export const changedUserFields = {
  name,
  email,
  is_active: boolean({ label: "May sign in" }),
  is_administrator: boolean({ label: "Administrator" }),
};

const organizationName = text({ maxLength: 255, label: "Name", example: "Harbour Press" });

export const newOrganizationFields = { name: { ...organizationName, required: true as const } };

export const changedOrganizationFields = {
  name: organizationName,
  avatar_url: url({
    maxLength: 2000,
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
