import { Type } from "typebox";

export const Organization = Type.Object({
  id: Type.Integer(),
  avatar_url: Type.String(),
  individual: Type.Boolean({ description: "whether it is one user's own" }),
  name: Type.String(),
  slug: Type.String(),
  uuid: Type.String({ description: "that of its user, if it is one user's own" }),
});
const Detail = Type.Object({ detail: Type.String() });
const text = (description: string) => Type.Optional(Type.String({ description }));
const link = Type.Union([Type.String(), Type.Null()]);

export const listing = {
  summary: "The organizations, a page at a time",
  querystring: Type.Object({
    cursor: text("a place in the list, from next or previous"),
    per_page: text("organizations on a page, 1 to 1000; 25 if not given"),
    individual: text("true or false"),
    slug: text("exactly this"),
    uuid: text("exactly this"),
    name: text("exactly this"),
    name__istartswith: text("how the name begins, in any case"),
    id__in: text("ids, with commas"),
  }),
  response: {
    200: Type.Object({ next: link, previous: link, results: Type.Array(Organization) }),
    403: Detail,
  },
};
export const reading = {
  summary: "One organization; to its members also its plan and credits",
  params: Type.Object({ id: Type.String({ description: "the organization's id" }) }),
  response: { 200: Organization, 403: Detail, 404: Detail },
};
