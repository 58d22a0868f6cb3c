import { Type } from "../../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  InvalidOrRefused,
  ValidationError,
  enumeration,
  id,
  withHeaders,
} from "../../../http/fields/schema-shapes.ts";

/*
 * Uploads of bytes: to a document's `presigned_url`, or in parts by the protocol tus.
 */

const bytes = Type.String({ format: "binary" });

export const uploading = {
  summary: "Upload the file of a new document to its presigned_url",
  params: Type.Object({ id: id("the document's id"), "*": Type.String({ description: "the file's name" }) }),
  querystring: Type.Object({ viewer: Type.String(), expires: Type.String(), signature: Type.String() }),
  body: bytes,
  consumes: ["*/*"],
  response: {
    200: { description: "The file is stored", type: "null" },
    400: ValidationError,
    403: ErrorDetail,
    404: ErrorDetail,
    413: ErrorDetail,
    507: ErrorDetail,
  },
};

const version = enumeration(["1.0.0"], "the version of the protocol");
const offset = (description: string) => Type.Integer({ minimum: 0, description });
const length = Type.Integer({ minimum: 1, description: "the length of the file in bytes" });
const expires = Type.Optional(Type.String({ description: "when an unfinished upload is removed" }));
const finished = {
  "quire-document": Type.Optional(id("the document, if the upload is complete")),
  location: Type.Optional(Type.String({ description: "the document's address, if the upload is complete" })),
};
const metadata = Type.String({
  description:
    "pairs of a name and a text in Base64, with commas between: filename, and the fields of a new document; or " +
    "document, the id of a document without a file, or with replace any document of yours",
});
const partType = "application/offset+octet-stream";

const params = Type.Object({ upload: Type.String({ description: "the last part of the upload's address" }) });
const refusals = { 403: ErrorDetail, 404: ErrorDetail, 412: ErrorDetail };

export const beginning = {
  summary: "Begin a resumable upload (tus 1.0)",
  headers: Type.Object({
    "tus-resumable": version,
    "upload-length": length,
    "upload-metadata": Type.Optional(metadata),
  }),
  response: {
    201: withHeaders(
      {
        "tus-resumable": version,
        location: Type.String({ description: "the upload's address" }),
        "upload-expires": expires,
      },
      Type.Null(),
    ),
    400: InvalidOrRefused,
    ...refusals,
    413: ErrorDetail,
    429: ErrorDetail,
    507: ErrorDetail,
  },
};
export const asking = {
  summary: "Get the offset of a resumable upload",
  params,
  headers: Type.Object({ "tus-resumable": version }),
  response: {
    200: withHeaders(
      {
        "tus-resumable": version,
        "upload-offset": offset("how many bytes have arrived"),
        "upload-length": length,
        "upload-metadata": Type.Optional(metadata),
        ...finished,
      },
      Type.Null(),
    ),
    400: Type.Null(),
    403: Type.Null(),
    404: Type.Null(),
    410: Type.Null(),
    412: Type.Null(),
  },
};
export const goingOn = {
  summary: "Continue a resumable upload; the response to its last part names the document",
  params,
  headers: Type.Object({
    "tus-resumable": version,
    "upload-offset": offset("where the part begins: the offset of the upload"),
  }),
  body: bytes,
  consumes: [partType],
  response: {
    204: withHeaders(
      {
        "tus-resumable": version,
        "upload-offset": offset("how many bytes have arrived"),
        "upload-expires": expires,
        ...finished,
      },
      Type.Null(),
    ),
    400: InvalidOrRefused,
    ...refusals,
    409: ErrorDetail,
    410: ErrorDetail,
    413: ErrorDetail,
    507: ErrorDetail,
  },
};
export const givingUp = {
  summary: "Cancel a resumable upload",
  params,
  headers: Type.Object({ "tus-resumable": version }),
  response: {
    204: withHeaders({ "tus-resumable": version }, Type.Null()),
    400: ValidationError,
    ...refusals,
    410: ErrorDetail,
  },
};
