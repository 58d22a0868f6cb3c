import { Document } from "../../contract/document.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
  choiceParameter,
  choicesParameter,
  expandable,
  id,
  idsParameter,
  ifMatch,
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

const ProjectParameters = Type.Object({ id: id("the project's id") });
const MembershipParameters = Type.Object({ id: id("the project's id"), document: id("the document's id") });

export const listing = {
  summary: "The documents of a project that you may see, the newest first",
  params: ProjectParameters,
  querystring: Type.Object({
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
  }),
  response: {
    200: listOf("MembershipList", Membership, { count: Type.Integer() }),
    400: ValidationError,
    404: ErrorDetail,
  },
};
const refusals = { 400: ValidationError, 403: ErrorDetail, 404: ErrorDetail };
export const adding = {
  summary: "Put a document into the project, or up to 25 as a list",
  takesList: true,
  params: ProjectParameters,
  response: { 201: oneOf([Membership, Memberships]), ...refusals },
};
export const replacing = {
  summary: "Make these, up to 25, the documents of the project, all that you see",
  params: ProjectParameters,
  response: { 200: Memberships, ...refusals },
};
export const changing = {
  summary: "Put up to 25 documents into the project, or change how they are shared",
  params: ProjectParameters,
  response: { 200: Memberships, ...refusals },
};
export const removing = {
  summary: "Take up to 25 documents out of the project",
  params: ProjectParameters,
  querystring: Type.Object({ document_id__in: Type.Array(id(), { description: "ids of documents" }) }),
  response: { 204: Type.Null(), ...refusals },
};
export const readingOne = {
  summary: "A document in a project",
  params: MembershipParameters,
  querystring: Type.Object({ expand: textsParameter("document, and what a document expands"), ...selecting }),
  response: { 200: Membership, 404: ErrorDetail },
};
export const changingOne = {
  summary: "Change how a document is shared with the project's collaborators",
  params: MembershipParameters,
  headers: ifMatch,
  response: { 200: Membership, ...refusals, 412: ErrorDetail },
};
export const removingOne = {
  summary: "Take a document out of the project",
  params: MembershipParameters,
  headers: ifMatch,
  response: { 204: Type.Null(), 403: ErrorDetail, 404: ErrorDetail, 412: ErrorDetail },
};
