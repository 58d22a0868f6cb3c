import { Type } from "typebox";

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
