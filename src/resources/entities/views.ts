import { everyBody } from "../../http/request/body.ts";
import type { View } from "../../http/browsable/view.ts";
import {
  changedEntityFields,
  changedOccurrenceFields,
  newEntityFields,
  newOccurrenceFields,
  replacedEntityFields,
  replacedOccurrenceFields,
} from "./fields.ts";

const root = { name: "Api Root", path: "" };
const name = { name: "name", label: "Name", help: "The whole of it" };
const wikidata = { name: "wikidata_id", label: "Wikidata id", help: "As Q42" };

export const entityList: View = {
  name: "Entity List",
  description:
    "People, places and whatever else has a Wikidata id. Everyone sees them; who has signed in adds them.",
  parses: everyBody,
  fields: { POST: newEntityFields },
  above: [root],
  controls: { filters: [name, wikidata], orderings: [] },
};

export const entityInstance: View = {
  name: "Entity Instance",
  description: "What has a Wikidata id. Whoever added it, and administrators, change what is said of it.",
  parses: everyBody,
  fields: { PUT: replacedEntityFields, PATCH: changedEntityFields },
  above: [root, { name: "Entity List", path: "entities/" }],
};

const above = [root, { name: "Document List", path: "documents/" }];

export const occurrenceList: View = {
  name: "Entity Occurrence List",
  description: "The entities that a document has. Whoever may change the document gives it some.",
  parses: everyBody,
  fields: { POST: newOccurrenceFields() },
  above,
  controls: { filters: [name, wikidata], orderings: [] },
};

export const occurrenceInstance: View = {
  name: "Entity Occurrence Instance",
  description: "An entity of a document, and where in its text it is.",
  parses: everyBody,
  fields: { PUT: replacedOccurrenceFields(), PATCH: changedOccurrenceFields() },
  above,
};
