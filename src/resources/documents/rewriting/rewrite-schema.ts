import { Type } from "typebox";
import { Detail, DocumentParameters } from "../schema.ts";

const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const Faults = Type.Unknown({
  description: "messages by item, or the reason for refusing the whole request",
});
const refusals = { 400: Faults, 403: Detail, 404: Detail };

const Redaction = Type.Object({
  x1: fraction("left edge, as a fraction of the page's width"),
  x2: fraction("right edge"),
  y1: fraction("upper edge, as a fraction of the page's height"),
  y2: fraction("lower edge"),
  page_number: Type.Integer({ description: "from 0" }),
});
export const redacting = {
  summary: "Blacken parts of pages, and remove the content under them",
  params: DocumentParameters,
  body: Type.Array(Redaction, { examples: [[{ x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2, page_number: 0 }]] }),
  response: { 201: Type.Array(Redaction), ...refusals },
};

const Modification = Type.Object({
  page: Type.String({ description: "pages and ranges, from 1" }),
  slug: Type.String({ description: "the slug of the document that the pages come from" }),
  page_spec: Type.Array(Type.Unknown(), { description: "pages, and ranges as pairs, from 0" }),
  page_length: Type.Integer(),
  id: Type.Optional(Type.Integer()),
  modifications: Type.Optional(
    Type.Array(Type.Object({ type: Type.String(), angle: Type.String({ description: "cc, ccw or hw" }) })),
  ),
});
const RequestedModification = Type.Object({
  page: Type.String({ description: "pages and ranges, from 0: 0-2,5" }),
  id: Type.Optional(Type.Integer({ description: "the id of another document that the pages come from" })),
  modifications: Type.Optional(
    Type.Array(
      Type.Object({ type: Type.Literal("rotate"), angle: Type.String({ description: "cc, ccw or hw" }) }),
    ),
  ),
});
export const modifying = {
  summary: "Remove, move, copy or rotate pages, or import pages from other documents",
  params: DocumentParameters,
  body: Type.Array(RequestedModification, {
    examples: [[{ page: "0", modifications: [{ type: "rotate", angle: "cc" }] }]],
  }),
  response: { 201: Type.Object({ data: Type.Array(Modification) }), ...refusals },
};
export const postProcessing = {
  summary: "Always refused: Quire has no separate processing servers",
  params: DocumentParameters,
  body: Type.Object({}, { examples: [{}] }),
  response: { 403: Detail },
};
