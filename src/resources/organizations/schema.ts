import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
  booleanParameter,
  id,
  idsParameter,
  listOf,
  nullable,
  paging,
  textParameter,
  uriOrEmpty,
  uuid,
  uuidParameter,
} from "../../http/fields/schema-shapes.ts";

const forMembers = "only to its members, where one organization is read or expanded";

export const Organization = Type.Object(
  {
    id: id(),
    avatar_url: uriOrEmpty(),
    individual: Type.Boolean({ description: "whether it is one user's own" }),
    name: Type.String(),
    slug: Type.String(),
    uuid: uuid("that of its user, if it is one user's own"),
    monthly_credits: Type.Optional(Type.Integer({ description: forMembers })),
    purchased_credits: Type.Optional(Type.Integer({ description: forMembers })),
    credit_reset_date: Type.Optional(nullable(Type.String({ format: "date", description: forMembers }))),
    monthly_credit_allowance: Type.Optional(Type.Integer({ description: forMembers })),
    plan: Type.Optional(Type.String({ description: forMembers })),
  },
  { $id: "Organization" },
);

export const listing = {
  summary: "The organizations, a page at a time",
  querystring: Type.Object({
    ...paging,
    individual: booleanParameter("whether it is one user's own"),
    slug: textParameter("exactly this"),
    uuid: uuidParameter("exactly this"),
    name: textParameter("exactly this"),
    name__istartswith: textParameter("how the name begins, in any case"),
    id__in: idsParameter("ids of organizations"),
  }),
  response: {
    200: listOf("OrganizationList", Organization),
    400: ValidationError,
    403: ErrorDetail,
    404: ErrorDetail,
  },
};
export const reading = {
  summary: "One organization; to its members also its plan and credits",
  params: Type.Object({ id: id("the organization's id") }),
  response: { 200: Organization, 403: ErrorDetail, 404: ErrorDetail },
};
