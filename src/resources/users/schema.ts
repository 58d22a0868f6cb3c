import { Type } from "../../http/fields/json-schema.ts";
import { integer } from "../../http/fields/fields.ts";
import {
  ErrorDetail,
  ValidationError,
  choicesParameter,
  id,
  idsParameter,
  ifMatch,
  listOf,
  oneOf,
  paging,
  selecting,
  textParameter,
  textsParameter,
  uriOrEmpty,
  uuid,
  uuidParameter,
} from "../../http/fields/schema-shapes.ts";
import { Organization } from "../organizations/schema.ts";

export const userFields = {
  organization: integer({
    required: true,
    label: "Organization",
    help: "The active one, of those that you belong to",
  }),
};

export const User = Type.Object(
  {
    id: id(),
    uuid: uuid(),
    username: Type.String(),
    name: Type.String(),
    avatar_url: uriOrEmpty(),
    feature_level: Type.Optional(Type.Integer({ description: "only to yourself, at users/me/" })),
    is_staff: Type.Optional(Type.Boolean({ description: "only to administrators" })),
    organization: oneOf(
      [id(), Organization, Type.Null()],
      "id of the active one; the organization, if expanded; null for who was only named in a record",
    ),
    organizations: Type.Array(id()),
    admin_organizations: Type.Array(id()),
    verified_journalist: Type.Boolean(),
    email: Type.Optional({
      type: ["string", "null"],
      format: "email",
      description: "only to yourself, at users/me/",
    }),
  },
  { $id: "User" },
);

export const listing = {
  summary: "The users that you know of, a page at a time",
  querystring: Type.Object({
    ...paging,
    organization: idsParameter("ids of organizations"),
    project: idsParameter("ids of projects that they collaborate in"),
    name: textParameter("exactly this"),
    name__istartswith: textParameter("the beginning of the name, in any case"),
    username: textParameter("this, in any case"),
    uuid: uuidParameter("exactly this"),
    id__in: idsParameter("ids of users"),
    expand: choicesParameter(["organization", "~all"], "what is shown in place of its id"),
    ...selecting,
  }),
  response: { 200: listOf("UserList", User), 400: ValidationError, 403: ErrorDetail, 404: ErrorDetail },
};
const refusals = { 400: ValidationError, 403: ErrorDetail, 404: ErrorDetail };
const params = Type.Object({ id: id("the user's id") });
const querystring = Type.Object({ expand: textsParameter("organization"), ...selecting });
export const readingMe = {
  summary: "Yourself",
  querystring,
  response: { 200: User, 403: ErrorDetail },
};
export const changingMe = {
  summary: "Choose the active organization",
  headers: ifMatch,
  response: { 200: User, ...refusals, 412: ErrorDetail },
};
export const reading = {
  summary: "One user",
  params,
  querystring,
  response: { 200: User, 403: ErrorDetail, 404: ErrorDetail },
};
export const changing = {
  summary: "Choose your active organization",
  params,
  headers: ifMatch,
  response: { 200: User, ...refusals, 412: ErrorDetail },
};
