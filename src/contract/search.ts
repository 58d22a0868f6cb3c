import type { PatternKind } from "./work.ts";
import { documentMembers } from "./document.ts";
import { searchLimits } from "./limits.ts";
import { noteAccess } from "./note.ts";
import { Organization, User } from "./person.ts";
import {
  type Static,
  Type,
  dateTime,
  dictionary,
  enumeration,
  expandable,
  id,
  link,
  nullable,
  oneOf,
  pageNumber,
  uuid,
} from "./shape.ts";

const Pieces = Type.Array(Type.String(), { description: "pieces of text, with <em> around what was found" });
const coordinate = nullable(Type.Number());

export const FoundNote = Type.Object(
  {
    id: Type.String(),
    user: expandable(User),
    organization: oneOf([id(), Organization, Type.Null()]),
    page_number: pageNumber(),
    access: enumeration(noteAccess),
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
export type FoundNote = Static<typeof FoundNote>;

/** A document as a search shows it. */
export const FoundDocument = Type.Object(
  {
    id: Type.String({ description: "the id, as text" }),
    ...documentMembers,
    notes: Type.Array(FoundNote),
    highlights: Type.Union([dictionary(Pieces), Type.Null()], {
      description: "by page_no_<n>, pages counted from 1; null where hl is not true",
    }),
    nearest_passage: Type.Optional(
      Type.Object(
        { page_number: pageNumber(), text: Type.String() },
        { description: "where results are sorted by a model: the passage that is nearest to the query" },
      ),
    ),
    note_highlights: Type.Optional(
      dictionary(Type.Object({ title: Pieces, description: Pieces }), { description: "by the notes' ids" }),
    ),
  },
  { $id: "FoundDocument" },
);
export type FoundDocument = Static<typeof FoundDocument>;

export const Facet = Type.Object(
  {
    values: Type.Array(
      Type.Object({
        value: oneOf([id(), Type.String()], "the id of a user, organization or project, or a text"),
        label: Type.Optional(Type.String({ description: "the name of a user, organization or project" })),
        count: Type.Integer({ minimum: 1, description: "how many of the found documents have it" }),
      }),
      { maxItems: searchLimits.facetValues, description: "the most frequent first" },
    ),
    more: Type.Boolean({ description: "whether there are more values" }),
    counted: Type.Optional(
      Type.Integer({
        description: "how many of the found documents were counted, the newest, where not all were",
      }),
    ),
  },
  { $id: "Facet" },
);
export type Facet = Static<typeof Facet>;
export type FacetValue = Facet["values"][number];

export const SearchResults = Type.Object(
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
    q: Type.Optional(Type.String({ description: "with like or like_text: the query that they became" })),
    left_out: Type.Optional(
      Type.Array(Type.String(), {
        description: "words of a long question that were not searched for, in the query language",
      }),
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
export type SearchResults = Static<typeof SearchResults>;

export const Completions = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        text: Type.String({ description: "the query with its last word completed" }),
        word: Type.String({ description: "that word, without accents and capitals" }),
      }),
      { maxItems: searchLimits.completions, description: "words of most documents first" },
    ),
  },
  { $id: "Completions" },
);

/** The pages of one document that match, a page of results at a time. */
export const Hits = Type.Object(
  {
    count: Type.Integer({ description: "how many pages hold the words" }),
    next: link,
    previous: link,
    results: Type.Array(Type.Object({ page_number: pageNumber(), fragments: Pieces })),
  },
  { $id: "Hits", description: "with paged=true: pages in ascending order" },
);
export type Hits = Static<typeof Hits>;

/** The pages of one document that match, without `paged`. */
export const Fragments = dictionary(Type.Array(Type.String()), {
  description: "pieces of text by page_no_<n>, pages counted from 1, with <em> around what was found",
});

/** When its owner is told of what a saved search newly finds; `page` is on pages and in the feed of events alone. */
export const alertKinds = ["off", "page", "at_once", "daily", "weekly"] as const;
export type AlertKind = (typeof alertKinds)[number];

export const SavedSearch = Type.Object(
  {
    uuid: uuid(),
    name: Type.String(),
    query: Type.String(),
    alert: enumeration(alertKinds, "when you are told of documents that it newly finds"),
    new: nullable(
      Type.Integer({ minimum: 0, description: "finds that you have not seen; null without an alert" }),
    ),
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { $id: "SavedSearch" },
);
export type SavedSearch = Static<typeof SavedSearch>;

/** Dates are recognised as well, but hardly anybody redacts all of them. */
export type RecognisedKind = PatternKind | "date";

/** The kinds of which the index has the values that stand in documents. */
export const mentionKinds = [
  "email",
  "phone",
  "iban",
  "card",
  "social_security",
  "tax",
  "money",
  "birth_date",
  "date",
] as const satisfies readonly RecognisedKind[];
export type MentionKind = (typeof mentionKinds)[number];

/** What a timeline has: the days that texts mention, or the moments at which documents were added. */
export const timelineDates = ["mentions", "created_at"] as const;
export type TimelineDates = (typeof timelineDates)[number];
export const timelineUnits = ["year", "month", "day"] as const;
export type TimelineUnit = (typeof timelineUnits)[number];

/** The dates of the documents that a search finds. */
export const Timeline = Type.Object(
  {
    of: enumeration(timelineDates),
    by: enumeration(timelineUnits),
    count: Type.Integer({ description: "how many dates there are" }),
    documents: Type.Integer({ description: "how many of the documents have any of them" }),
    unread: Type.Integer({ description: "how many of the documents are still to be read for mentions" }),
    next: link,
    previous: nullable(Type.String({ description: "always null" })),
    results: Type.Array(
      Type.Object({
        date: Type.String({ description: "a year, a month or a day, as 2024, 2024-03 or 2024-03-09" }),
        documents: Type.Integer({ description: "how many of the documents have it" }),
      }),
      { description: "in ascending order; dates without documents are left out" },
    ),
  },
  { $id: "Timeline" },
);
export type Timeline = Static<typeof Timeline>;

/** Where a value stands in a document. */
export const MentionedValue = Type.Object(
  {
    kind: enumeration(mentionKinds),
    value: Type.String({ description: "the same for all ways to write it" }),
    recognised: nullable(
      Type.String({ description: "the value of the recognisers, where somebody has corrected it" }),
    ),
    text: Type.String({ description: "as the page has it" }),
    page_number: pageNumber(),
    offset: Type.Integer({ minimum: 0, description: "in characters, from the beginning of the page's text" }),
  },
  { $id: "MentionedValue" },
);
export type MentionedValue = Static<typeof MentionedValue>;

/** What somebody has said of a value by hand. */
export const MentionCorrection = Type.Object(
  {
    kind: enumeration(mentionKinds),
    value: Type.String({ description: "the value of the recognisers" }),
    becomes: nullable(Type.String({ description: "the value that it is; null if it is no mention" })),
  },
  { $id: "MentionCorrection" },
);
export type MentionCorrection = Static<typeof MentionCorrection>;

/** In how many documents a value was corrected. */
export const CorrectedMentions = Type.Object(
  {
    documents: Type.Integer({ minimum: 0, description: "in how many documents it was corrected" }),
    more: Type.Boolean({ description: "whether the same request would correct it in others" }),
  },
  { $id: "CorrectedMentions" },
);
export type CorrectedMentions = Static<typeof CorrectedMentions>;

/** The values of a kind in the documents that a search finds. */
export const MentionedValues = Type.Object(
  {
    count: Type.Integer({ description: "how many values there are" }),
    unread: Type.Integer({ description: "how many of the documents are still to be read for this" }),
    next: link,
    previous: nullable(Type.String({ description: "always null" })),
    results: Type.Array(
      Type.Object({
        kind: enumeration(mentionKinds),
        value: Type.String(),
        documents: Type.Integer({ description: "how many of the documents mention it" }),
      }),
    ),
  },
  { $id: "MentionedValues" },
);
export type MentionedValues = Static<typeof MentionedValues>;
