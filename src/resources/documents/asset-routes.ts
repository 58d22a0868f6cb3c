import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { servedTypeOf } from "../../files/content-types.ts";
import type { ByteRange } from "../../files/file-store.ts";
import { readRange } from "../../http/byte-range.ts";
import { isAmong } from "../../http/entity-tag.ts";
import { type DerivedAsset, findDerivedAsset } from "./derived-assets.ts";
import type { OpenPdfs } from "./open-pdfs.ts";
import { type OriginalFile, findOriginal } from "./original-file.ts";
import { type DocumentRow, findDocument } from "./row-store.ts";

/**
 * The files of documents, where `asset_url` says that they are: the file itself, and what it was made into. Whoever may
 * see a document may read its files: that is asked anew for every request, also for one that has the bytes and only
 * asks whether they are still good.
 */
export function assetRoutes(app: FastifyInstance, context: Context, pdfs: OpenPdfs): void {
  const { database, files } = context;
  const schema = { params: Type.Object({ id: Type.String(), "*": Type.String() }) };
  app.route({
    // Left to Fastify, a HEAD would read the whole file and throw it away, and heed a range, which is for GET alone
    // (RFC 9110, 14.2).
    method: ["GET", "HEAD"],
    url: "/files/documents/:id/*",
    schema,
    async handler(request, reply) {
      const { id, "*": rest } = request.params as { id: string; "*": string };
      const document = /^\d{1,15}$/.test(id)
        ? await findDocument(database, request.viewer, Number(id))
        : null;
      if (document === null) throw notFound();
      const file = await findOriginal(files, document);
      if (file?.key === `documents/${id}/${rest}`) return sendOriginal(request, reply, document, file);
      const derived = await findDerivedAsset(context, pdfs, document, rest);
      if (derived === null) throw notFound();
      return sendDerived(request, reply, derived);
    },
  });

  async function sendOriginal(
    request: FastifyRequest,
    reply: FastifyReply,
    { file_hash }: DocumentRow,
    file: OriginalFile,
  ): Promise<FastifyReply> {
    const etag = `"${file_hash === "" ? `${file.size}-${file.modifiedAt.getTime()}` : file_hash}"`;
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

/** A file of a stranger runs nothing and loads nothing, wherever it is opened. */
const fileSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
