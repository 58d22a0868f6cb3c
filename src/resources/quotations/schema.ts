import { quotationLimits } from "../../contract/limits.ts";
import { Quotation } from "../../contract/quotation.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ErrorReason,
  ValidationError,
  integerParameter,
} from "../../http/fields/schema-shapes.ts";

export const checking = {
  summary: "Check whether words stand on a page, exactly",
  query: {
    quote: Type.String({ description: `the words, at most ${quotationLimits.quote} characters` }),
    document: integerParameter(
      "the id of the document; without it, the words are looked for in all of them",
      {
        minimum: 1,
      },
    ),
    page_number: integerParameter("a page of that document, the first is 0; all pages if not given", {
      minimum: 0,
    }),
  },
  gives: Quotation,
  also: { 400: ValidationError, 404: ErrorDetail, 503: ErrorReason },
};
