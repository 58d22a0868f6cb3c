import { Readable, pipeline as connect } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliCompress, createBrotliDecompress } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { tooBusy } from "../../errors.ts";
import { Semaphore, TooBusyError } from "../../semaphore.ts";
import { isAmong } from "../request/entity-tag.ts";
import { brotli, mayCompress, prepareCoding } from "./compression.ts";

/** A text that is long, costs time to generate, and is the same as long as its entity tag is. */
export interface LastingText {
  contentType: string;
  etag: string;
  /** The user or the address that asks. */
  asker: string;
  /** Must give way to other requests again and again. */
  make: () => AsyncIterable<Buffer>;
}

/** The texts that are generated at a time; each has a thread of zlib for as long. */
const maxMaking = 2;
const maxWaiting = 64;
const maxRequestsOfAsker = 8;
const maxBytes = 8 * 1024 * 1024;

/**
 * Long texts that were generated before, by their entity tags, as long as there is room. They are held compressed:
 * manifests of pages are a fortieth as long then. Requests for a text that is being generated wait for it.
 */
export class KeptTexts {
  readonly #permits = new Semaphore(maxMaking, maxWaiting);
  readonly #making = new Map<string, Promise<Buffer>>();
  /** The ones that were not used for the longest time come first. */
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;

  /** Sends a text. It is not generated for HEAD, nor for a client that already has it. */
  async send(request: FastifyRequest, reply: FastifyReply, text: LastingText): Promise<FastifyReply> {
    const { contentType, etag } = text;
    reply.header("etag", etag);
    if (isAmong(etag, request.headers["if-none-match"])) return reply.code(304).send();
    reply.header("content-type", contentType);
    if (request.method === "HEAD") return reply.send();
    const packed = await this.#find(text);
    if (mayCompress(request, reply) === "br") {
      prepareCoding(request, reply);
      return reply.send(packed);
    }
    const unpacking = createBrotliDecompress();
    // A failure of either stream ends the response.
    connect(Readable.from([packed]), unpacking, () => undefined);
    return reply.send(unpacking);
  }

  async #find(text: LastingText): Promise<Buffer> {
    const { etag } = text;
    const kept = this.#kept.get(etag);
    if (kept !== undefined) {
      this.#kept.delete(etag);
      this.#kept.set(etag, kept);
      return kept;
    }
    let making = this.#making.get(etag);
    if (making === undefined) {
      making = this.#make(text).finally(() => this.#making.delete(etag));
      this.#making.set(etag, making);
    }
    return making;
  }

  async #make({ etag, asker, make }: LastingText): Promise<Buffer> {
    const release = await this.#permits
      .acquire([{ name: asker, maxRequests: maxRequestsOfAsker }])
      .catch((error: unknown): never => {
        throw error instanceof TooBusyError ? tooBusy(2) : error;
      });
    try {
      const chunks: Buffer[] = [];
      await pipeline(make(), createBrotliCompress(brotli), async (packed) => {
        for await (const chunk of packed) chunks.push(chunk as Buffer);
      });
      const packed = Buffer.concat(chunks);
      this.#keep(etag, packed);
      return packed;
    } finally {
      release();
    }
  }

  #keep(etag: string, packed: Buffer): void {
    if (packed.length > maxBytes / 2) return;
    this.#kept.set(etag, packed);
    this.#bytes += packed.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= maxBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= length;
    }
  }
}
