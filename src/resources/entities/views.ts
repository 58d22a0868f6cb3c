import type { View } from "../../http/browsable/view.ts";
import {
  changedEntityFields,
  changedOccurrenceFields,
  newEntityFields,
  newOccurrenceFields,
  replacedEntityFields,
  replacedOccurrenceFields,
} from "./fields.ts";

const name = { name: "name", label: "Name", help: "The exact name" };
const wikidata = { name: "wikidata_id", label: "Wikidata id", help: "For example Q42" };

export const entityList: View = {
  name: "Entity List",
  description:
    "People, places and anything else with a Wikidata id. Everyone sees entities. Signed-in users may add them.",
  fields: { POST: newEntityFields },
  controls: { filters: [name, wikidata], orderings: [] },
};

export const entityInstance: View = {
  name: "Entity Instance",
  description: "One entity. The user who added it and administrators may change it.",
  fields: { PUT: replacedEntityFields, PATCH: changedEntityFields },
};

export const occurrenceList: View = {
  name: "Entity Occurrence List",
  description: "The entities of a document. Everyone who may change the document may add entities.",
  fields: { POST: newOccurrenceFields() },
  controls: { filters: [name, wikidata], orderings: [] },
};

export const occurrenceInstance: View = {
  name: "Entity Occurrence Instance",
  description: "An entity of a document and its positions in the text.",
  fields: { PUT: replacedOccurrenceFields(), PATCH: changedOccurrenceFields() },
};
