import { hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { notFound } from "../../errors.ts";
import { listStart } from "../../http/request/cursor.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { KeptTexts } from "../../http/response/kept-texts.ts";
import { leavingOf } from "../../http/response/leaving.ts";
import { sendText } from "../../http/response/representation.ts";
import type { Published } from "../../http/schema/published-operation.ts";
import { jsonInSlices } from "../../http/text/slices.ts";
import { type AddressSettings, type Addresses, addressesOf } from "../../http/text/addresses.ts";
import { type PageSize, pageSizeAt, storedPageSpec } from "../../processing/page-spec.ts";
import type { PageWord } from "../../processing/pdfium/page-words.ts";
import { mayDownload, mayEdit } from "../documents/access.ts";
import { type DocumentFile, documentFile } from "../documents/file-routes.ts";
import { findDerivedAsset } from "../documents/files/derived-assets.ts";
import type { PdfReadingQueue } from "../documents/files/pdf-reading-queue.ts";
import { plainText } from "../documents/record/plain-text.ts";
import type { SearchedNotes } from "../documents/search/search-documents.ts";
import { readQueryText } from "../documents/search/search-request.ts";
import { searchPageTexts } from "../documents/search/search-within.ts";
import { type DocumentRow, accessFacts } from "../documents/store.ts";
import { findNotedPages, listNotes } from "../notes/store.ts";
import { findOrganizationNames } from "../organizations/store.ts";
import { findSectionsOf } from "../sections/store.ts";
import { askerOf } from "../users/credentials/throttle-key.ts";
import { type AnnotatedPage, linesOf, noteAnnotations, textAnnotations } from "./annotations.ts";
import { canvasSize } from "./canvas.ts";
import {
  type Match,
  type MatchPage,
  type SearchVersion,
  matchesOn,
  presentMatches,
  searchAddress,
  searchTypes,
  textOf,
} from "./content-search.ts";
import { hasImageServices, imageInformation, imageNamed, imageServiceType } from "./image-service.ts";
import * as shapes from "./schema.ts";
import { type ManifestParts, hasManifest, imageAddress, manifestType, writeManifest } from "./manifest.ts";

const maxNotes = 1000;
/** A search reads the words of these pages; the next ones are another request. */
const pagesOfMatches = 10;
/** Parameters of Content Search that are ignored. */
const unsupported = ["motivation", "date", "user", "box"];

/** Documents for IIIF viewers. The rules of access are those of the document, its notes and its files. */
export function iiifRoutes(
  app: FastifyInstance,
  context: Context,
  readings: PdfReadingQueue,
  notes: SearchedNotes,
): void {
  const { config, database } = context;
  const manifests = new KeptTexts();
  const add = (name: string, published: Published, send: DocumentFile["send"]): void =>
    iiifFile(app, context, name, { published, send });

  add("manifest.json", shapes.manifest, (document, request, reply) =>
    sendManifest(context, manifests, document, request, reply),
  );

  add("text/:page.json", shapes.pageText, async (document, request, reply) => {
    if (!mayDownload(request.viewer, accessFacts(document))) throw notFound();
    const at = pageIn(config, request, document);
    const words = await wordsFor(request, reply)(document, at.page);
    await setImmediate();
    const lines = linesOf(words);
    await setImmediate();
    return sendAnnotations(reply, textAnnotations(at, lines));
  });

  add("notes/:page.json", shapes.pageNotes, async (document, request, reply) => {
    const at = pageIn(config, request, document);
    const isEditable = mayEdit(request.viewer, accessFacts(document));
    const { id, page_count } = document;
    const onPage = { document: { id, page_count, isEditable }, pageNumber: at.page };
    const { rows } = await listNotes(database, request.viewer, onPage, listStart, maxNotes);
    return sendAnnotations(reply, noteAnnotations(at, rows));
  });

  add("image/:page/info.json", shapes.imageInfo, (document, request, reply) => {
    const { page, size, addresses } = imagePageIn(config, request, document);
    const information = imageInformation(addresses, document.id, page, size);
    return sendText(reply, imageServiceType, JSON.stringify(information));
  });

  add("image/:page/full/:size/0/default.webp", shapes.image, (document, request, reply) => {
    const { page, size, addresses } = imagePageIn(config, request, document);
    const name = imageNamed(size, (request.params as { size: string }).size);
    if (name === null) throw notFound();
    return reply.redirect(imageAddress(addresses, document, page, name), 302);
  });

  for (const version of [1, 2] as const) {
    add(`search/${version}.json`, shapes.contentSearch(version), async (document, request, reply) => {
      const matches = await findMatches(context, notes, wordsFor(request, reply), request, document, version);
      const slices = await Array.fromAsync(jsonInSlices(presentMatches(version, matches)));
      return sendText(reply, searchTypes[version], slices.join(""));
    });
  }

  /** Reads PDFs for a client until it leaves. */
  function wordsFor(request: FastifyRequest, reply: FastifyReply): WordsOf {
    const reading = readings.of(askerOf(request.viewer, request.ip), leavingOf(reply));
    return async (document, page) => {
      const name = `pages/${document.slug}-p${page + 1}.position.json`;
      const asset = await findDerivedAsset(context, reading, document, name);
      return asset !== null && "body" in asset ? (JSON.parse(asset.body.toString()) as PageWord[]) : [];
    };
  }
}

async function sendManifest(
  { config, database }: Pick<Context, "config" | "database">,
  manifests: KeptTexts,
  document: DocumentRow,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!hasManifest(document)) throw notFound();
  const addresses = addressesOf(config, request);
  const parts = await partsOf(database, request, document);
  const state = [addresses, document.id, document.revision, parts, [...parts.notedPages]];
  return manifests.send(request, reply, {
    contentType: manifestType,
    etag: `"${hash("sha1", JSON.stringify(state), "base64url")}"`,
    asker: askerOf(request.viewer, request.ip),
    make: () => writeManifest(addresses, document, parts),
  });
}

/** Adds a file about a document. Only a document that has pages has something for IIIF. */
function iiifFile(
  app: FastifyInstance,
  { database }: Pick<Context, "database">,
  name: string,
  { published, send }: Pick<DocumentFile, "send"> & { published: Published },
): void {
  documentFile(app, database, {
    path: `/iiif/:id/${name}`,
    parameters: shapes.parameters,
    published,
    takesLongQuery: published.query !== undefined,
    send(document, request, reply) {
      if (document.page_count < 1) throw notFound();
      return send(document, request, reply);
    },
  });
}

/** The matches on some pages of a document. */
async function findMatches(
  { config, database }: Context,
  notes: SearchedNotes,
  words: WordsOf,
  request: FastifyRequest,
  document: DocumentRow,
  version: SearchVersion,
): Promise<MatchPage> {
  const query = queryOf(request);
  const addresses = addressesOf(config, request);
  const address = searchAddress(addresses, document.id, version);
  const text = query.last("q") ?? "";
  const { query: searched } = readQueryText(text, request.viewer);
  // The search language knows the current time by this name.
  if (text.includes("NOW")) request.dependsOnTime = true;
  const number = Number(/^0*([1-9]\d{0,5})$/.exec(query.last("page") ?? "")?.[1] ?? "1");
  const range = { offset: (number - 1) * pagesOfMatches, limit: pagesOfMatches };
  const found = await searchPageTexts(
    database,
    request.viewer,
    document.id,
    searched,
    notes.condition,
    range,
  );
  const matches: Match[] = [];
  for (const page of found.pages) {
    const size = pageSizeAt(storedPageSpec(document.page_spec), page);
    const at = { addresses, document: document.id, page, canvas: canvasSize(size) };
    const wordsThere = await words(document, page);
    matches.push(...matchesOn(at, wordsThere, found.matchesOn(page, textOf(wordsThere))));
    await setImmediate();
  }
  const hasMore = number * pagesOfMatches < found.total;
  return {
    id: `${address}${query.asSent()}`,
    next: hasMore ? `${address}${query.with("page", String(number + 1)).asSent()}` : null,
    ignored: unsupported.filter((name) => query.last(name) !== undefined),
    matches,
  };
}

function imagePageIn(
  settings: AddressSettings,
  request: FastifyRequest,
  document: DocumentRow,
): { addresses: Addresses; page: number; size: PageSize | undefined } {
  const { page, addresses } = pageIn(settings, request, document);
  if (!hasImageServices(document)) throw notFound();
  return { addresses, page, size: pageSizeAt(storedPageSpec(document.page_spec), page) };
}

/** The page that the path names, from 1. Throws 404 if the document does not have it. */
function pageIn(settings: AddressSettings, request: FastifyRequest, document: DocumentRow): AnnotatedPage {
  const page = idIn(request, "page") - 1;
  if (page < 0 || page >= document.page_count) throw notFound();
  const canvas = canvasSize(pageSizeAt(storedPageSpec(document.page_spec), page));
  return { addresses: addressesOf(settings, request), document: document.id, page, canvas };
}

async function partsOf(
  database: Database,
  { viewer }: FastifyRequest,
  document: DocumentRow,
): Promise<ManifestParts> {
  const isEditable = mayEdit(viewer, accessFacts(document));
  const sections = await findSectionsOf(database, [document.id]);
  const organizations = await findOrganizationNames(database, [document.organization_id]);
  return {
    notedPages: new Set(await findNotedPages(database, viewer, { id: document.id, isEditable })),
    sections: sections.map(({ title, page_number }) => ({ title, page_number })),
    organization: organizations.get(document.organization_id) ?? "",
    description: await plainText(document.description),
  };
}

/** The words of a page, as its `position.json` has them. Empty if the page's files are not in this store. */
type WordsOf = (document: DocumentRow, page: number) => Promise<readonly PageWord[]>;

/** A page may have 20,000 words, each a line of its own. */
async function sendAnnotations(reply: FastifyReply, page: object): Promise<FastifyReply> {
  const slices = await Array.fromAsync(jsonInSlices(page));
  return sendText(reply, manifestType, slices.join(""));
}
