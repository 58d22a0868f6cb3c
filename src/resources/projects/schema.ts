import { Collaborator, Project, collaboratorAccess } from "../../contract/project.ts";
import { personLimits, projectLimits } from "../../contract/limits.ts";
import { FieldError, type Field } from "../../http/fields/fields.ts";
import { boolean, choice, key, text } from "../../http/fields/field-kinds.ts";
import {
  ValidationError,
  booleanParameter,
  choicesParameter,
  idsParameter,
  listOf,
  paging,
  selecting,
  textParameter,
  textsParameter,
  ErrorDetail,
} from "../../http/fields/schema-shapes.ts";

const changeable = {
  title: text({ maxLength: projectLimits.title, blank: true, label: "Title" }),
  description: text({ maxLength: projectLimits.description, blank: true, long: true, label: "Description" }),
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

const access = choice(collaboratorAccess, {
  label: "Access",
  help: "view: sees its shared documents. edit: changes them, puts documents in. admin: changes the project",
});

const email = text({
  maxLength: personLimits.email,
  schema: { format: "email" },
  label: "Email",
  help: "Of someone who has an account",
  example: "someone@example.org",
});
const newAccess = { ...access, default: "view" as const };

export const newCollaboratorFields = {
  email,
  user: {
    ...key({ label: "User", help: "Instead of an email: the id of a user that you know of" }),
    nullable: true,
    insteadOf: "email",
  },
  access: newAccess,
};

/** A new collaborator is named by an email address or, if there is none, by the user's id. */
export const collaboratorByEmail = { email: { ...email, required: true as const }, access: newAccess };
export const collaboratorById = {
  user: key({ required: true }),
  access: newAccess,
};

/** A known field, so that a request which sets it gets an error. An empty value is ignored. */
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

export const listing = {
  summary: "The projects that you may see, a page at a time",
  query: {
    ...paging,
    user: idsParameter("ids of collaborators"),
    document: idsParameter("ids of documents"),
    query: textParameter("part of the title or the description, in any case"),
    pinned: booleanParameter("whether you have pinned it"),
    private: booleanParameter("whether it is private"),
    is_shared: booleanParameter("true: those of others that you collaborate in"),
    owned_by_user: booleanParameter("true: those that you created"),
    slug: textParameter("exactly this"),
    title: textParameter("exactly this"),
    id__in: idsParameter("ids of projects"),
  },
  gives: listOf("ProjectList", Project),
  also: { 400: ValidationError },
};
export const creating = { summary: "Create a project", gives: Project };
export const reading = { summary: "One project", gives: Project };
export const changing = { summary: "Change a project; pinned is yours alone", ifMatch: true, gives: Project };
export const deleting = {
  summary: "Delete a project; its documents stay",
  ifMatch: true,
  also: { 409: ErrorDetail },
};

export const listingCollaborators = {
  summary: "The collaborators of a project, for its admins",
  query: {
    ...paging,
    expand: choicesParameter(["user", "user.organization", "~all"], "what is shown in place of its id"),
    ...selecting,
  },
  gives: listOf("CollaboratorList", Collaborator),
};
export const addingCollaborator = {
  summary: "Add a collaborator by their email address, or by id",
  gives: Collaborator,
};
export const readingCollaborator = {
  summary: "One collaborator of a project",
  query: { expand: textsParameter("user, user.organization"), ...selecting },
  gives: Collaborator,
};
export const changingCollaborator = {
  summary: "Change the access of a collaborator",
  ifMatch: true,
  gives: Collaborator,
};
export const removingCollaborator = {
  summary: "End someone's collaboration",
  ifMatch: true,
  also: { 400: ValidationError },
};
