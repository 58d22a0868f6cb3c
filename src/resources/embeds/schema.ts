import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ErrorReason,
  enumeration,
  integerParameter,
  uri,
} from "../../http/fields/schema-shapes.ts";

export const embedding = {
  summary: "The markup that embeds a document, a page, a note or a project in another page",
  query: {
    url: uri("the address of the page, document, note or project to show"),
    maxwidth: integerParameter("in pixels"),
    maxheight: integerParameter("in pixels"),
  },
  gives: Type.Object(
    {
      version: enumeration(["1.0"]),
      provider_name: Type.String(),
      provider_url: uri(),
      cache_age: Type.Integer(),
      title: Type.String(),
      width: Type.Optional(Type.Number()),
      height: Type.Optional(Type.Number()),
      html: Type.String(),
      type: enumeration(["rich"]),
    },
    { $id: "Embed" },
  ),
  also: { 400: ErrorReason, 404: ErrorDetail },
};
