import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import type { Database } from "../../../database/database.ts";
import { notFound } from "../../../errors.ts";
import { servedTypeOf } from "../../../files/content-types.ts";
import type { ByteRange, FileStore } from "../../../files/file-store.ts";
import { documentFileKey, documentFolder } from "../../../files/keys.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { readRange } from "../../../http/request/byte-range.ts";
import { isAmong } from "../../../http/request/entity-tag.ts";
import { fileRoute } from "../../../http/file-route.ts";
import { leavingOf } from "../../../http/response/leaving.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { type Viewer, anonymous } from "../../../http/request/viewer.ts";
import { askerOf } from "../../users/credentials/throttle-key.ts";
import { isPublic } from "../../document-states.ts";
import { mayDownload, mayView } from "../access.ts";
import { type DerivedAsset, findDerivedAsset, findKeptImage } from "./derived-assets.ts";
import type { PdfReadingQueue } from "./pdf-reading-queue.ts";
import { type SearchablePdf, SearchablePdfs } from "./searchable-pdfs.ts";
import { FileAddresses, validSeconds } from "./file-addresses.ts";
import { hasWords } from "../pages/page-reading-store.ts";
import { type StoredFile, findOriginal, findPdf } from "./original-file.ts";
import { type DocumentRow, accessFacts, findDocument } from "../store.ts";
import { nameParameter, readingFile } from "./schema.ts";
import { documentFile } from "./views.ts";
import type { StreamedAsset } from "./whole-text.ts";

/**
 * Serves the files of documents below `asset_url`: the file itself, and the assets derived from it. Viewers of a
 * document may read its files. Access is checked on every request, including those that only revalidate a cached copy.
 * A request for JSON gets an address that opens without credentials, as clients of DocumentCloud expect.
 */
export function assetRoutes(app: FastifyInstance, context: Context, readings: PdfReadingQueue): void {
  const { config, database, files, images } = context;
  const addresses = new FileAddresses(context);
  const searchable = new SearchablePdfs(context);
  app.addHook("onReady", async () => void images?.sweep());
  fileRoute(app, {
    path: "/files/documents/:id/*",
    parameters: nameParameter,
    view: documentFile,
    published: readingFile,
    checkAddress,
    async handler(request, reply) {
      const { id, "*": rest } = request.params as { id: string; "*": string };
      const signedViewer = await addresses.findViewer(`documents/${id}/${rest}`, queryOf(request));
      const viewer = signedViewer ?? request.viewer;
      const document = await getDocument(database, viewer, id);
      if (!mayDownload(viewer, accessFacts(document)) && !isForReading(rest)) throw notFound();
      // A signed address never gives out another one.
      const isSearchable = asksForText(request, document, rest) && (await hasWords(database, document.id));
      if (signedViewer !== null) reply.header("cache-control", "private, no-cache");
      else if (asksForAddress(request))
        return sendAddress(request, reply, { document, name: rest, isSearchable });
      if (isSearchable) {
        const find = () => findDocument(database, viewer, document.id);
        const make = (client: string) => searchable.make(find, client, leavingOf(reply));
        return sendSearchable(request, reply, { document, make });
      }
      const away =
        request.method === "GET" && mayLead(viewer, document)
          ? await addressAtStore(context, document, rest)
          : null;
      if (away !== null) return reply.header("cache-control", notKept).redirect(away, 302);
      for (let attempt = 1; attempt <= readAttempts; attempt++) {
        const file = await findFile(files, document, rest);
        if (file === null) break;
        const sent = await sendOriginal(files, request, reply, file);
        if (sent !== null) return sent;
      }
      const reading = readings.of(askerOf(request.viewer, request.ip), leavingOf(reply));
      const derived = await findDerivedAsset(context, reading, document, rest);
      if (derived === null) throw notFound();
      return "read" in derived ? sendStreamed(request, reply, derived) : sendDerived(request, reply, derived);
    },
  });

  async function sendAddress(
    request: FastifyRequest,
    reply: FastifyReply,
    { document, name, isSearchable }: { document: DocumentRow; name: string; isSearchable: boolean },
  ): Promise<FastifyReply> {
    const segments = name.split("/");
    if (segments.some((segment) => ["", ".", ".."].includes(segment))) throw notFound();
    const path = `${documentFolder(document.id)}/${name}`;
    const isForAll = mayView(anonymous, accessFacts(document));
    const signature =
      isForAll || request.viewer.kind === "anonymous" ? "" : addresses.queryFor(path, request.viewer);
    const query = isSearchable ? `${signature === "" ? "?" : `${signature}&`}text=1` : signature;
    const folder = `${addressesOf(config, request).assets}${documentFolder(document.id)}`;
    const ownAddress = `${folder}/${segments.map(encodeURIComponent).join("/")}${query}`;
    const isHere = isSearchable || !mayLead(request.viewer, document);
    const location = (isHere ? null : await addressAtStore(context, document, name)) ?? ownAddress;
    reply.headers({ "cache-control": notKept, "content-type": "application/json" });
    return reply.send(Buffer.from(JSON.stringify({ location })));
  }
}

/** A copy has no ranges: each request makes another one. */
async function sendSearchable(
  request: FastifyRequest,
  reply: FastifyReply,
  { document, make }: { document: DocumentRow; make: (client: string) => Promise<SearchablePdf> },
): Promise<FastifyReply> {
  const { id, file_hash, updated_at } = document;
  const etag = `"${hash("sha1", JSON.stringify(["searchable", id, file_hash, updated_at]), "base64url")}"`;
  const { contentType, disposition } = servedTypeOf("pdf");
  const headers = { etag, "content-type": contentType, "content-disposition": disposition };
  reply.headers({ ...headers, "content-security-policy": fileSecurityPolicy });
  if (isAmong(etag, request.headers["if-none-match"])) return reply.code(304).send();
  if (request.method === "HEAD") return reply.send();
  const copy = await make(askerOf(request.viewer, request.ip));
  return reply.header("content-length", copy.size).send(copy.bytes);
}

async function getDocument(database: Database, viewer: Viewer, id: string): Promise<DocumentRow> {
  const document = documentId.test(id) ? await findDocument(database, viewer, Number(id)) : null;
  if (document === null) throw notFound();
  return document;
}

/** Looks in the store only if `name` can be a file's name: the store may be remote. */
async function findFile(files: FileStore, document: DocumentRow, name: string): Promise<StoredFile | null> {
  const { id, slug, original_extension } = document;
  const isPdf = name === `${slug}.pdf`;
  const key = documentFileKey(id, slug, isPdf ? "pdf" : original_extension);
  if (key !== `${documentFolder(id)}/${name}`) return null;
  return isPdf ? findPdf(files, document) : findOriginal(files, document);
}

/** The store's signed address; null if redirects are off, or the file does not exist. */
async function addressAtStore(
  { config, files }: Pick<Context, "config" | "files">,
  document: DocumentRow,
  name: string,
): Promise<string | null> {
  if (!config.s3Redirect) return null;
  const file = await findFile(files, document, name);
  if (file !== null) return files.signedAddress(file.key, servedTypeOf(file.extension), validSeconds);
  const image = await findKeptImage(files, document, name);
  return image && files.signedAddress(image.key, servedTypeOf(image.format), validSeconds);
}

/**
 * Null if the file has been replaced since `findFile`: then its length, range and tag have to be found again. The
 * document's row is no substitute, because it is written before or after the file.
 */
async function sendOriginal(
  files: FileStore,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
): Promise<FastifyReply | null> {
  const etag = `"${file.version}"`;
  const { contentType, disposition } = servedTypeOf(file.extension);
  const headers = {
    etag,
    "accept-ranges": "bytes",
    "content-type": contentType,
    "content-disposition": disposition,
    "content-security-policy": fileSecurityPolicy,
  };
  if (isAmong(etag, request.headers["if-none-match"])) return reply.headers(headers).code(304).send();
  const whole = { ...headers, "content-length": file.size };
  if (request.method === "HEAD") return reply.headers(whole).send();
  const range = rangeFor(request, etag, file.size);
  if (range === "none") {
    return reply
      .headers({ ...headers, "content-range": `bytes */${file.size}` })
      .code(416)
      .send();
  }
  const bytes = await files.read(file.key, range === "all" ? undefined : range, file.version);
  if (bytes === null) return null;
  if (range === "all") return reply.headers(whole).send(bytes);
  return reply
    .code(206)
    .headers({
      ...headers,
      "content-range": `bytes ${range.start}-${range.end}/${file.size}`,
      "content-length": range.end - range.start + 1,
    })
    .send(bytes);
}

/** An address at the store outlives a guest link that is revoked, so guests get none. */
function mayLead(viewer: Viewer, document: DocumentRow): boolean {
  return viewer.kind === "user" || isPublic(document);
}

/** What a guest without the right to download needs to read a page: its words, and its image but for the largest. */
const isForReading = (name: string): boolean =>
  /^pages\/.*-p\d+(?:-(?:thumbnail|small|normal|large)\.(?:gif|webp)|\.position\.json)$/s.test(name);

const documentId = /^[1-9]\d{0,14}$/;

/** Whether it asks for the document's PDF with the recognised words in it. */
function asksForText(request: FastifyRequest, { slug }: DocumentRow, name: string): boolean {
  return name === `${slug}.pdf` && queryOf(request).last("text") === "1";
}

function asksForAddress({ headers }: FastifyRequest): boolean {
  return /^\s*application\/json/i.test(headers.accept ?? "");
}

function sendDerived(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, body }: DerivedAsset,
): FastifyReply {
  const etag = `"${hash("sha1", body, "base64url")}"`;
  reply.headers({ etag, "content-type": contentType, "content-security-policy": fileSecurityPolicy });
  if (isAmong(etag, request.headers["if-none-match"])) return reply.code(304).send();
  if (request.method === "HEAD") return reply.header("content-length", body.length).send();
  return reply.send(body);
}

/** A client with a current copy gets 304 before any of the asset is read. */
function sendStreamed(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, etag, length, read }: StreamedAsset,
): FastifyReply {
  reply.headers({ etag, "content-type": contentType, "content-security-policy": fileSecurityPolicy });
  if (isAmong(etag, request.headers["if-none-match"])) return reply.code(304).send();
  if (length !== null) reply.header("content-length", length);
  return request.method === "HEAD" ? reply.send() : reply.send(read());
}

/** Ignores the range if the client's part is of another version of the file. */
function rangeFor({ headers }: FastifyRequest, etag: string, size: number): ByteRange | "all" | "none" {
  const condition = headers["if-range"];
  return condition === undefined || condition === etag ? readRange(headers.range, size) : "all";
}

/** How often to try again when a file is replaced between finding and reading it. */
const readAttempts = 5;

const notKept = "private, no-store";

/** Files are untrusted: they may neither run nor load anything. */
const fileSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

function checkAddress({ params }: FastifyRequest): void {
  const { id, "*": rest } = params as { id: string; "*": string };
  if (!documentId.test(id) || rest === "") throw notFound();
}
