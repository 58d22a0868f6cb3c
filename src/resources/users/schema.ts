import { Type } from "typebox";
import { integer } from "../../http/fields/fields.ts";

export const userFields = {
  organization: integer({
    required: true,
    label: "Organization",
    help: "The active one, of those that you belong to",
  }),
};

const User = Type.Object({
  id: Type.Integer(),
  uuid: Type.String(),
  username: Type.String(),
  name: Type.String(),
  avatar_url: Type.String(),
  organization: Type.Unknown({
    description: "id of the active one; null for who was only named in a record",
  }),
  organizations: Type.Array(Type.Integer()),
  admin_organizations: Type.Array(Type.Integer()),
  verified_journalist: Type.Boolean(),
});
const Detail = Type.Object({ detail: Type.String() });
const Faults = Type.Unknown({ description: "messages by field, or as a list" });
const text = (description: string) => Type.Optional(Type.String({ description }));
const link = Type.Union([Type.String(), Type.Null()]);

export const listing = {
  summary: "The users that you know of, a page at a time",
  querystring: Type.Object({
    cursor: text("a place in the list, from next or previous"),
    per_page: text("users on a page, 1 to 1000; 25 if not given"),
    organization: text("ids of organizations"),
    project: text("ids of projects that they collaborate in"),
    name: text("exactly this"),
    name__istartswith: text("how the name begins, in any case"),
    username: text("this, in any case"),
    uuid: text("exactly this"),
    id__in: text("ids, with commas"),
    expand: text("organization"),
  }),
  response: {
    200: Type.Object({ next: link, previous: link, results: Type.Array(User) }),
    400: Faults,
    403: Detail,
  },
};
const refusals = { 400: Faults, 403: Detail, 404: Detail };
const params = Type.Object({ id: Type.String({ description: "the user's id" }) });
export const readingMe = { summary: "Whoever asks", response: { 200: User, 403: Detail } };
export const changingMe = { summary: "Choose the active organization", response: { 200: User, ...refusals } };
export const reading = { summary: "One user", params, response: { 200: User, 403: Detail, 404: Detail } };
export const changing = {
  summary: "Choose one's active organization",
  params,
  response: { 200: User, ...refusals },
};
