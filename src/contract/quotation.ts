import { type Static, Type, dateTime, enumeration, id, nullable, pageNumber, uri } from "./shape.ts";

/** Why a quotation is not confirmed. */
export const quotationReasons = ["not_found", "redacted", "no_text"] as const;

const QuotationBox = Type.Object(
  { x1: Type.Number(), x2: Type.Number(), y1: Type.Number(), y2: Type.Number() },
  { $id: "QuotationBox", description: "fractions of the page's width and height, from the top left" },
);

/** A page on which the words stand. */
export const QuotationMatch = Type.Object(
  {
    page_number: pageNumber(),
    text: Type.String({ description: "the words as the page has them" }),
    boxes: Type.Array(QuotationBox, {
      description: "where they stand, one box a line; empty if their position is unknown",
    }),
    canonical_url: uri("where the page for people shows them"),
  },
  { $id: "QuotationMatch" },
);
export type QuotationMatch = Static<typeof QuotationMatch>;

/** A document in which the words were looked for. */
export const QuotedDocument = Type.Object(
  {
    id: id(),
    title: Type.String(),
    canonical_url: uri("its page for people"),
    file_hash: Type.String({ description: "SHA-1 of the file that was checked; may be empty" }),
    revision: Type.Integer({ format: "int64", description: "another number after any change of the record" }),
    redacted_at: nullable(dateTime("when the pages that were checked were last redacted")),
    matches: Type.Array(QuotationMatch, { description: "in the order of the pages; at most 100" }),
  },
  { $id: "QuotedDocument" },
);
export type QuotedDocument = Static<typeof QuotedDocument>;

export const Quotation = Type.Object(
  {
    verified: Type.Boolean({ description: "whether these words stand there, as the viewer may see it now" }),
    reason: Type.Union([enumeration(quotationReasons), Type.Null()], {
      description: "why not; null if they do",
    }),
    documents: Type.Array(QuotedDocument, {
      description: "the document that was named, or those that have the words; at most 25",
    }),
  },
  { $id: "Quotation" },
);
export type Quotation = Static<typeof Quotation>;
