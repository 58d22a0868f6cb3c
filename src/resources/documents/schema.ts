import { type TSchema, Type } from "typebox";

const nullableUri = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** A document as the list and the record show it: exactly these members, in this order. */
export const DocumentRecord = Type.Object(
  {
    id: Type.Integer(),
    access: Type.String({ description: "public, organization, private or invisible" }),
    admin_noindex: Type.Boolean(),
    asset_url: Type.String({ description: "where the document's files are; ends in a slash" }),
    canonical_url: Type.String({ description: "the document's page for people" }),
    created_at: Type.String({ description: "UTC, ISO 8601 with microseconds and a trailing Z" }),
    data: Type.Record(Type.String(), Type.Array(Type.String())),
    description: Type.String(),
    edit_access: Type.Boolean({ description: "whether whoever asks may change the document" }),
    file_hash: Type.String({ description: "SHA-1 of the file, 40 hexadecimal digits, or empty" }),
    noindex: Type.Boolean(),
    language: Type.String({ description: "three-letter code" }),
    organization: Type.Integer(),
    original_extension: Type.String(),
    page_count: Type.Integer(),
    page_spec: Type.String({ description: "page sizes in points: <width>x<height>:<pages>;…" }),
    projects: Type.Array(Type.Integer()),
    publish_at: Type.Union([Type.String(), Type.Null()]),
    published_url: Type.String(),
    related_article: Type.String(),
    revision_control: Type.Boolean(),
    slug: Type.String(),
    source: Type.String(),
    status: Type.String({ description: "success, readable, pending, error or nofile" }),
    title: Type.String(),
    updated_at: Type.String(),
    user: Type.Integer(),
  },
  { additionalProperties: false },
);

export const DocumentList = Type.Object(
  {
    next: nullableUri("the page after this one; null at the end"),
    previous: nullableUri("the page before this one; null at the start"),
    results: Type.Array(DocumentRecord),
  },
  { additionalProperties: false },
);

const text = (description: string) => Type.Optional(Type.String({ description }));

/** Parameters are read from the raw query (names repeat, commas separate); this documents them. */
export const DocumentListQuery = Type.Object({
  cursor: text("a place in the list, from next or previous"),
  per_page: text("records on a page, 1 to 1000; 25 if not given"),
  page: text("carried along in the links, without effect"),
  format: text("json, or api for the browsable page"),
  ordering: text(
    "id, created_at, updated_at, page_count, title, source or data_<key>; - before it for descending",
  ),
  user: text("ids of owners"),
  organization: text("ids of organizations"),
  project: text("ids of projects"),
  access: text("access levels"),
  status: text("statuses"),
  id__in: text("ids of documents"),
  created_at__lt: text("made before this moment"),
  created_at__gt: text("made after this moment"),
  page_count: text("with this number of pages"),
  page_count__lt: text("with fewer pages"),
  page_count__gt: text("with more pages"),
});

export const DocumentParameters = Type.Object({ id: Type.String({ description: "the document's id" }) });

export const Detail = Type.Object({ detail: Type.String() });
export const FieldFaults = Type.Record(Type.String(), Type.Array(Type.String()));
const Faults = Type.Unknown({ description: "messages by field; for a list, as a list in its order" });
const Records = Type.Array(DocumentRecord);

const IfMatch = Type.Object({
  "if-match": Type.Optional(Type.String({ description: "an ETag: 412 unless the document still has it" })),
});
const refusals = { 403: Detail, 404: Detail, 412: Detail };

export const listing = {
  summary: "The documents that you may see, a page at a time",
  querystring: DocumentListQuery,
  response: { 200: DocumentList, 400: FieldFaults, 404: Detail, 406: Detail },
};
export const creating = {
  summary: "Make a document, or up to 25 as a list",
  response: { 201: Type.Union([DocumentRecord, Records]), 400: Faults, 403: Detail },
};
export const replacingSeveral = {
  summary: "Replace up to 25 documents, each named by its id, all or none",
  response: { 200: Records, 400: Faults, 403: Detail },
};
export const changingSeveral = {
  summary: "Change up to 25 documents, each named by its id, all or none",
  response: { 200: Records, 400: Faults, 403: Detail },
};
export const deletingSeveral = {
  summary: "Delete up to 25 documents, all or none",
  querystring: Type.Object({ id__in: Type.String({ description: "ids, with commas" }) }),
  response: { 204: Type.Null(), 400: Type.Array(Type.String()), 403: Detail },
};
export const reading = {
  summary: "One document",
  params: DocumentParameters,
  response: { 200: DocumentRecord, 404: Detail },
};
const changes = { params: DocumentParameters, headers: IfMatch };
export const replacing = {
  summary: "Replace a document",
  ...changes,
  response: { 200: DocumentRecord, 400: Faults, ...refusals },
};
export const changing = { ...replacing, summary: "Change a document" };
export const deleting = {
  summary: "Delete a document, with its files",
  ...changes,
  response: { 204: Type.Null(), ...refusals },
};

const Data = Type.Record(Type.String(), Type.Array(Type.String()));
const KeyParameters = Type.Object({
  id: Type.String({ description: "the document's id" }),
  key: Type.String({ description: "letters, digits, - and _, at most 50" }),
});
export const readingData = {
  summary: "The data of a document",
  params: DocumentParameters,
  response: { 200: Data, 404: Detail },
};
export const readingKey = {
  summary: "The values of one key; none where there is no such key",
  params: KeyParameters,
  response: { 200: Type.Array(Type.String()), 404: Detail },
};
export const changingKey = {
  summary: "Change the values of one key; the answer is the document's whole data",
  params: KeyParameters,
  response: { 200: Data, 400: Faults, 403: Detail, 404: Detail },
};
export const deletingKey = {
  summary: "Remove a key",
  params: KeyParameters,
  response: { 204: Type.Null(), 403: Detail, 404: Detail },
};

const HistoryEntry = Type.Object({
  id: Type.Integer(),
  at: Type.String({ description: "UTC, ISO 8601 with microseconds" }),
  user: Type.Union([Type.Integer(), Type.Null()], { description: "null: Quire itself" }),
  action: Type.String({
    description: "created, changed, published, shared, unshared, redacted, modified or deleted",
  }),
  changes: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })),
});
export const readingHistory = {
  summary: "Who changed what of a document, and when; the newest first",
  params: DocumentParameters,
  querystring: Type.Object({
    cursor: text("a place, from next or previous"),
    per_page: text("entries on a page"),
  }),
  response: {
    200: Type.Object({
      next: nullableUri("the page after this one"),
      previous: nullableUri("the page before this one"),
      results: Type.Array(HistoryEntry),
    }),
    403: Detail,
    404: Detail,
  },
};

const Error = Type.Object({ error: Type.String() });
const Done = Type.String({ description: "OK" });
export const processing = {
  summary: "Have a document's file read",
  params: DocumentParameters,
  response: { 200: Done, 400: Error, 403: Detail, 404: Detail },
};
export const cancelling = {
  summary: "Stop the processing of a document",
  params: DocumentParameters,
  response: { 200: Done, 400: Error, 403: Detail, 404: Detail },
};
export const processingSeveral = {
  summary: "Have the files of up to 25 documents read, all or none",
  response: { 200: Done, 400: Faults, 403: Detail },
};

const pageOf = (item: TSchema) =>
  Type.Object({
    next: nullableUri("the page after this one"),
    previous: nullableUri("the page before this one"),
    results: Type.Array(item),
  });
const paging = Type.Object({
  cursor: text("a place, from next or previous"),
  per_page: text("items on a page"),
});
export const readingProgress = {
  summary: "How far the processing of a document has come",
  params: DocumentParameters,
  response: {
    200: Type.Object({
      status: Type.String(),
      step: Type.Union([Type.String(), Type.Null()], { description: "what is being done" }),
      pages_done: Type.Union([Type.Integer(), Type.Null()]),
      pages: Type.Union([Type.Integer(), Type.Null()]),
      at: Type.Union([Type.String(), Type.Null()], { description: "when that was so" }),
    }),
    404: Detail,
  },
};
export const listingErrors = {
  summary: "What went wrong when a document was processed",
  params: DocumentParameters,
  querystring: paging,
  response: {
    200: pageOf(Type.Object({ id: Type.Integer(), created_at: Type.String(), message: Type.String() })),
    404: Detail,
  },
};
export const listingReceipts = {
  summary: "What happened to a document's file, step by step",
  params: DocumentParameters,
  querystring: paging,
  response: {
    200: pageOf(
      Type.Object({
        id: Type.Integer(),
        at: Type.String({ description: "UTC, ISO 8601 with microseconds" }),
        step: Type.String({ description: "received, read or cancelled" }),
        outcome: Type.String({ description: "done or failed" }),
        milliseconds: Type.Integer(),
      }),
    ),
    403: Detail,
    404: Detail,
  },
};

const left = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });
const Pending = Type.Object({
  doc_id: Type.Integer(),
  images: left("pages whose image may not be there yet; null: not known yet"),
  texts: left("pages that are still to be read; null: not known yet"),
  text_positions: left("pages whose words are still to be found; null: not known yet"),
  pages: left("all pages; null: not known yet"),
});
export const listingPending = {
  summary: "Your documents that are being processed",
  response: { 200: Type.Array(Pending) },
};
export const readingPending = {
  summary: "What is left to do for a document of yours; nothing where it is not being processed",
  params: DocumentParameters,
  response: { 200: Type.Union([Pending, Type.Object({})]), 404: Detail },
};
