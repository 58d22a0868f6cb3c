import { User } from "../../contract/person.ts";
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
  paging,
  selecting,
  textParameter,
  textsParameter,
  uuidParameter,
} from "../../http/fields/schema-shapes.ts";

export const userFields = {
  organization: integer({
    required: true,
    label: "Organization",
    help: "The active one, of those that you belong to",
  }),
};

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
