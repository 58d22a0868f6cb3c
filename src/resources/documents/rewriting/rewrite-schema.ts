import {
  Mentions,
  Modification,
  RedactedCopies,
  Redaction,
  RedactionUnderWay,
  RequestedCopy,
  RequestedModification,
  RequestedRedaction,
  patternKinds,
} from "../../../contract/work.ts";
import { id, oneOf } from "../../../contract/shape.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  InvalidOrRefused,
  choiceParameter,
  integerParameter,
  textParameter,
} from "../../../http/fields/schema-shapes.ts";

const boxes = [{ x1: 0.1, x2: 0.5, y1: 0.1, y2: 0.2, page_number: 0 }];

export const redacting = {
  summary: "Blacken parts of pages, and remove the content under them",
  body: { ...oneOf([Type.Array(Redaction, { examples: [boxes] }), RequestedRedaction]), examples: [boxes] },
  gives: Type.Array(Redaction),
  also: { 400: InvalidOrRefused, 409: ErrorDetail },
};

export const listingUnderWay = {
  summary: "The redactions that wait or run: those that you have asked for, and those of your documents",
  gives: Type.Array(RedactionUnderWay),
};

export const listingCopies = {
  summary: "The redacted copies of a document, and the document of which it is one",
  gives: RedactedCopies,
};

export const copying = {
  summary: "Make a redacted copy of a document, which stays as it is",
  body: RequestedCopy,
  gives: Type.Object({ id: id("the id of the copy") }),
  also: { 400: InvalidOrRefused },
};

export const mentioning = {
  summary: "Find the places where words stand, to redact them",
  query: {
    q: textParameter("words that stand one after the other; a star after a word stands for any ending"),
    kind: choiceParameter(patternKinds, "instead of words: numbers and addresses of this kind"),
    start: integerParameter("the page to begin with, from 0"),
  },
  gives: Mentions,
  also: { 400: InvalidOrRefused, 403: ErrorDetail },
};

export const modifying = {
  summary: "Remove, move, copy or rotate pages, or import pages from other documents",
  body: Type.Array(RequestedModification, {
    examples: [[{ page: "0", modifications: [{ type: "rotate", angle: "cc" }] }]],
  }),
  gives: Type.Object({ data: Type.Array(Modification) }),
  also: { 400: InvalidOrRefused, 409: ErrorDetail },
};
export const postProcessing = {
  summary: "Always refused: Quire has no separate processing servers",
  body: Type.Object({}, { examples: [{}] }),
  gives: null,
  also: { 400: ErrorDetail, 404: null },
};
