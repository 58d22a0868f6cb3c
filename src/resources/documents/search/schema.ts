import { Type } from "typebox";

const text = (description: string) => Type.Optional(Type.String({ description }));

const Detail = Type.Object({ detail: Type.String() });
const Failure = Type.Object({ error: Type.String(), code: Type.String() });
const nullableUri = Type.Union([Type.String(), Type.Null()]);

export const searching = {
  summary: "Find documents by what they say and what they are",
  querystring: Type.Object({
    q: text("what to look for: see the documentation of the query language"),
    sort: text("score, created_at, page_count, title, source, id or data_<key>; - before it turns it round"),
    order: text("the same as sort"),
    hl: text("true: pieces of the pages that hold the words"),
    expand: text("user, organization, projects; several with commas"),
    explain: text("true: how the query was understood"),
    cursor: text("a place in what was found, from next"),
    per_page: text("results on a page: up to 25, signed in up to 1000; 25 if not given"),
    page: text("with version=1.0, the number of a page, from 1"),
    version: text("1.0: pages have numbers"),
    user: text("ids of owners; -user for those not wanted, and so for every field of the language"),
    organization: text("ids of organizations"),
    project: text("ids of projects"),
    access: text("public, organization or private"),
    status: text("success, readable, pending, error or nofile"),
    created_at: text("[<date> TO <date>]"),
    page_count: text("[<number> TO <number>]"),
    title: text("words of the title"),
    source: text("words of the source"),
    description: text("words of the description"),
  }),
  response: {
    200: Type.Object({
      count: Type.Integer({ description: "how many were found" }),
      next: nullableUri,
      previous: nullableUri,
      results: Type.Array(Type.Object({ id: Type.String() }, { additionalProperties: true })),
      escaped: Type.Boolean({ description: "whether some of the query could only be read as text" }),
      explain: Type.Optional(Type.String()),
      wildcards_ignored: Type.Optional(
        Type.Boolean({
          description: "with explain: whether *, ? or ~ were read as text, since nobody had signed in",
        }),
      ),
    }),
    400: Failure,
    404: Detail,
    503: Failure,
  },
};

export const searchingWithin = {
  summary: "Find the pages of a document that hold words",
  params: Type.Object({ id: Type.String({ description: "the document's id" }) }),
  querystring: Type.Object({ q: text("what to look for") }),
  response: {
    200: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: "pieces of text by page_no_<n>, pages counted from 1, with <em> around what was found",
    }),
    404: Detail,
    503: Failure,
  },
};
