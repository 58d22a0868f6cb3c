import type { View } from "../../http/browsable/view.ts";
import { newTokenFields, passwordFields, profileFields, readUntilFields } from "./fields.ts";

export const accountView: View = {
  name: "Account",
  description: "Your name and email address.",
  fields: { PATCH: profileFields },
};

export const passwordView: View = {
  name: "Password",
  description: "Changes your password and ends your other sessions.",
  fields: { POST: passwordFields },
  leadsTo: "..",
};

export const tokenListView: View = {
  name: "Token List",
  description: "Your personal tokens, for programs. A new token is shown once.",
  fields: { POST: newTokenFields },
  leadsTo: "./",
};

export const tokenView: View = {
  name: "Token Instance",
  description: "One of your personal tokens. Deleting it revokes it at once.",
};

export const sharedListView: View = {
  name: "Shared List",
  description: "The projects of others in which you collaborate.",
};

export const notificationListView: View = {
  name: "Notification List",
  description: "What you are told of within Quire, the newest first.",
  fields: { PATCH: readUntilFields },
};

export const sessionListView: View = {
  name: "Session List",
  description: "The browsers in which you are signed in. Deleting the list signs you out of all others.",
};

export const sessionView: View = {
  name: "Session Instance",
  description: "One browser in which you are signed in. Deleting it signs you out there.",
};
