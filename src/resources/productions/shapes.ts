import { type Static, Type, dateTime, enumeration, id, link, nullable } from "../../contract/shape.ts";

export const productionImages = ["tiff", "color", "pdf", "none"] as const;
export type ProductionImages = (typeof productionImages)[number];

export const productionStates = [
  "making",
  "done",
  "failed",
  "cancelled",
  "deleted",
  "expired",
  "withdrawn",
] as const;
export type ProductionState = (typeof productionStates)[number];

export const producedStates = ["waiting", "made", "slip", "withheld"] as const;
export type ProducedState = (typeof producedStates)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Documents with a number for each page, made for another party. */
export const Production = Type.Object(
  {
    id: id(),
    name: Type.String(),
    user: id("who made it"),
    prefix: Type.String(),
    digits: Type.Integer(),
    begin: Type.String({ description: "the first number" }),
    end: Type.String({ description: "the last number" }),
    volume: Type.String(),
    endorsement: Type.String({ description: "what each page says besides its number" }),
    images: enumeration(productionImages, "what pages become; color: TIFF, and JPEG for pages in colour"),
    texts: Type.Boolean(),
    natives: Type.Boolean(),
    bom: Type.Boolean({ description: "whether the load files begin with a byte order mark" }),
    state: enumeration(
      productionStates,
      "withdrawn: a document has another file since, is deleted, or is hidden from its maker",
    ),
    reason: nullable(Type.String({ description: "why it has failed" })),
    created_at: dateTime(),
    ended_at: nullable(dateTime()),
    expires_at: nullable(dateTime("when its files are removed; null if it has no files")),
    documents: count("all documents of it: those in the four next counts together"),
    waiting: count("documents that are still to be made"),
    made: count("documents with their pages"),
    slip_sheets: count("documents for whose pages there is a sheet with the reason"),
    withheld: count("documents that were changed, hidden or deleted before their turn came: a sheet says so"),
    left_out: count("documents that were found but that you may not edit: they have no numbers"),
    pages: count("numbers that were given"),
    zip_url: nullable(Type.String({ format: "uri", description: "null unless it is done" })),
  },
  { $id: "Production" },
);
export type Production = Static<typeof Production>;

/** A document of a production, with its numbers. */
export const ProducedDocument = Type.Object(
  {
    id: id(),
    document: id("the document, which may have been deleted since"),
    title: nullable(Type.String({ description: "null if you may not see the document any more" })),
    canonical_url: link,
    begin: Type.String({ description: "the number of its first page" }),
    end: Type.String({ description: "the number of its last page" }),
    pages: count("how many numbers it has"),
    state: enumeration(producedStates),
    reason: nullable(Type.String({ description: "what a sheet says, or what is missing" })),
  },
  { $id: "ProducedDocument" },
);
export type ProducedDocument = Static<typeof ProducedDocument>;

/** The numbers of a document in a production. */
export const BatesRange = Type.Object(
  {
    id: id(),
    production: id(),
    begin: Type.String({ description: "the number of its first page" }),
    end: Type.String({ description: "the number of its last page" }),
    pages: count("how many numbers it has"),
    produced_at: dateTime("when the numbers were given"),
  },
  { $id: "BatesRange" },
);
export type BatesRange = Static<typeof BatesRange>;
