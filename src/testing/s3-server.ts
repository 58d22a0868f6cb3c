import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { Semaphore } from "../semaphore.ts";

/*
 * s3rver is an S3 server with signature checks that runs in this process and stores objects in a folder. Other such
 * servers are programs to install, or check nothing. This file corrects its differences from real S3: an object is
 * replaced atomically, not while it is being written; keys may be longer than a file name; a range of only the first
 * byte works; multipart uploads can be aborted; a truncated list does not need a cipher that Node no longer has; a
 * bucket's own address ends in a slash when it is signed; requests without a signature are refused.
 */

const bucket = "quire-test";

/** The maximum number of objects in one answer. Real S3 lists 1000, but a test of longer lists would take long. */
const listedAtMost = 100;

export interface S3Server extends AsyncDisposable {
  url: string;
  /** Quire's settings for it. */
  environment: Record<string, string>;
  /** The keys of all objects. */
  keys(): Promise<string[]>;
  /** The number of unfinished multipart uploads. */
  unfinished(): Promise<number>;
  /** The requests so far, such as `GET documents/1/report.pdf`. */
  asked: string[];
  /** Whether it ends every connection. */
  broken: boolean;
  /** Breaks all connections. */
  breakOff(): void;
}

interface S3Object {
  bucket: string;
  key: string;
  content: Readable | null;
  range?: { start: number; end: number };
}

interface Store {
  listObjects(bucket: string, asked: { maxKeys: number }): Promise<{ isTruncated: boolean }>;
  getResourcePath(bucket: string, key: string | undefined, resource: string): string;
  putContent(file: string, content: unknown): Promise<[number, string]>;
  putObject(object: S3Object): Promise<unknown>;
  getObject(bucket: string, key: string, range?: { start?: number; end?: number }): Promise<S3Object | null>;
  deleteObject(bucket: string, key: string): Promise<void>;
}

interface KoaContext {
  method: string;
  status: number;
  query: Record<string, string | undefined>;
  body: unknown;
}

interface S3rver {
  store: Store;
  middleware: ((context: KoaContext, next: () => Promise<void>) => Promise<void>)[];
  logger: { close(): void };
  configureBuckets(): Promise<unknown>;
  callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

type S3rverClass = new (options: {
  directory: string;
  silent: boolean;
  configureBuckets: { name: string }[];
}) => S3rver;

/** An S3 server with one bucket, empty. */
export async function startS3Server(): Promise<S3Server> {
  const require = createRequire(import.meta.url);
  const S3rver = require("@20minutes/s3rver") as S3rverClass;
  mendSignatures(require("@20minutes/s3rver/lib/signature/v4") as Signatures);
  const directory = await mkdtemp(path.join(tmpdir(), "quire-s3-"));
  const s3 = new S3rver({ directory, silent: true, configureBuckets: [{ name: bucket }] });
  await s3.configureBuckets();
  mend(s3.store);
  const uploads = s3.store.getResourcePath(bucket, undefined, "uploads");
  s3.middleware.unshift(async (context, next) => {
    try {
      await next();
      if (typeof context.body === "string" && context.body.includes(`<KeyCount>${listedAtMost}</KeyCount>`)) {
        context.body = context.body.replace("<IsTruncated>false<", "<IsTruncated>true<");
      }
    } catch (error) {
      const { uploadId } = context.query;
      const isAbort = context.method === "DELETE" && uploadId !== undefined;
      if (!isAbort || (error as { code?: unknown }).code !== "MethodNotAllowed") throw error;
      await rm(path.join(uploads, path.basename(uploadId)), { recursive: true });
      context.status = 204;
    }
  });

  const handle = s3.callback();
  const server = createServer((request, response) => {
    if (told.broken) {
      request.socket.destroy();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? "", "http://s3");
    told.asked.push(`${request.method} ${decodeURIComponent(pathname).slice(bucket.length + 2)}`);
    const isSigned = request.headers.authorization !== undefined || searchParams.has("X-Amz-Signature");
    if (isSigned) void handle(request, response);
    else response.writeHead(403).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const told: S3Server = {
    url,
    environment: {
      QUIRE_S3_BUCKET: bucket,
      QUIRE_S3_ENDPOINT: url,
      QUIRE_S3_ACCESS_KEY_ID: "S3RVER",
      QUIRE_S3_SECRET_ACCESS_KEY: "S3RVER",
    },
    async keys() {
      const files = await readdir(path.join(directory, bucket), { recursive: true });
      const ending = "._S3rver_object";
      return files
        .filter((file) => file.endsWith(ending))
        .map((file) => file.slice(0, -ending.length))
        .toSorted();
    },
    unfinished: async () => (await readdir(uploads).catch(() => [])).length,
    asked: [],
    broken: false,
    breakOff: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
      s3.logger.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return told;
}

function mend(store: Store): void {
  const original = {
    listObjects: store.listObjects.bind(store),
    getResourcePath: store.getResourcePath.bind(store),
    putContent: store.putContent.bind(store),
    putObject: store.putObject.bind(store),
    getObject: store.getObject.bind(store),
    deleteObject: store.deleteObject.bind(store),
  };
  const semaphore = new Semaphore(1);
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => {
    const release = await semaphore.acquire();
    try {
      return await act();
    } finally {
      release();
    }
  };

  store.listObjects = (of, asked) => {
    const atMost = { ...asked, maxKeys: Math.min(asked.maxKeys, listedAtMost) };
    return inTurn(async () => ({ ...(await original.listObjects(of, atMost)), isTruncated: false }));
  };
  store.getResourcePath = (of, key, resource) => {
    const names = key?.split("/").map((name) => (name.length > 200 ? shortened(name) : name));
    return original.getResourcePath(of, names?.join("/"), resource);
  };
  store.putContent = async (file, content) => {
    const aside = `${file}.${randomUUID()}`;
    const written = await original.putContent(aside, content);
    await rename(aside, file);
    return written;
  };
  store.putObject = (object) => inTurn(() => original.putObject(object));
  store.deleteObject = (of, key) => inTurn(() => original.deleteObject(of, key));
  store.getObject = (of, key, range) =>
    inTurn(async () => {
      const isFirstByte = range?.start === 0 && range.end === 0;
      const found = await original.getObject(of, key, isFirstByte ? { start: 0, end: 1 } : range);
      if (found === null || !isFirstByte) return found;
      found.content?.destroy();
      found.content = createReadStream(store.getResourcePath(of, key, "object"), range);
      await once(found.content, "open");
      return Object.assign(found, { range });
    });
}

interface Signatures {
  getStringToSign: (this: void, asked: { uri: string }, request: unknown) => string;
}

function mendSignatures(signatures: Signatures): void {
  const { getStringToSign } = signatures;
  signatures.getStringToSign = (asked, request) =>
    getStringToSign(/^\/[^/]+$/.test(asked.uri) ? { ...asked, uri: `${asked.uri}/` } : asked, request);
}

function shortened(name: string): string {
  return `${name.slice(0, 150)}~${name.length}${name.slice(-40)}`;
}
