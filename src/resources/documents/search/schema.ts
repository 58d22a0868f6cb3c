import { Type } from "../../../http/fields/json-schema.ts";
import {
  ErrorReason,
  booleanParameter,
  choiceParameter,
  choicesParameter,
  id,
  integerParameter,
  oneOf,
  textParameter,
} from "../../../http/fields/schema-shapes.ts";
import { Completions, Fragments, Hits, SearchResults } from "../../../contract/search.ts";

export const expansions = ["user", "organization", "projects"];

/** One id; or a text, as the query language writes several. */
const ids = (description: string) => Type.Optional(oneOf([id(), Type.String()], description));

export const searching = {
  summary: "Find documents by what they say and what they are",
  query: {
    q: textParameter("what to look for: see the documentation of the query language"),
    like: integerParameter("in place of q, the id of a document: those with its most telling words", {
      minimum: 1,
    }),
    like_text: textParameter("in place of q, a text: the documents with its most telling words"),
    sort: textParameter(
      "score, created_at, updated_at, page_count, title, source, id or data_<key>; - before it turns it round",
    ),
    order: textParameter("the same as sort"),
    hl: booleanParameter("true: pieces of the pages that hold the words"),
    expand: choicesParameter(expansions, "what is shown in place of its id"),
    suggest: booleanParameter("true: another spelling where nothing is found"),
    explain: booleanParameter("true: how the query was understood"),
    facets: textParameter(
      "what to count the results by, with commas between: access, status, user, organization, " +
        "project, language, original_extension, year, data_<key>, and data for the keys, mention_<kind>, and mention " +
        "for the kinds",
    ),
    cursor: textParameter("a position in the results, from next"),
    per_page: integerParameter("results on a page: at most 25, signed in at most 1000; 25 if not given"),
    page: integerParameter("with version=1.0, the number of a page, from 1", { minimum: 1 }),
    version: choiceParameter(["1.0", "2.0"], "1.0: pages have numbers"),
    user: ids("the id of the owner; -user for those not wanted, and so for every field of the language"),
    organization: ids("the id of an organization"),
    project: ids("the id of a project"),
    folder: textParameter("a folder, as in Leak/Mails: documents in it, at any depth"),
    container: ids("the id of a container, such as an archive: documents in it, at any depth"),
    access: choiceParameter(["public", "organization", "private"], "who sees it"),
    status: choiceParameter(["success", "readable", "pending", "error", "nofile"], "how far it is"),
    created_at: textParameter("[<date> TO <date>]"),
    page_count: textParameter("[<number> TO <number>]"),
    title: textParameter("words of the title"),
    source: textParameter("words of the source"),
    description: textParameter("words of the description"),
  },
  gives: SearchResults,
  also: { 400: ErrorReason, 503: ErrorReason },
};

export const suggesting = {
  summary: "Complete the last word of a query",
  query: { q: textParameter("what has been typed so far") },
  gives: Completions,
  also: { 503: ErrorReason },
};

export const searchingWithin = {
  summary: "Find the pages of a document that hold words",
  query: {
    q: textParameter("what to look for"),
    paged: booleanParameter("true: all pages that hold the words, a few at a time, with their number"),
    page: integerParameter("with paged, the number of a page of results, from 1", { minimum: 1 }),
    per_page: integerParameter("with paged, results on a page: at most 100; 25 if not given"),
  },
  gives: oneOf([Fragments, Hits]),
  also: { 503: ErrorReason },
};
