import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../../context.ts";
import { notFound } from "../../../errors.ts";
import { servedTypeOf } from "../../../files/content-types.ts";
import type { ByteRange } from "../../../files/file-store.ts";
import { documentFileKey, documentFolder } from "../../../files/keys.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { readRange } from "../../../http/request/byte-range.ts";
import { isAmong } from "../../../http/request/entity-tag.ts";
import { otherMethods } from "../../../http/read-only-route.ts";
import { queryOf } from "../../../http/browsable/view.ts";
import { type Viewer, anonymous } from "../../../http/request/viewer.ts";
import { askerOf } from "../../users/credentials/throttle-key.ts";
import { mayView } from "../access.ts";
import { type DerivedAsset, findDerivedAsset, findKeptImage } from "./derived-assets.ts";
import { FairReadings } from "./fair-readings.ts";
import { FileAddresses, validSeconds } from "./file-addresses.ts";
import type { OpenPdfs } from "./open-pdfs.ts";
import { type StoredFile, findOriginal, findPdf } from "./original-file.ts";
import { type DocumentRow, accessFacts, findDocument } from "../store.ts";
import { documentFile } from "./views.ts";
import type { StreamedAsset } from "./whole-text.ts";

/**
 * The files of documents, where `asset_url` says that they are: the file itself, and what it was made into. Whoever may
 * see a document may read its files: that is asked anew for every request, also for one that has the bytes and only
 * asks whether they are still good. Who asks for JSON is told an address that opens without credentials, as clients of
 * that API expect.
 */
export function assetRoutes(app: FastifyInstance, context: Context, pdfs: OpenPdfs): void {
  const { config, database, files, images } = context;
  const addresses = new FileAddresses(context);
  const readings = new FairReadings(pdfs);
  app.addHook("onReady", async () => void images?.sweep());
  otherMethods(app, { path: "/files/documents/:id/*", view: documentFile, checkAddress });
  const schema = { params: Type.Object({ id: Type.String(), "*": Type.String() }) };
  app.route({
    // Left to Fastify, a HEAD would read the whole file and throw it away, and heed a range, which is for GET alone
    // (RFC 9110, 14.2).
    method: ["GET", "HEAD"],
    url: "/files/documents/:id/*",
    schema,
    async handler(request, reply) {
      const { id, "*": rest } = request.params as { id: string; "*": string };
      const given = await addresses.findViewer(`documents/${id}/${rest}`, queryOf(request));
      const document = await getDocument(given ?? request.viewer, id);
      // An address that opens without credentials gives out no other one.
      if (given !== null) reply.header("cache-control", "private, no-cache");
      else if (asksForAddress(request)) return sendAddress(request, reply, document, rest);
      const away = request.method === "GET" ? await addressAtStore(document, rest) : null;
      if (away !== null) return reply.header("cache-control", notKept).redirect(away, 302);
      for (let attempt = 1; attempt <= readAttempts; attempt++) {
        const file = await findFile(document, rest);
        if (file === null) break;
        const sent = await sendOriginal(request, reply, file);
        if (sent !== null) return sent;
      }
      const leaving = new AbortController();
      reply.raw.once("close", () => leaving.abort());
      const reading = readings.of(askerOf(request.viewer, request.ip), leaving.signal);
      const derived = await findDerivedAsset(context, reading, document, rest);
      if (derived === null) throw notFound();
      return "read" in derived ? sendStreamed(request, reply, derived) : sendDerived(request, reply, derived);
    },
  });

  async function getDocument(viewer: Viewer, id: string): Promise<DocumentRow> {
    const document = documentId.test(id) ? await findDocument(database, viewer, Number(id)) : null;
    if (document === null) throw notFound();
    return document;
  }

  /** A store that is far away is asked only for what is a file's name. */
  async function findFile(document: DocumentRow, name: string): Promise<StoredFile | null> {
    const { id, slug, original_extension } = document;
    const isPdf = name === `${slug}.pdf`;
    const key = documentFileKey(id, slug, isPdf ? "pdf" : original_extension);
    if (key !== `${documentFolder(id)}/${name}`) return null;
    return isPdf ? findPdf(files, document) : findOriginal(files, document);
  }

  /** Null where readers are not to be sent to the store, or what they ask for is not there. */
  async function addressAtStore(document: DocumentRow, name: string): Promise<string | null> {
    if (!config.s3Redirect) return null;
    const file = await findFile(document, name);
    if (file !== null) return files.signedAddress(file.key, servedTypeOf(file.extension), validSeconds);
    const image = await findKeptImage(files, document, name);
    return image === null ? null : files.signedAddress(image, servedTypeOf("gif"), validSeconds);
  }

  async function sendAddress(
    request: FastifyRequest,
    reply: FastifyReply,
    document: DocumentRow,
    name: string,
  ): Promise<FastifyReply> {
    const names = name.split("/");
    if (names.some((one) => ["", ".", ".."].includes(one))) throw notFound();
    const path = `${documentFolder(document.id)}/${name}`;
    const isForAll = mayView(anonymous, accessFacts(document));
    const query =
      isForAll || request.viewer.kind === "anonymous" ? "" : addresses.queryFor(path, request.viewer);
    const ours = `${addressesOf(config, request).assets}${documentFolder(document.id)}/${names.map(encodeURIComponent).join("/")}${query}`;
    const location = (await addressAtStore(document, name)) ?? ours;
    reply.headers({ "cache-control": notKept, "content-type": "application/json" });
    return reply.send(Buffer.from(JSON.stringify({ location })));
  }

  /**
   * Null where another file has taken its place: then there is another length to tell, another range, another tag. Of
   * what the document's row says none will do: it is written before that, or after.
   */
  async function sendOriginal(
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
}

const documentId = /^[1-9]\d{0,14}$/;

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

/** Who has it already is told so before anything of it is read. */
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

/** A range of another state of the file is of no use to who has a part of this one. */
function rangeFor({ headers }: FastifyRequest, etag: string, size: number): ByteRange | "all" | "none" {
  const condition = headers["if-range"];
  return condition === undefined || condition === etag ? readRange(headers.range, size) : "all";
}

/** How often a file may be replaced between asking how long it is and reading it. */
const readAttempts = 5;

const notKept = "private, no-store";

/** A file of a stranger runs nothing and loads nothing, wherever it is opened. */
const fileSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

function checkAddress({ params }: FastifyRequest): void {
  const { id, "*": rest } = params as { id: string; "*": string };
  if (!documentId.test(id) || rest === "") throw notFound();
}
