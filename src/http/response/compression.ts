import { Readable, pipeline } from "node:stream";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Coding, codingFor } from "../request/negotiation.ts";

/*
 * Compresses texts (JSON, HTML, XML, plain text) for clients that accept it. zlib does what is needed; the plugin for
 * it (@fastify/compress) would compress what the response cache holds again for each request.
 *
 * Measured on the positions of a page's words (4502 bytes) and on a stylesheet (14788 bytes), best of fifteen:
 *
 *   gzip 6     805 bytes 0.07 ms     3913 bytes  0.43 ms
 *   Brotli 4   763 bytes 0.11 ms     4065 bytes  0.45 ms
 *   Brotli 5   727 bytes 0.14 ms     3743 bytes  0.65 ms
 *   Brotli 9   718 bytes 2.41 ms     3642 bytes 12.85 ms
 *   Brotli 11  620 bytes 15.2 ms     3350 bytes 49.31 ms
 *
 * The length of a compressed response shows how alike its parts are. An attacker whose page makes a visitor's browser
 * send requests can learn a secret from that, if the response contains the secret and repeats a part of the request
 * (BREACH). The only credentials that a browser adds by itself are cookies. So the response to a request with a cookie
 * is not compressed if it is a page, because pages contain CSRF tokens and repeat their address, or if its address has
 * a query. A response that sets a cookie is not compressed either. A visitor's JSON and texts at addresses without a
 * query are compressed, because they repeat nothing.
 */

/** Shorter responses fit into two packets anyway. */
const minBytes = 2048;

export const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compressibleTypes = /^(?:application\/(?:json|(?:\w+\+)?xml|ld\+json)|text\/(?:html|plain|xml))\b/;

/** Register it before the response cache observes the responses, so that the cache holds the compressed bytes. */
export function compressResponses(app: FastifyInstance): void {
  app.addHook("onSend", (request, reply, payload, done) => {
    if (!isCompressible(request, reply, payload)) {
      done(null, payload);
      return;
    }
    const coding = prepareCoding(request, reply);
    if (coding === null) {
      done(null, payload);
      return;
    }
    reply.removeHeader("content-length");
    if (!Buffer.isBuffer(payload)) {
      const compressor = coding === "br" ? createBrotliCompress(brotli) : createGzip();
      // A failure of either stream ends the other, and with it the response.
      pipeline(payload, compressor, () => undefined);
      done(null, compressor);
    } else if (coding === "br") brotliCompress(payload, brotli, done);
    else gzip(payload, done);
  });
}

/**
 * Chooses the coding of this response and sets its headers accordingly; null sends it uncompressed. The entity tag of
 * compressed bytes is weak, because they differ from the uncompressed ones.
 */
export function prepareCoding(request: FastifyRequest, reply: FastifyReply): Coding | null {
  reply.header("vary", `${String(reply.getHeader("vary") ?? "Accept")}, Accept-Encoding`);
  const coding = codingFor(request.headers["accept-encoding"]);
  if (coding === null) return null;
  reply.header("content-encoding", coding);
  const etag = reply.getHeader("etag");
  if (typeof etag === "string" && !etag.startsWith("W/")) reply.header("etag", `W/${etag}`);
  return coding;
}

function isCompressible(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): payload is Buffer | Readable {
  if (reply.statusCode !== 200 || request.routeOptions.config.hasFixedVary === true) return false;
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const type = String(reply.getHeader("content-type") ?? "");
  if (!compressibleTypes.test(type)) return false;
  // Files that can be read in part are sent as they are. A response that already has a coding is compressed already.
  if (reply.hasHeader("accept-ranges") || reply.hasHeader("content-encoding")) return false;
  if (couldRevealSecrets(request, reply, type)) return false;
  if (Buffer.isBuffer(payload)) return payload.length >= minBytes;
  return payload instanceof Readable && Number(reply.getHeader("content-length") ?? Infinity) >= minBytes;
}

/** The coding that a long text with these headers is sent in; null for none. */
export function mayCompress(request: FastifyRequest, reply: FastifyReply): Coding | null {
  if (couldRevealSecrets(request, reply, String(reply.getHeader("content-type")))) return null;
  return codingFor(request.headers["accept-encoding"]);
}

function couldRevealSecrets({ headers, url }: FastifyRequest, reply: FastifyReply, type: string): boolean {
  if (reply.hasHeader("set-cookie")) return true;
  return headers.cookie !== undefined && (url.includes("?") || type.startsWith("text/html"));
}
