import { type JsonSchema, Type } from "../../http/fields/json-schema.ts";
import { id, inTypes } from "../../http/fields/schema-shapes.ts";
import type { SearchVersion } from "./content-search.ts";

/** The profile, which the header names too, says which of IIIF's standards it is. */
const linkedData = (schema: JsonSchema) => inTypes(["application/ld+json"], schema);

export const parameters = {
  id: id("the document's id"),
  page: Type.Integer({ minimum: 1, description: "the first page is 1" }),
  size: Type.String({
    examples: ["max"],
    description: "max, or a width and a height from info.json: 700,906",
  }),
};

/** A canvas or an annotation. IIIF defines its further members. */
const Member = Type.Object({ id: Type.String(), type: Type.String() }, { additionalProperties: true });

const AnyObject = Type.Object({}, { additionalProperties: true });

export const manifest = {
  summary: "A document as a IIIF Presentation 3 manifest",
  gives: linkedData(
    Type.Object(
      { id: Type.String(), type: Type.Literal("Manifest"), items: Type.Array(Member) },
      { $id: "IiifManifest", additionalProperties: true },
    ),
  ),
};

export const imageInfo = {
  summary: "The image of a page as a IIIF Image API 3 service",
  gives: linkedData(
    Type.Object(
      {
        id: Type.String(),
        type: Type.Literal("ImageService3"),
        width: Type.Integer(),
        height: Type.Integer(),
        sizes: Type.Array(Type.Object({ width: Type.Integer(), height: Type.Integer() })),
      },
      { $id: "IiifImage", additionalProperties: true },
    ),
  ),
};

export const image = {
  summary: "The image of a page, by the IIIF Image API",
  gives: { description: "To the page image", type: "null" },
  status: 302,
};

export const contentSearch = (version: SearchVersion) => ({
  summary: `A search within a document as IIIF Content Search ${version}`,
  query: {
    q: Type.Optional(Type.String({ description: "in the language of the search" })),
    page: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  gives: linkedData(
    Type.Object(
      version === 1
        ? { "@id": Type.String(), resources: Type.Array(AnyObject), hits: Type.Array(AnyObject) }
        : { id: Type.String(), type: Type.Literal("AnnotationPage"), items: Type.Array(Member) },
      { $id: `IiifMatches${version}`, additionalProperties: true },
    ),
  ),
});

const annotations = linkedData(
  Type.Object(
    { id: Type.String(), type: Type.Literal("AnnotationPage"), items: Type.Array(Member) },
    { $id: "IiifAnnotationPage", additionalProperties: true },
  ),
);

export const pageText = {
  summary: "The text of a page as IIIF annotations, a line each",
  gives: annotations,
};
export const pageNotes = { summary: "The notes on a page as IIIF annotations", gives: annotations };
