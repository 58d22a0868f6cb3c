import { Type } from "../../../http/fields/json-schema.ts";
import { ErrorDetail, ValidationError, id, listOf, paging } from "../../../http/fields/schema-shapes.ts";
import { DeletedDocument } from "../../../contract/document.ts";

export const listing = {
  summary: "The deleted documents that you may bring back",
  query: paging,
  gives: listOf("DeletedDocumentList", DeletedDocument, {
    count: Type.Integer({ minimum: 0, description: "on all pages" }),
  }),
};
export const removing = {
  summary: "Remove up to 25 deleted documents for good, all or none",
  query: { id__in: Type.Array(id(), { description: "ids of documents" }) },
  also: { 400: ValidationError, 409: ErrorDetail },
};
export const restoring = {
  summary: "Bring up to 25 deleted documents back, all or none",
  gives: Type.String({ description: "OK" }),
  status: 200,
  also: { 409: ErrorDetail },
};
