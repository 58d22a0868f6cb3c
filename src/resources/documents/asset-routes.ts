import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { servedTypeOf } from "../../files/content-types.ts";
import type { ByteRange } from "../../files/file-store.ts";
import { documentFileKey, documentFolder } from "../../files/keys.ts";
import { addressesOf } from "../../http/addresses.ts";
import { readRange } from "../../http/byte-range.ts";
import { isAmong } from "../../http/entity-tag.ts";
import { queryOf } from "../../http/view.ts";
import { type Viewer, anonymous } from "../../http/viewer.ts";
import { mayView } from "./access.ts";
import { type DerivedAsset, findDerivedAsset, findKeptImage } from "./derived-assets.ts";
import { FileAddresses, validSeconds } from "./file-addresses.ts";
import type { OpenPdfs } from "./open-pdfs.ts";
import { type StoredFile, findOriginal, findPdf } from "./original-file.ts";
import { type DocumentRow, accessFacts, findDocument } from "./row-store.ts";

/**
 * The files of documents, where `asset_url` says that they are: the file itself, and what it was made into. Whoever may
 * see a document may read its files: that is asked anew for every request, also for one that has the bytes and only
 * asks whether they are still good. Who asks for JSON is told an address that opens without credentials, as clients of
 * that API expect.
 */
export function assetRoutes(app: FastifyInstance, context: Context, pdfs: OpenPdfs): void {
  const { config, database, files } = context;
  const addresses = new FileAddresses(context);
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
      const file = await findFile(document, rest);
      if (file !== null) return sendOriginal(request, reply, document, file);
      const derived = await findDerivedAsset(context, pdfs, document, rest);
      if (derived === null) throw notFound();
      return sendDerived(request, reply, derived);
    },
  });

  async function getDocument(viewer: Viewer, id: string): Promise<DocumentRow> {
    const document = /^[1-9]\d{0,14}$/.test(id) ? await findDocument(database, viewer, Number(id)) : null;
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

  async function sendOriginal(
    request: FastifyRequest,
    reply: FastifyReply,
    { file_hash }: DocumentRow,
    file: StoredFile,
  ): Promise<FastifyReply> {
    const isHashed = file.extension === "pdf" && file_hash !== "";
    const etag = `"${isHashed ? file_hash : file.version}"`;
    const { contentType, disposition } = servedTypeOf(file.extension);
    reply.headers({
      etag,
      "accept-ranges": "bytes",
      "content-type": contentType,
      "content-disposition": disposition,
      "content-security-policy": fileSecurityPolicy,
    });
    if (isAmong(etag, request.headers["if-none-match"])) return reply.code(304).send();
    if (request.method === "HEAD") return reply.header("content-length", file.size).send();
    const range = rangeFor(request, etag, file.size);
    if (range === "none") return reply.code(416).header("content-range", `bytes */${file.size}`).send();
    const bytes = await files.read(file.key, range === "all" ? undefined : range);
    if (bytes === null) throw notFound();
    if (range === "all") return reply.header("content-length", file.size).send(bytes);
    return reply
      .code(206)
      .header("content-range", `bytes ${range.start}-${range.end}/${file.size}`)
      .header("content-length", range.end - range.start + 1)
      .send(bytes);
  }
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

/** A range of another state of the file is of no use to who has a part of this one. */
function rangeFor({ headers }: FastifyRequest, etag: string, size: number): ByteRange | "all" | "none" {
  const condition = headers["if-range"];
  return condition === undefined || condition === etag ? readRange(headers.range, size) : "all";
}

const notKept = "private, no-store";

/** A file of a stranger runs nothing and loads nothing, wherever it is opened. */
const fileSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
