import { everyBody } from "../../http/request/body.ts";
import type { View } from "../../http/browsable/view.ts";
import { newTokenFields, passwordFields, profileFields } from "./fields.ts";

const above = [{ name: "Api Root", path: "" }];
const account = { name: "Account", path: "account/" };

export const accountView: View = {
  name: "Account",
  description: "Your name and email address.",
  parses: everyBody,
  fields: { PATCH: profileFields },
  above,
};

export const passwordView: View = {
  name: "Password",
  description: "Changes your password and ends your other sessions.",
  parses: everyBody,
  fields: { POST: passwordFields },
  leadsTo: "..",
  above: [...above, account],
};

export const tokenListView: View = {
  name: "Token List",
  description: "Your personal tokens, for programs. A new token is shown once.",
  parses: everyBody,
  fields: { POST: newTokenFields },
  leadsTo: "./",
  above: [...above, account],
};

export const tokenView: View = {
  name: "Token Instance",
  description: "One of your personal tokens. Deleting it revokes it at once.",
  parses: everyBody,
  above: [...above, account, { name: "Token List", path: "account/tokens/" }],
};

export const sharedListView: View = {
  name: "Shared List",
  description: "The projects of others in which you collaborate.",
  parses: everyBody,
  above: [...above, account],
};

export const sessionListView: View = {
  name: "Session List",
  description: "The browsers in which you are signed in. Deleting the list signs you out of all others.",
  parses: everyBody,
  above: [...above, account],
};

export const sessionView: View = {
  name: "Session Instance",
  description: "One browser in which you are signed in. Deleting it signs you out there.",
  parses: everyBody,
  above: [...above, account, { name: "Session List", path: "account/sessions/" }],
};
