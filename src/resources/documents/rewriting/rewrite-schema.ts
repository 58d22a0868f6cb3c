import { Type } from "../../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  InvalidOrRefused,
  enumeration,
  id,
  integerParameter,
  link,
  pageNumber,
  textParameter,
} from "../../../http/fields/schema-shapes.ts";
import { DocumentParameters } from "../record/schema.ts";

const fraction = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const refusals = { 400: InvalidOrRefused, 403: ErrorDetail, 404: ErrorDetail };

const Redaction = Type.Object(
  {
    x1: fraction("left edge, as a fraction of the page's width"),
    x2: fraction("right edge"),
    y1: fraction("upper edge, as a fraction of the page's height"),
    y2: fraction("lower edge"),
    page_number: pageNumber(),
  },
  { $id: "Redaction" },
);
export const redacting = {
  summary: "Blacken parts of pages, and remove the content under them",
  params: DocumentParameters,
  body: Type.Array(Redaction, { examples: [[{ x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2, page_number: 0 }]] }),
  response: { 201: Type.Array(Redaction), ...refusals },
};

const Mention = Type.Object(
  {
    text: Type.String({ description: "as the page has it" }),
    before: Type.String({ description: "the words before it on the page" }),
    after: Type.String({ description: "the words after it" }),
    boxes: Type.Array(
      Type.Object({
        x1: fraction("left edge, as a fraction of the page's width"),
        x2: fraction("right edge"),
        y1: fraction("upper edge, as a fraction of the page's height"),
        y2: fraction("lower edge"),
      }),
      { description: "boxes that cover it: one for each line" },
    ),
  },
  { $id: "Mention" },
);
export const mentioning = {
  summary: "Find the places where words stand, to redact them",
  params: DocumentParameters,
  querystring: Type.Object({
    q: textParameter("words that stand one after the other; a star after a word stands for any ending"),
    start: integerParameter("the page to begin with, from 0"),
  }),
  response: {
    200: Type.Object(
      {
        next: link,
        previous: link,
        pages_without_text: Type.Array(pageNumber(), { description: "pages on which nothing can be found" }),
        results: Type.Array(
          Type.Object({
            page_number: pageNumber(),
            mentions: Type.Array(Mention, { description: "in reading order" }),
            unplaced: Type.Integer({
              description: "how many more the page's text has, whose position is unknown",
            }),
          }),
        ),
      },
      { $id: "Mentions", description: "of a part of the document: next leads to the rest" },
    ),
    ...refusals,
  },
};

const Modification = Type.Object({
  page: Type.String({ description: "pages and ranges, from 1" }),
  slug: Type.String({ description: "the slug of the document that the pages come from" }),
  page_spec: Type.Array(Type.Union([Type.Integer(), Type.Array(Type.Integer())]), {
    description: "pages, and ranges as pairs, from 0",
  }),
  page_length: Type.Integer(),
  id: Type.Optional(id()),
  modifications: Type.Optional(
    Type.Array(
      Type.Object({
        type: enumeration(["rotate"]),
        angle: enumeration(["cc", "ccw", "hw"], "cc: clockwise. ccw: counter-clockwise. hw: half a turn"),
      }),
    ),
  ),
});
const RequestedModification = Type.Object({
  page: Type.String({ description: "pages and ranges, from 0: 0-2,5" }),
  id: Type.Optional(id("the id of another document that the pages come from")),
  modifications: Type.Optional(
    Type.Array(
      Type.Object({
        type: enumeration(["rotate"]),
        angle: enumeration(["cc", "ccw", "hw"], "cc: clockwise. ccw: counter-clockwise. hw: half a turn"),
      }),
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
  response: { 400: ErrorDetail, 403: ErrorDetail },
};
