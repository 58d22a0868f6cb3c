import {
  type JsonSchema,
  type Properties,
  Type,
  dictionary,
  enumeration,
  uuid,
} from "../../contract/shape.ts";

export {
  dateTime,
  dictionary,
  enumeration,
  expandable,
  id,
  link,
  listOf,
  nullable,
  oneOf,
  pageNumber,
  uri,
  uriOrEmpty,
  uuid,
} from "../../contract/shape.ts";

/*
 * The vocabulary of the published schema: that of shapes, and besides errors and parameters.
 */

export const ErrorDetail = Type.Object(
  {
    detail: Type.String({ description: "why the request was refused" }),
    code: Type.Optional(Type.String({ description: "a short name of the reason, where there is one" })),
    messages: Type.Optional(
      Type.Array(dictionary(Type.String()), { description: "of an access token: what is wrong with it" }),
    ),
  },
  { $id: "ErrorDetail" },
);

const text = { type: "string" };
const nested = { type: "object", additionalProperties: true };

/**
 * Errors are nested as the value is nested. The schema describes two levels, because openapi-typescript cannot write a
 * union that contains itself.
 */
const ErrorMessages = {
  $id: "ErrorMessages",
  description:
    "messages about a value: a list of texts; or for nested values, messages by position or by member",
  anyOf: [text, { type: "array", items: { anyOf: [text, nested, { type: "array", items: text }] } }, nested],
};

export const FieldErrors = dictionary(ErrorMessages, {
  $id: "FieldErrors",
  description: "messages by field; non_field_errors are about the body as a whole",
});

export const ValidationError = {
  $id: "ValidationError",
  description:
    "messages by field; of a list of items, a list in its order, with messages by field or plain " +
    "ones; or plain messages",
  anyOf: [
    FieldErrors,
    { type: "array", items: { anyOf: [FieldErrors, text, { type: "array", items: text }] } },
  ],
};

/** A refused action, or a search that cannot be answered. */
export const ErrorReason = Type.Object(
  { error: Type.String(), code: Type.Optional(Type.String()) },
  { $id: "ErrorReason" },
);

/** The errors of a body that is read, or the reason why the action cannot be done. */
export const InvalidOrRefused = { anyOf: [ValidationError, ErrorReason] };

/** The body of any refusal for which a route declares no more specific schema. */
export const AnyError = {
  $id: "AnyError",
  description: "the reason, or messages by field",
  anyOf: [ErrorDetail, ErrorReason, ValidationError],
};

/*
 * Parameters. All of them are optional.
 */

export const textParameter = (description: string) => Type.Optional(Type.String({ description }));
export const integerParameter = (description: string, range: { minimum?: number; maximum?: number } = {}) =>
  Type.Optional(Type.Integer({ ...range, description }));
export const booleanParameter = (description: string) => Type.Optional(Type.Boolean({ description }));
export const choiceParameter = (values: readonly string[], description: string) =>
  Type.Optional(enumeration(values, description));
export const momentParameter = (description: string) =>
  Type.Optional(Type.String({ format: "date-time", description: `${description}; a date alone also works` }));
export const uuidParameter = (description: string) => Type.Optional(uuid(description));
/** A parameter for several ids, which may be repeated. Ids separated by commas in one parameter mean the same. */
export const idsParameter = (description: string) =>
  Type.Optional(Type.Array(Type.Integer({ format: "int64" }), { description }));
export const textsParameter = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { description }));
export const choicesParameter = (values: readonly string[], description: string) =>
  Type.Optional(Type.Array(enumeration(values), { description }));

/** The position in a list and the length of a page. */
export const paging = {
  cursor: textParameter("a position in the list, from next or previous"),
  per_page: integerParameter("records on a page, at most 1000; 25 if not given, or not a number"),
};

/** The members of a record to show. */
export const selecting = {
  fields: textsParameter("only these members, without others that the schema requires"),
  omit: textsParameter("without these members, even if the schema requires them"),
};

export const ifMatch = Type.Object({
  "if-match": textParameter("an ETag: 412 unless the record still has it"),
});

/*
 * Responses that are not JSON.
 */

/** A response of these content types. */
export function inTypes(mediaTypes: readonly string[], schema: JsonSchema): JsonSchema {
  return { ...schema, mediaTypes };
}

/** A response of one of these content types, each with its own shape. */
export function inEither(contents: Properties): JsonSchema {
  return { contents };
}

/** Bytes or text of these content types. */
export function bytes(mediaTypes: readonly string[], description: string): JsonSchema {
  return inTypes(mediaTypes, Type.String({ format: "binary", description }));
}

/** A response with headers that belong to its contract. */
export function withHeaders(headers: Properties, schema: JsonSchema): JsonSchema {
  return { ...schema, headers: Type.Object(headers) };
}
