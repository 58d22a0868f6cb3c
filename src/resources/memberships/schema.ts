import { Type } from "typebox";

const Membership = Type.Object({
  document: Type.Unknown({ description: "the document's id; the document, if it is expanded" }),
  edit_access: Type.Boolean({ description: "whether it is shared with the project's collaborators" }),
});
const Memberships = Type.Array(Membership);
const Detail = Type.Object({ detail: Type.String() });
const Faults = Type.Unknown({ description: "messages by field; for a list, as a list in its order" });
const link = Type.Union([Type.String(), Type.Null()]);
const text = (description: string) => Type.Optional(Type.String({ description }));

const ProjectParameters = Type.Object({ id: Type.String({ description: "the project's id" }) });
const MembershipParameters = Type.Object({
  id: Type.String({ description: "the project's id" }),
  document: Type.String({ description: "the document's id" }),
});

export const listing = {
  summary: "The documents of a project that you may see, the newest first",
  params: ProjectParameters,
  querystring: Type.Object({
    cursor: text("a place in the list, from next or previous"),
    per_page: text("items on a page, 1 to 1000; 25 if not given"),
    ordering: text("created_at: the oldest first; otherwise the newest first"),
    document_id__in: text("ids of documents"),
    expand: text("document, document.user, document.organization, document.projects, …"),
  }),
  response: {
    200: Type.Object({ count: Type.Integer(), next: link, previous: link, results: Memberships }),
    404: Detail,
  },
};
const refusals = { 400: Faults, 403: Detail, 404: Detail };
export const adding = {
  summary: "Put a document into the project, or up to 25 as a list",
  params: ProjectParameters,
  response: { 201: Type.Union([Membership, Memberships]), ...refusals },
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
  querystring: Type.Object({ document_id__in: Type.String({ description: "ids, with commas" }) }),
  response: { 204: Type.Null(), ...refusals },
};
export const readingOne = {
  summary: "A document in a project",
  params: MembershipParameters,
  response: { 200: Membership, 404: Detail },
};
export const changingOne = {
  summary: "Change how a document is shared with the project's collaborators",
  params: MembershipParameters,
  response: { 200: Membership, ...refusals },
};
export const removingOne = {
  summary: "Take a document out of the project",
  params: MembershipParameters,
  response: { 204: Type.Null(), 403: Detail, 404: Detail },
};
