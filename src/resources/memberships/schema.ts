import { Document } from "../../contract/document.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ValidationError,
  choiceParameter,
  choicesParameter,
  expandable,
  id,
  idsParameter,
  listOf,
  oneOf,
  paging,
  selecting,
  textsParameter,
} from "../../http/fields/schema-shapes.ts";
import { listExpansions } from "../documents/record/expand.ts";

const Membership = Type.Object(
  {
    document: expandable(Document, "the document's id; the document, if expanded"),
    edit_access: Type.Boolean({ description: "whether it is shared with the project's collaborators" }),
  },
  { $id: "Membership" },
);
const Memberships = Type.Array(Membership);

export const listing = {
  summary: "The documents of a project that you may see, the newest first",
  query: {
    ...paging,
    ordering: choiceParameter(
      ["created_at", "-created_at"],
      "created_at: the oldest first; otherwise the newest first",
    ),
    document_id__in: idsParameter("ids of documents"),
    expand: choicesParameter(
      ["document", ...listExpansions.map((name) => `document.${name}`), "~all"],
      "what is shown in place of its id",
    ),
    ...selecting,
  },
  gives: listOf("MembershipList", Membership, { count: Type.Integer() }),
  also: { 400: ValidationError },
};
export const adding = {
  summary: "Put a document into the project, or up to 25 as a list",
  takesList: true,
  gives: oneOf([Membership, Memberships]),
};
export const replacing = {
  summary: "Make these, up to 25, the documents of the project, all that you see",
  gives: Memberships,
};
export const changing = {
  summary: "Put up to 25 documents into the project, or change how they are shared",
  gives: Memberships,
};
export const removing = {
  summary: "Take up to 25 documents out of the project",
  query: { document_id__in: Type.Array(id(), { description: "ids of documents" }) },
  also: { 400: ValidationError },
};
export const readingOne = {
  summary: "A document in a project",
  query: { expand: textsParameter("document, and what a document expands"), ...selecting },
  gives: Membership,
};
export const changingOne = {
  summary: "Change how a document is shared with the project's collaborators",
  ifMatch: true,
  gives: Membership,
};
export const removingOne = { summary: "Take a document out of the project", ifMatch: true };
