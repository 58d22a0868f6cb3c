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
const name = { name: "name", label: "Name", help: "The exact name" };
const wikidata = { name: "wikidata_id", label: "Wikidata id", help: "For example Q42" };

export const entityList: View = {
  name: "Entity List",
  description:
    "People, places and anything else with a Wikidata id. Everyone sees entities. Signed-in users may add them.",
  parses: everyBody,
  fields: { POST: newEntityFields },
  above: [root],
  controls: { filters: [name, wikidata], orderings: [] },
};

export const entityInstance: View = {
  name: "Entity Instance",
  description: "One entity. The user who added it and administrators may change it.",
  parses: everyBody,
  fields: { PUT: replacedEntityFields, PATCH: changedEntityFields },
  above: [root, { name: "Entity List", path: "entities/" }],
};

const above = [root, { name: "Document List", path: "documents/" }];

export const occurrenceList: View = {
  name: "Entity Occurrence List",
  description: "The entities of a document. Everyone who may change the document may add entities.",
  parses: everyBody,
  fields: { POST: newOccurrenceFields() },
  above,
  controls: { filters: [name, wikidata], orderings: [] },
};

export const occurrenceInstance: View = {
  name: "Entity Occurrence Instance",
  description: "An entity of a document and its positions in the text.",
  parses: everyBody,
  fields: { PUT: replacedOccurrenceFields(), PATCH: changedOccurrenceFields() },
  above,
};
