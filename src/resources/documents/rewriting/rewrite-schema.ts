import { Mentions, Modification, Redaction, RequestedModification } from "../../../contract/work.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  InvalidOrRefused,
  integerParameter,
  textParameter,
} from "../../../http/fields/schema-shapes.ts";
import { DocumentParameters } from "../record/schema.ts";

const refusals = { 400: InvalidOrRefused, 403: ErrorDetail, 404: ErrorDetail };

export const redacting = {
  summary: "Blacken parts of pages, and remove the content under them",
  params: DocumentParameters,
  body: Type.Array(Redaction, { examples: [[{ x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2, page_number: 0 }]] }),
  response: { 201: Type.Array(Redaction), ...refusals },
};

export const mentioning = {
  summary: "Find the places where words stand, to redact them",
  params: DocumentParameters,
  querystring: Type.Object({
    q: textParameter("words that stand one after the other; a star after a word stands for any ending"),
    start: integerParameter("the page to begin with, from 0"),
  }),
  response: {
    200: Mentions,
    ...refusals,
  },
};

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
