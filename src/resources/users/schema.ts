import { User } from "../../contract/person.ts";
import { integer } from "../../http/fields/field-kinds.ts";
import {
  ErrorDetail,
  ValidationError,
  choicesParameter,
  idsParameter,
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
  query: {
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
  },
  gives: listOf("UserList", User),
  also: { 400: ValidationError },
};
const query = { expand: textsParameter("organization"), ...selecting };
export const readingMe = { summary: "Yourself", query, gives: User };
export const changingMe = {
  summary: "Choose the active organization",
  ifMatch: true,
  gives: User,
  also: { 404: ErrorDetail },
};
export const reading = { summary: "One user", query, gives: User };
export const changing = { summary: "Choose your active organization", ifMatch: true, gives: User };
