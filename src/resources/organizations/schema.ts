import { Organization } from "../../contract/person.ts";
import {
  ValidationError,
  booleanParameter,
  idsParameter,
  listOf,
  paging,
  textParameter,
  uuidParameter,
} from "../../http/fields/schema-shapes.ts";

export const listing = {
  summary: "The organizations, a page at a time",
  query: {
    ...paging,
    individual: booleanParameter("whether it is one user's own"),
    slug: textParameter("exactly this"),
    uuid: uuidParameter("exactly this"),
    name: textParameter("exactly this"),
    name__istartswith: textParameter("how the name begins, in any case"),
    id__in: idsParameter("ids of organizations"),
  },
  gives: listOf("OrganizationList", Organization),
  also: { 400: ValidationError },
};
export const reading = {
  summary: "One organization; to its members also its plan and credits",
  gives: Organization,
};
