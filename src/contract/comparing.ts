import { type Static, Type, id, uri } from "./shape.ts";

/** A document whose text is nearly that of another one. */
export const SimilarDocument = Type.Object(
  {
    id: id(),
    title: Type.String(),
    canonical_url: uri("its page for people"),
    page_count: Type.Integer({ minimum: 0 }),
    similarity: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "the estimated share of four-word sequences that both texts have; 1 if they seem equal",
    }),
  },
  { $id: "SimilarDocument" },
);
export type SimilarDocument = Static<typeof SimilarDocument>;

export const SimilarDocuments = Type.Object(
  { results: Type.Array(SimilarDocument, { description: "the most similar first; at most 100" }) },
  { $id: "SimilarDocuments" },
);

/** A part of a line, in words that both texts have, or that only one has. */
export const ComparedPart = Type.Object(
  { text: Type.String(), differs: Type.Boolean() },
  { $id: "ComparedPart" },
);
export type ComparedPart = Static<typeof ComparedPart>;

/** What stands beside each other in two texts. */
export const ComparedLine = Type.Object(
  { left: Type.Array(ComparedPart), right: Type.Array(ComparedPart) },
  { $id: "ComparedLine" },
);
export type ComparedLine = Static<typeof ComparedLine>;

export const Comparison = Type.Object(
  {
    lines: Type.Array(ComparedLine, { description: "both texts from their beginnings, line by line" }),
    is_whole: Type.Boolean({ description: "false if a text is longer than what is compared" }),
  },
  { $id: "Comparison" },
);
export type Comparison = Static<typeof Comparison>;
