import type { View } from "../../http/browsable/view.ts";
import { mailKeyFields } from "./fields.ts";

const fields = { POST: mailKeyFields };

export const ownMailKey: View = {
  name: "Mailkey",
  description:
    "The address to which you mail documents. POST makes a key, which replaces the former one; DELETE revokes it.",
  fields,
  leadsTo: "/api/users/",
};

export const projectMailKey: View = {
  name: "Project Mailkey",
  description:
    "Your address to which documents of this project are mailed. POST makes a key, which replaces the former one; " +
    "DELETE revokes it.",
  fields,
  leadsTo: "../",
};

export const refusedMailList: View = {
  name: "Refused Mail List",
  description: "Mails to addresses of this server that were refused. Only administrators see this address.",
};
