import type { View } from "../../http/browsable/view.ts";
import { adminView } from "../administration/views.ts";
import {
  changedAddonFields,
  changedEventFields,
  changedRunFields,
  creditFields,
  eventFields,
  messageFields,
  runFields,
} from "./fields.ts";

export const addonList: View = {
  name: "Add On List",
  description: "Programs that you may run on documents. An administrator registers them.",
  controls: {
    filters: [
      { name: "query", label: "Query", help: "A part of the name or the description" },
      { name: "repository", label: "Repository", help: "The exact folder" },
    ],
    orderings: [],
  },
};

export const addonInstance: View = {
  name: "Add On Instance",
  description: "A program that you may run on documents.",
  fields: { PUT: changedAddonFields, PATCH: changedAddonFields },
};

export const runList: View = {
  name: "Add On Run List",
  description: "Your runs of add-ons. POST runs one.",
  fields: { POST: runFields },
};

export const runInstance: View = {
  name: "Add On Run Instance",
  description: "A run of an add-on. DELETE cancels it.",
  fields: { PUT: runFields, PATCH: changedRunFields },
};

export const eventList: View = {
  name: "Add On Event List",
  description:
    "What starts add-ons for you by itself: every hour, day or week, or when you upload a document.",
  fields: { POST: eventFields },
};

export const eventInstance: View = {
  name: "Add On Event Instance",
  description: "What starts an add-on for you by itself. The event 0 switches it off.",
  fields: { PUT: eventFields, PATCH: changedEventFields },
};

export const messageView: View = {
  name: "Message Create",
  description: "Sends you a mail, as add-ons do at their end.",
  fields: { POST: messageFields },
  leadsTo: "..",
};

export const creditView: View = {
  name: "Organization AI Credits",
  description: "Grants any number of credits, because nothing costs credits here.",
  fields: { POST: creditFields },
  leadsTo: "..",
};

export const runFileView: View = {
  name: "Add On Run File",
  description: "The file that a run of an add-on has made.",
};

export const administeredList: View = adminView(
  "Administered Add On List",
  "The add-ons of the server. POST registers the add-on of a folder.",
);

export const administeredInstance: View = adminView("Administered Add On", "An add-on of the server.");
