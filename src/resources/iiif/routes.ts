import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { Type } from "../../http/fields/json-schema.ts";
import { ErrorDetail } from "../../http/fields/schema-shapes.ts";
import { listStart } from "../../http/request/cursor.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { sendLongText, sendText } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { pageSizeAt, parsePageSpec } from "../../processing/page-spec.ts";
import type { PageWord } from "../../processing/pdfium/page-words.ts";
import { mayEdit } from "../documents/access.ts";
import { findDerivedAsset } from "../documents/files/derived-assets.ts";
import type { PdfReadingQueue } from "../documents/files/pdf-reading-queue.ts";
import { plainText } from "../documents/record/plain-text.ts";
import { type DocumentRow, accessFacts, findDocument } from "../documents/store.ts";
import { findNotesOf, listNotes } from "../notes/store.ts";
import { findOrganizationNames } from "../organizations/store.ts";
import { findSectionsOf } from "../sections/store.ts";
import { askerOf } from "../users/credentials/throttle-key.ts";
import { type AnnotatedPage, linesOf, noteAnnotations, textAnnotations } from "./annotations.ts";
import { type ManifestParts, canvasSize, manifestType, writeManifest } from "./manifest.ts";

const maxNotes = 1000;

const params = { id: Type.Integer({ format: "int64" }) };
const pageParams = { ...params, page: Type.Integer({ minimum: 1, description: "the first page is 1" }) };

/** A canvas or an annotation. IIIF defines its further members. */
const Member = Type.Object({ id: Type.String(), type: Type.String() }, { additionalProperties: true });

const manifest = {
  summary: "A document as a IIIF Presentation 3 manifest",
  params: Type.Object(params),
  response: {
    200: Type.Object(
      { id: Type.String(), type: Type.Literal("Manifest"), items: Type.Array(Member) },
      { $id: "IiifManifest", additionalProperties: true },
    ),
    404: ErrorDetail,
  },
};

const annotationPage = (summary: string) => ({
  summary,
  params: Type.Object(pageParams),
  response: {
    200: Type.Object(
      { id: Type.String(), type: Type.Literal("AnnotationPage"), items: Type.Array(Member) },
      { $id: "IiifAnnotationPage", additionalProperties: true },
    ),
    404: ErrorDetail,
  },
});

/** Documents for IIIF viewers. The rules of access are those of the document, its notes and its files. */
export function iiifRoutes(app: FastifyInstance, context: Context, readings: PdfReadingQueue): void {
  const { config, database } = context;

  app.get("/iiif/:id/manifest.json", { schema: manifest }, async (request, reply) => {
    const document = await getDocument(request);
    const addresses = addressesOf(config, request);
    const parts = await partsOf(request, document);
    const state = [addresses, document.id, document.revision, parts, [...parts.notedPages]];
    return sendLongText(request, reply, {
      contentType: manifestType,
      etag: `"${hash("sha1", JSON.stringify(state), "base64url")}"`,
      make: () => writeManifest(addresses, document, parts),
    });
  });

  app.get(
    "/iiif/:id/text/:page.json",
    { schema: annotationPage("The text of a page as IIIF annotations, a line each") },
    async (request, reply) => {
      const { document, ...at } = await getPage(request);
      const words = await wordsOf(request, reply, document, at.page);
      return sendAnnotations(reply, textAnnotations({ ...at, document: document.id }, linesOf(words)));
    },
  );

  app.get(
    "/iiif/:id/notes/:page.json",
    { schema: annotationPage("The notes on a page as IIIF annotations") },
    async (request, reply) => {
      const { document, ...at } = await getPage(request);
      const isEditable = mayEdit(request.viewer, accessFacts(document));
      const { rows } = await listNotes(
        database,
        request.viewer,
        {
          document: { id: document.id, page_count: document.page_count, isEditable },
          pageNumber: at.page,
        },
        listStart,
        maxNotes,
      );
      return sendAnnotations(reply, noteAnnotations({ ...at, document: document.id }, rows));
    },
  );

  /** A document without pages has no manifest. */
  async function getDocument(request: FastifyRequest): Promise<DocumentRow> {
    const document = await findDocument(database, request.viewer, idIn(request, "id"));
    if (document === null || document.page_count < 1) throw notFound();
    return document;
  }

  async function getPage(
    request: FastifyRequest,
  ): Promise<Omit<AnnotatedPage, "document"> & { document: DocumentRow }> {
    const document = await getDocument(request);
    const page = idIn(request, "page") - 1;
    if (page < 0 || page >= document.page_count) throw notFound();
    const canvas = canvasSize(pageSizeAt(parsePageSpec(document.page_spec), page));
    return { addresses: addressesOf(config, request), document, page, canvas };
  }

  async function partsOf({ viewer }: FastifyRequest, document: DocumentRow): Promise<ManifestParts> {
    const isEditable = mayEdit(viewer, accessFacts(document));
    const notes = await findNotesOf(database, viewer, [{ id: document.id, isEditable }]);
    const sections = await findSectionsOf(database, [document.id]);
    const organizations = await findOrganizationNames(database, [document.organization_id]);
    return {
      notedPages: new Set(notes.map(({ page_number }) => page_number)),
      sections: sections.map(({ title, page_number }) => ({ title, page_number })),
      organization: organizations.get(document.organization_id) ?? "",
      description: await plainText(document.description),
    };
  }

  /** The words of a page, as its `position.json` has them. Empty if the page's files are not in this store. */
  async function wordsOf(
    request: FastifyRequest,
    reply: FastifyReply,
    document: DocumentRow,
    page: number,
  ): Promise<readonly PageWord[]> {
    const leaving = new AbortController();
    reply.raw.once("close", () => leaving.abort());
    const reading = readings.of(askerOf(request.viewer, request.ip), leaving.signal);
    const name = `pages/${document.slug}-p${page + 1}.position.json`;
    const asset = await findDerivedAsset(context, reading, document, name);
    return asset !== null && "body" in asset ? (JSON.parse(asset.body.toString()) as PageWord[]) : [];
  }
}

function sendAnnotations(reply: FastifyReply, page: object): FastifyReply {
  return sendText(reply, manifestType, JSON.stringify(page));
}
