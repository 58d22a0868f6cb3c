import { PassThrough, Readable } from "node:stream";
import { Server } from "@tus/server";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../../context.ts";
import { isDatabaseFull } from "../../../database/dialect.ts";
import { ApiError, isOutOfRoom, noRoom, notFound } from "../../../errors.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { checkCsrf } from "../../../http/request/csrf.ts";
import { passingRefusalOf } from "../../../http/response/errors.ts";
import { content, send } from "../../../http/response/representation.ts";
import { exposedHeaders } from "../../../http/response/common-headers.ts";
import { type SignedInViewer, writing } from "../../../http/request/viewer.ts";
import type { Authenticate } from "../../users/authentication.ts";
import type { Publisher } from "../record/publisher.ts";
import { ResumableUploads } from "./resumable-uploads.ts";
import { TusDataStore } from "./tus-data-store.ts";
import { UploadLocks } from "./upload-locks.ts";

const clearEverySeconds = 3600;

/** How long a request that another one waits for may take to come to its end by itself. */
const patienceMilliseconds = 500;

const exposed =
  `${exposedHeaders}, Quire-Document, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Expires, ` +
  "Upload-Length, Upload-Metadata, Upload-Offset";

const beginning = { summary: "Begin a resumable upload, as tus 1.0 has it", response: { 201: Type.Null() } };
const uploading = { params: Type.Object({ upload: Type.String() }) };
const asking = { summary: "How much of a resumable upload has come", ...uploading };
const goingOn = {
  summary: "Go on with a resumable upload; the answer to its end names the document",
  ...uploading,
  response: { 204: Type.Null() },
};
const givingUp = {
  summary: "Give a resumable upload up",
  ...uploading,
  response: { 204: Type.Null() },
};

/**
 * Uploads over bad lines, by the protocol tus 1.0. What the protocol says is done by its library; who may, what comes of
 * an upload, and how failures are told is done here, as everywhere.
 */
export function tusRoutes(
  app: FastifyInstance,
  context: Context,
  publisher: Publisher,
  authenticate: Authenticate,
): void {
  const { config, log } = context;
  const uploads = new ResumableUploads(context, publisher);
  const locker = new UploadLocks();

  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, bytes, done) => done(null, bytes));
    scope.addHook("onRequest", async (request, reply) => {
      reply.headers({ "tus-resumable": "1.0.0", "access-control-expose-headers": exposed });
      if (request.method === "OPTIONS") return;
      writing(request.viewer);
      checkCsrf(request);
    });
    const timer = setInterval(() => void clear(), clearEverySeconds * 1000).unref();
    scope.addHook("onReady", clear);
    scope.addHook("onClose", async () => clearInterval(timer));

    scope.options("/uploads/tus/", (request, reply) => answer(request, reply, null, ""));
    scope.post("/uploads/tus/", { schema: beginning }, (request, reply) => {
      const viewer = writing(request.viewer);
      return answer(request, reply, viewer, uploads.newName(viewer));
    });
    scope.head("/uploads/tus/:upload", { schema: asking }, async (request, reply) => {
      const { viewer, name } = await existing(request);
      const found = await uploads.find(viewer, name);
      // All of it is here, but a process died before it was made anything of.
      const isWhole = found !== null && (found.note.isDone || found.received === found.note.size);
      if (isWhole) reply.headers(headersOf(request, await uploads.finish(viewer, name)));
      return answer(request, reply, viewer, name);
    });
    scope.patch("/uploads/tus/:upload", { schema: goingOn }, async (request, reply) => {
      const { viewer, name } = await existing(request);
      return answer(request, reply, viewer, name);
    });
    scope.delete("/uploads/tus/:upload", { schema: givingUp }, async (request, reply) => {
      const { viewer, name } = await existing(request);
      return answer(request, reply, viewer, name);
    });
  });

  async function existing(request: FastifyRequest): Promise<{ viewer: SignedInViewer; name: string }> {
    const viewer = writing(request.viewer);
    const { upload: name } = request.params as { upload: string };
    if ((await uploads.find(viewer, name)) === null) throw notFound();
    return { viewer, name };
  }

  /** Has the library do the protocol's part, for one upload of someone's. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: SignedInViewer | null,
    name: string,
  ): Promise<FastifyReply> {
    const store = new TusDataStore(context.uploads, config.uploadExpiryHours, async (upload) => {
      if (viewer !== null) await uploads.begin(viewer, name, upload.size ?? 0, upload.metadata ?? {});
    });
    const server = new Server({
      path: "/uploads/tus",
      datastore: store,
      locker,
      lockDrainTimeout: patienceMilliseconds,
      maxSize: config.uploadLimitMb * 1024 * 1024,
      namingFunction: () => name,
      getFileIdFromRequest: () => name,
      generateUrl: () => `${addressesOf(config, request).api}/uploads/tus/${name}`,
      async onUploadFinish() {
        // The bytes may have taken their time; what counts is what their sender may do now that they have come.
        const now = writing(await authenticate(request.headers));
        return { headers: headersOf(request, await uploads.finish(now, name)) };
      },
      onResponseError: (_request, error) => refusalOf(error, reply),
    });
    const bytes = request.body instanceof Readable ? request.body : null;
    const piped = bytes?.pipe(new PassThrough());
    bytes?.once("error", (error) => piped?.destroy(error));
    try {
      const response = await server.handleWeb(webRequest(request, piped));
      // Whoever was refused has not been told its name, so nobody could ever go on with it.
      if (request.method === "POST" && response.status >= 400) await context.uploads.remove(name);
      return await pass(request, reply, response);
    } finally {
      // What nobody has read flows away, so that the line can be used again.
      bytes?.unpipe();
      piped?.destroy();
      bytes?.resume();
    }
  }

  function headersOf(request: FastifyRequest, id: number): Record<string, string> {
    const location = `${addressesOf(config, request).api}/api/documents/${id}/`;
    // The answer to its beginning says by this header where the upload is.
    return { "quire-document": String(id), ...(request.method !== "POST" && { location }) };
  }

  function refusalOf(error: unknown, reply: FastifyReply): { status_code: number; body: string } {
    const isFull = isOutOfRoom(error) || isDatabaseFull(error);
    const refusal = isFull ? noRoom() : (passingRefusalOf(error) ?? error);
    if (refusal instanceof ApiError) {
      reply.headers(refusal.headers);
      return { status_code: refusal.status, body: JSON.stringify(refusal.body) };
    }
    if (isOfProtocol(error)) {
      // Of an extension that there is none of here. Clients would try a 501 again, and get no further.
      const status = error.status_code === 501 ? 400 : error.status_code;
      return { status_code: status, body: error.body };
    }
    log.error({ err: error }, "A resumable upload failed");
    return { status_code: 500, body: "Internal server error." };
  }

  async function clear(): Promise<void> {
    try {
      await uploads.removeExpired();
    } catch (error) {
      log.error({ err: error }, "Expired uploads could not be removed");
    }
  }
}

/** What the library throws is no error, but says how it is to be answered. */
function isOfProtocol(error: unknown): error is { status_code: number; body: string } {
  return typeof error === "object" && error !== null && "status_code" in error && "body" in error;
}

/** Only what the protocol knows: other headers are not the library's business. */
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
