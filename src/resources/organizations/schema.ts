import { Organization } from "../../contract/person.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
  booleanParameter,
  id,
  idsParameter,
  listOf,
  paging,
  textParameter,
  uuidParameter,
} from "../../http/fields/schema-shapes.ts";

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
