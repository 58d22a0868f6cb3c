import { Type } from "typebox";
import { FieldError, type Field, boolean, choice, text } from "../../http/fields/fields.ts";

const changeable = {
  title: text({ maxLength: 255, blank: true, label: "Title" }),
  description: text({ maxLength: 1000, blank: true, long: true, label: "Description" }),
  private: boolean({ label: "Private", help: "Only its collaborators see it" }),
};

export const newProjectFields = {
  title: { ...changeable.title, default: "" },
  description: { ...changeable.description, default: "" },
  private: { ...changeable.private, default: false },
};

export const projectFields = {
  ...changeable,
  pinned: boolean({ label: "Pinned", help: "For you alone" }),
};

const access = choice(["view", "edit", "admin"], {
  label: "Access",
  help: "view: sees its shared documents. edit: changes them, puts documents in. admin: changes the project",
});

export const newCollaboratorFields = {
  email: text({
    maxLength: 254,
    required: true,
    label: "Email",
    help: "Of someone who has an account",
    example: "someone@example.org",
  }),
  access: { ...access, default: "view" as const },
};

/** There to be refused: to send it empty does no harm. */
const fixedEmail: Field<undefined> & { nullable: true } = {
  type: "json",
  nullable: true,
  hidden: true,
  read(value) {
    if (value !== "") throw new FieldError("You may not update `email`");
    return undefined;
  },
};
export const collaboratorFields = { access, email: fixedEmail };

const OrNull = Type.Union([Type.Boolean(), Type.Null()]);
const Project = Type.Object({
  id: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
  description: Type.String(),
  edit_access: OrNull,
  add_remove_access: OrNull,
  private: Type.Boolean(),
  slug: Type.String(),
  title: Type.String(),
  user: Type.Integer({ description: "who made it" }),
  pinned: Type.Boolean({ description: "for you" }),
});
const Collaborator = Type.Object({
  user: Type.Unknown({ description: "the user's id; the user, if it is expanded" }),
  access: Type.String({ description: "view, edit or admin" }),
});
const Detail = Type.Object({ detail: Type.String() });
const Faults = Type.Unknown({ description: "messages by field, or as a list" });
const told = (description: string) => Type.Optional(Type.String({ description }));
const link = Type.Union([Type.String(), Type.Null()]);
const params = Type.Object({ id: Type.String({ description: "the project's id" }) });
const collaboratorParams = Type.Object({
  id: Type.String({ description: "the project's id" }),
  user: Type.String({ description: "the user's id" }),
});
const place = {
  cursor: told("a place in the list, from next or previous"),
  per_page: told("items on a page, 1 to 1000; 25 if not given"),
};
const listOf = (Item: typeof Project | typeof Collaborator) =>
  Type.Object({ next: link, previous: link, results: Type.Array(Item) });
const refusals = { 400: Faults, 403: Detail, 404: Detail };

export const listing = {
  summary: "The projects that you may see, a page at a time",
  querystring: Type.Object({
    ...place,
    user: told("ids of collaborators"),
    document: told("ids of documents"),
    query: told("part of the title or the description, in any case"),
    pinned: told("true or false"),
    private: told("true or false"),
    is_shared: told("true: those of others that you collaborate in"),
    owned_by_user: told("true: those that you made"),
    slug: told("exactly this"),
    title: told("exactly this"),
    id__in: told("ids, with commas"),
  }),
  response: { 200: listOf(Project), 400: Faults },
};
export const creating = { summary: "Make a project", response: { 201: Project, 400: Faults, 403: Detail } };
export const reading = { summary: "One project", params, response: { 200: Project, 404: Detail } };
export const changing = {
  summary: "Change a project; pinned is yours alone",
  params,
  response: { 200: Project, ...refusals, 412: Detail },
};
export const deleting = {
  summary: "Delete a project; its documents stay",
  params,
  response: { 204: Type.Null(), 403: Detail, 404: Detail, 412: Detail },
};

export const listingCollaborators = {
  summary: "Who collaborates in a project, for its admins",
  params,
  querystring: Type.Object({ ...place, expand: told("user, user.organization") }),
  response: { 200: listOf(Collaborator), 404: Detail },
};
export const addingCollaborator = {
  summary: "Let someone collaborate, by their e-mail address",
  params,
  response: { 201: Collaborator, ...refusals },
};
export const readingCollaborator = {
  summary: "One collaborator of a project",
  params: collaboratorParams,
  response: { 200: Collaborator, 404: Detail },
};
export const changingCollaborator = {
  summary: "Change what a collaborator may do",
  params: collaboratorParams,
  response: { 200: Collaborator, ...refusals, 412: Detail },
};
export const removingCollaborator = {
  summary: "End someone's collaboration",
  params: collaboratorParams,
  response: { 204: Type.Null(), ...refusals, 412: Detail },
};
