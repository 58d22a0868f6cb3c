import { PassThrough, Readable } from "node:stream";
import type { Server } from "@tus/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { isDatabaseFull } from "../../../database/dialects.ts";
import { ApiError, isOutOfRoom, noRoom, notFound } from "../../../errors.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { checkCsrf } from "../../../http/request/csrf.ts";
import { passingRefusalOf } from "../../../http/response/errors.ts";
import { content, send } from "../../../http/response/representation.ts";
import { exposedHeaders } from "../../../http/response/common-headers.ts";
import { type SignedInViewer, writing } from "../../../http/request/viewer.ts";
import type { Authenticate } from "../../users/credentials/authentication.ts";
import type { Publisher } from "../record/publisher.ts";
import { ResumableUploads } from "./resumable-uploads.ts";
import { UploadLocks } from "./upload-locks.ts";
import * as shapes from "./upload-schema.ts";

/** How long a request that holds an upload's lock may take to end by itself while another request waits for it. */
const patienceMilliseconds = 500;

const exposed =
  `${exposedHeaders}, Quire-Document, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, ` +
  "Upload-Length, Upload-Metadata, Upload-Offset";

/**
 * Resumable uploads over bad connections, with the protocol tus 1.0. The tus library implements the protocol. Access,
 * the resulting documents and error responses are handled here.
 */
export function tusRoutes(
  app: FastifyInstance,
  context: Context,
  publisher: Publisher,
  authenticate: Authenticate,
): void {
  const config = { needsSignIn: true };
  const uploads = new ResumableUploads(context, publisher);
  const answers = new TusAnswers(context, uploads, authenticate);

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, bytes, done) => done(null, bytes));
    scope.addHook("onRequest", async (request, reply) => {
      reply.headers({ "tus-resumable": "1.0.0", "access-control-expose-headers": exposed });
      if (request.method === "OPTIONS") return;
      writing(request.viewer);
      checkCsrf(request);
    });

    scope.options("/uploads/tus/", (request, reply) => answers.send(request, reply, null, ""));
    scope.post("/uploads/tus/", { schema: shapes.beginning, config }, (request, reply) => {
      const viewer = writing(request.viewer);
      return answers.send(request, reply, viewer, uploads.newName(viewer));
    });
    scope.head("/uploads/tus/:upload", { schema: shapes.asking, config }, async (request, reply) => {
      const { viewer, name } = await existing(request);
      const found = await uploads.find(viewer, name);
      // The upload is complete, but a process may have died before it became a document's file.
      const isWhole = found !== null && (found.note.isDone || found.received === found.note.size);
      if (isWhole) reply.headers(answers.headersOf(request, await uploads.finish(viewer, name)));
      return answers.send(request, reply, viewer, name);
    });
    scope.patch("/uploads/tus/:upload", { schema: shapes.goingOn, config }, (request, reply) =>
      goOn(request, reply),
    );
    scope.delete("/uploads/tus/:upload", { schema: shapes.givingUp, config }, (request, reply) =>
      goOn(request, reply),
    );
  });

  async function goOn(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { viewer, name } = await existing(request);
    return answers.send(request, reply, viewer, name);
  }

  async function existing(request: FastifyRequest): Promise<{ viewer: SignedInViewer; name: string }> {
    const viewer = writing(request.viewer);
    const { upload: name } = request.params as { upload: string };
    if ((await uploads.find(viewer, name)) === null) throw notFound();
    return { viewer, name };
  }
}

/** Has the library answer requests for uploads. */
class TusAnswers {
  readonly #context: Context;
  readonly #uploads: ResumableUploads;
  readonly #authenticate: Authenticate;
  readonly #locker: UploadLocks;

  constructor(context: Context, uploads: ResumableUploads, authenticate: Authenticate) {
    this.#context = context;
    this.#uploads = uploads;
    this.#authenticate = authenticate;
    this.#locker = new UploadLocks(context.semaphores);
  }

  /** Lets the library handle one request for an upload. */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: SignedInViewer | null,
    name: string,
  ): Promise<FastifyReply> {
    const server = await this.#serverFor(request, reply, viewer, name);
    const bytes = request.body instanceof Readable ? request.body : null;
    const piped = bytes?.pipe(new PassThrough());
    bytes?.once("error", (error) => piped?.destroy(error));
    try {
      const response = await server.handleWeb(webRequest(request, piped));
      // A refused client has not learnt the upload's name, so nobody could ever continue it.
      if (request.method === "POST" && response.status >= 400) await this.#uploads.files.remove(name);
      return await pass(request, reply, response);
    } finally {
      // Unread bytes are discarded, so that the connection can be used again.
      bytes?.unpipe();
      piped?.destroy();
      bytes?.resume();
    }
  }

  headersOf(request: FastifyRequest, id: number): Record<string, string> {
    const location = `${addressesOf(this.#context.config, request).api}/api/documents/${id}/`;
    // In the response to POST, the Location header is the upload's address.
    return { "quire-document": String(id), ...(request.method !== "POST" && { location }) };
  }

  /** The library, for one request. */
  async #serverFor(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: SignedInViewer | null,
    name: string,
  ): Promise<Server> {
    // The library brings Node's HTTP client. A server that only answers readers needs neither.
    const [tus, { TusDataStore }] = await Promise.all([import("@tus/server"), import("./tus-data-store.ts")]);
    const { config } = this.#context;
    const store = new TusDataStore(this.#uploads.files, config.uploadExpiryHours, async (upload) => {
      if (viewer !== null) await this.#uploads.begin(viewer, name, upload.size ?? 0, upload.metadata ?? {});
    });
    return new tus.Server({
      path: "/uploads/tus",
      datastore: store,
      locker: this.#locker,
      lockDrainTimeout: patienceMilliseconds,
      maxSize: config.uploadLimitMb * 1024 * 1024,
      namingFunction: () => name,
      getFileIdFromRequest: () => name,
      generateUrl: () => `${addressesOf(config, request).api}/uploads/tus/${name}`,
      onUploadFinish: async () => {
        // Receiving the bytes may have taken long. The sender's rights at this moment count.
        const currentViewer = writing(await this.#authenticate(request.headers));
        return { headers: this.headersOf(request, await this.#uploads.finish(currentViewer, name)) };
      },
      onResponseError: (_request, error) => this.#refusalOf(error, reply),
    });
  }

  #refusalOf(error: unknown, reply: FastifyReply): { status_code: number; body: string } {
    const isFull = isOutOfRoom(error) || isDatabaseFull(error);
    const refusal = isFull ? noRoom() : (passingRefusalOf(error) ?? error);
    if (refusal instanceof ApiError) {
      reply.headers(refusal.headers);
      return { status_code: refusal.status, body: JSON.stringify(refusal.body) };
    }
    if (isOfProtocol(error)) {
      // The library answers 501 for unsupported extensions. Clients would retry that in vain.
      const status = error.status_code === 501 ? 400 : error.status_code;
      return { status_code: status, body: error.body };
    }
    this.#context.log.error({ err: error }, "A resumable upload failed");
    return { status_code: 500, body: "Internal server error." };
  }
}

/** The library throws plain objects that describe the response. */
function isOfProtocol(error: unknown): error is { status_code: number; body: string } {
  return typeof error === "object" && error !== null && "status_code" in error && "body" in error;
}

/** The request as the library needs it, with the protocol's headers only. */
function webRequest({ method, url, headers }: FastifyRequest, bytes: Readable | undefined): Request {
  const known = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    /^(content-(type|length)|tus-resumable|upload-[\w-]+)$/.test(name) && typeof value === "string"
      ? [[name, value]]
      : [],
  );
  const body = bytes === undefined ? null : (Readable.toWeb(bytes) as ReadableStream<Uint8Array>);
  return new Request(new URL(url, "http://localhost"), { method, headers: known, body, duplex: "half" });
}

async function pass(
  request: FastifyRequest,
  reply: FastifyReply,
  response: globalThis.Response,
): Promise<FastifyReply> {
  const headers = [...response.headers].filter(
    ([name]) => !/^(access-control-.*|content-(type|length))$/.test(name),
  );
  reply.code(response.status).headers(Object.fromEntries(headers));
  if (response.status < 400) return reply.send();
  const text = await response.text();
  return send(request, reply, content(/^[[{]/.test(text) ? JSON.parse(text) : { detail: text.trim() }));
}
