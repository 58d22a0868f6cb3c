import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidWhole, tooLarge, unreadableBody, unsupportedMediaType } from "../../errors.ts";
import {
  type FilePart,
  type Form,
  type MultipartLimits,
  addText,
  maxFormParts,
  readMultipart,
  tooManyParts,
} from "./multipart.ts";
import { countPairs, pairsIn } from "./urlencoded.ts";

/** What a request brought: a JSON value, or a form's texts by name and perhaps a file. */
export type Body = { readonly json: unknown } | { readonly form: Form; readonly file?: SentFile };

/** A file that came with a form, where its route has put it. */
export interface SentFile {
  /** As its sender called it. */
  name: string;
  /** Its path on this machine. */
  place: string;
  /** In bytes. */
  size: number;
}

/** How a route takes a file that comes in a form. */
export interface FileTaking {
  /** In bytes. */
  limit: number;
  /** Refuses it, or takes all of it; `before` are the texts that came before it. */
  take(request: FastifyRequest, file: FilePart, before: Form): Promise<SentFile>;
  /** For a file that was taken and that no handler will get. */
  drop(file: SentFile): Promise<void>;
}

export const jsonBody = "application/json";
export const multipartBody = "multipart/form-data";
export const urlencodedBody = "application/x-www-form-urlencoded";
export const everyBody = [jsonBody, multipartBody, urlencodedBody];

/** In bytes: for routes that take a few short texts, also where each byte is percent-encoded. */
export const shortBodyLimit = 32 * 1024;

/** No body at all counts as an object without members. */
const nothing: Body = { json: {} };

/** Reads bodies of the types that a route's view parses; any other is 415, one over the limit 413. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, bytes: Buffer) => {
    const given = request.headers["content-type"] ?? "";
    if (bytes.length === 0 && given === "") return nothing;
    return typeOf(request, given) === jsonBody ? readJson(bytes) : readForm(bytes);
  });
  app.addContentTypeParser(multipartBody, async (request: FastifyRequest, bytes: Readable) => {
    const given = request.headers["content-type"] ?? "";
    typeOf(request, given);
    return readParts(request, bytes, given);
  });
}

/** The type of a body, if its route takes it. */
function typeOf(request: FastifyRequest, given: string): string {
  const type = given.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if ((request.routeOptions.config.view?.parses ?? [urlencodedBody]).includes(type)) return type;
  throw unsupportedMediaType(given);
}

export function bodyOf(request: FastifyRequest): Body {
  return (request.body as Body | undefined) ?? nothing;
}

/** The value of a JSON body, or a form as an object of its last texts. */
export function valueOf(body: Body): unknown {
  return "json" in body
    ? body.json
    : Object.fromEntries([...body.form].map(([name, texts]) => [name, texts.at(-1)]));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const lenientUtf8 = new TextDecoder();

/** Deeper than any field goes. `JSON.parse` is slow on millions of open brackets. */
const maxJsonDepth = 100;

function readJson(bytes: Buffer): Body {
  if (isNestedDeeper(bytes, maxJsonDepth)) {
    throw unreadableBody(`JSON parse error - nested more than ${maxJsonDepth} deep`);
  }
  try {
    return { json: bytes.length === 0 ? {} : (JSON.parse(utf8.decode(bytes)) as unknown) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "not UTF-8";
    // V8 quotes what it could not read, which may be long, and half a character.
    throw unreadableBody(`JSON parse error - ${reason.replace(/, (\.\.\.)?".*/s, "").toWellFormed()}`);
  }
}

/** Of brackets outside of strings, whether or not the rest is JSON. */
function isNestedDeeper(bytes: Buffer, maxDepth: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === 0x22) isInString = !isInString;
    else if (isInString) at += byte === 0x5c ? 1 : 0;
    else if (byte === 0x5b || byte === 0x7b) depth += 1;
    else if (byte === 0x5d || byte === 0x7d) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** Counted before it is read, so that a refusal costs next to nothing. */
function readForm(bytes: Buffer): Body {
  if (countPairs(bytes) > maxFormParts) throw tooManyParts();
  const form = new Map<string, string[]>();
  for (const [name, text] of pairsIn(lenientUtf8.decode(bytes))) addText(form, name, text);
  return { form };
}

async function readParts(request: FastifyRequest, bytes: Readable, contentType: string): Promise<Body> {
  const { bodyLimit, config } = request.routeOptions;
  const { takesFile = null } = config;
  const limits: MultipartLimits = { texts: bodyLimit, file: takesFile?.limit ?? 0 };
  if (Number(request.headers["content-length"] ?? 0) > limits.texts + limits.file) {
    throw tooLarge("Request body is too large");
  }
  if (takesFile === null) return { form: await readMultipart(bytes, contentType, limits, null) };
  const files: SentFile[] = [];
  try {
    const form = await readMultipart(bytes, contentType, limits, async (part, before) => {
      files.push(await takesFile.take(request, part, before));
    });
    const [file] = files;
    return file === undefined ? { form } : { form, file };
  } catch (error) {
    for (const file of files) await takesFile.drop(file);
    throw error;
  }
}

/** The members of an object that was sent. */
export type Members = ReadonlyMap<string, unknown>;

/** What a JSON value has instead of members, in the words of that API. */
export function membersOf(value: unknown): Members {
  if (value === null) throw invalidWhole("No data provided");
  if (typeof value !== "object" || Array.isArray(value)) {
    throw invalidWhole(`Invalid data. Expected a dictionary, but got ${nameOfType(value)}.`);
  }
  return new Map(Object.entries(value));
}

/** As that API's clients know the types of JSON. */
export function nameOfType(value: unknown): string {
  if (value === null) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return "dict";
}
