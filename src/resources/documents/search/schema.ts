import { Type } from "../../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ErrorReason,
  booleanParameter,
  choiceParameter,
  choicesParameter,
  dateTime,
  dictionary,
  enumeration,
  expandable,
  id,
  integerParameter,
  link,
  nullable,
  oneOf,
  pageNumber,
  textParameter,
} from "../../../http/fields/schema-shapes.ts";
import { Organization, User } from "../../../contract/person.ts";
import { maxFacetValues } from "./facets.ts";
import { maxCompletions } from "./suggestions.ts";
import { DocumentParameters, documentMembers } from "../record/schema.ts";

export const expansions = ["user", "organization", "projects"];

const Pieces = Type.Array(Type.String(), { description: "pieces of text, with <em> around what was found" });
const coordinate = nullable(Type.Number());
const FoundNote = Type.Object(
  {
    id: Type.String(),
    user: expandable(User),
    organization: oneOf([id(), Organization, Type.Null()]),
    page_number: pageNumber(),
    access: enumeration(["public", "organization", "private"]),
    title: Type.String(),
    content: Type.String(),
    content_html: Type.String(),
    x1: coordinate,
    x2: coordinate,
    y1: coordinate,
    y2: coordinate,
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { $id: "FoundNote" },
);
const FoundDocument = Type.Object(
  {
    id: Type.String({ description: "the id, as text" }),
    ...documentMembers,
    notes: Type.Array(FoundNote),
    highlights: {
      anyOf: [dictionary(Pieces), { type: "null" }],
      description: "by page_no_<n>, pages counted from 1; null where hl is not true",
    },
    note_highlights: Type.Optional(
      dictionary(Type.Object({ title: Pieces, description: Pieces }), { description: "by the notes' ids" }),
    ),
  },
  { $id: "FoundDocument" },
);
const Facet = Type.Object(
  {
    values: Type.Array(
      Type.Object({
        value: oneOf([id(), Type.String()], "the id of a user, organization or project, or a text"),
        label: Type.Optional(Type.String({ description: "the name of a user, organization or project" })),
        count: Type.Integer({ minimum: 1, description: "how many of the found documents have it" }),
      }),
      { maxItems: maxFacetValues, description: "the most frequent first" },
    ),
    more: Type.Boolean({ description: "whether there are more values" }),
  },
  { $id: "Facet" },
);
const SearchResults = Type.Object(
  {
    count: Type.Integer({ description: "how many were found" }),
    next: link,
    previous: link,
    results: Type.Array(FoundDocument),
    escaped: Type.Boolean({ description: "whether some of the query could only be read as text" }),
    facets: Type.Optional(dictionary(Facet, { description: "by name, where the request asks for any" })),
    suggestion: Type.Optional(
      Type.String({ description: "with suggest, where nothing was found: the query in another spelling" }),
    ),
    explain: Type.Optional(Type.String()),
    wildcards_ignored: Type.Optional(
      Type.Boolean({
        description: "with explain: whether *, ? or ~ were read as text, since nobody had signed in",
      }),
    ),
  },
  { $id: "SearchResults" },
);
/** One id; or a text, as the query language writes several. */
const ids = (description: string) => Type.Optional(oneOf([id(), Type.String()], description));

export const searching = {
  summary: "Find documents by what they say and what they are",
  querystring: Type.Object({
    q: textParameter("what to look for: see the documentation of the query language"),
    sort: textParameter(
      "score, created_at, updated_at, page_count, title, source, id or data_<key>; - before it turns it round",
    ),
    order: textParameter("the same as sort"),
    hl: booleanParameter("true: pieces of the pages that hold the words"),
    expand: choicesParameter(expansions, "what is shown in place of its id"),
    suggest: booleanParameter("true: another spelling where nothing is found"),
    explain: booleanParameter("true: how the query was understood"),
    facets: textParameter(
      "what to count the results by, with commas between: access, status, user, organization, project, language, original_extension, year, data_<key>, and data for the keys",
    ),
    cursor: textParameter("a position in the results, from next"),
    per_page: integerParameter("results on a page: at most 25, signed in at most 1000; 25 if not given"),
    page: integerParameter("with version=1.0, the number of a page, from 1", { minimum: 1 }),
    version: choiceParameter(["1.0", "2.0"], "1.0: pages have numbers"),
    user: ids("the id of the owner; -user for those not wanted, and so for every field of the language"),
    organization: ids("the id of an organization"),
    project: ids("the id of a project"),
    access: choiceParameter(["public", "organization", "private"], "who sees it"),
    status: choiceParameter(["success", "readable", "pending", "error", "nofile"], "how far it is"),
    created_at: textParameter("[<date> TO <date>]"),
    page_count: textParameter("[<number> TO <number>]"),
    title: textParameter("words of the title"),
    source: textParameter("words of the source"),
    description: textParameter("words of the description"),
  }),
  response: { 200: SearchResults, 400: ErrorReason, 404: ErrorDetail, 503: ErrorReason },
};

const Completions = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        text: Type.String({ description: "the query with its last word completed" }),
        word: Type.String({ description: "that word, without accents and capitals" }),
      }),
      { maxItems: maxCompletions, description: "words of most documents first" },
    ),
  },
  { $id: "Completions" },
);

export const suggesting = {
  summary: "Complete the last word of a query",
  querystring: Type.Object({ q: textParameter("what has been typed so far") }),
  response: { 200: Completions, 503: ErrorReason },
};

const Hits = Type.Object(
  {
    count: Type.Integer({ description: "how many pages hold the words" }),
    next: link,
    previous: link,
    results: Type.Array(Type.Object({ page_number: pageNumber(), fragments: Pieces })),
  },
  { $id: "Hits", description: "with paged=true: pages in ascending order" },
);

export const searchingWithin = {
  summary: "Find the pages of a document that hold words",
  params: DocumentParameters,
  querystring: Type.Object({
    q: textParameter("what to look for"),
    paged: booleanParameter("true: all pages that hold the words, a few at a time, with their number"),
    page: integerParameter("with paged, the number of a page of results, from 1", { minimum: 1 }),
    per_page: integerParameter("with paged, results on a page: at most 100; 25 if not given"),
  }),
  response: {
    200: oneOf([
      dictionary(Type.Array(Type.String()), {
        description: "pieces of text by page_no_<n>, pages counted from 1, with <em> around what was found",
      }),
      Hits,
    ]),
    404: ErrorDetail,
    503: ErrorReason,
  },
};
