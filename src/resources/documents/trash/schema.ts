import { Type } from "../../../http/fields/json-schema.ts";
import { ErrorDetail, ValidationError, id, listOf, paging } from "../../../http/fields/schema-shapes.ts";
import { DeletedDocument } from "../../../contract/document.ts";

export const listing = {
  summary: "The deleted documents that you may bring back",
  querystring: Type.Object(paging),
  response: {
    200: listOf("DeletedDocumentList", DeletedDocument, {
      count: Type.Integer({ minimum: 0, description: "on all pages" }),
    }),
    403: ErrorDetail,
    404: ErrorDetail,
  },
};
export const removing = {
  summary: "Remove up to 25 deleted documents for good, all or none",
  querystring: Type.Object({ id__in: Type.Array(id(), { description: "ids of documents" }) }),
  response: { 204: Type.Null(), 400: ValidationError, 403: ErrorDetail },
};
export const restoring = {
  summary: "Bring up to 25 deleted documents back, all or none",
  response: {
    200: Type.String({ description: "OK" }),
    400: ValidationError,
    403: ErrorDetail,
    409: ErrorDetail,
  },
};
