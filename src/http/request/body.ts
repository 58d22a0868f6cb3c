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

/** The body of a request: a JSON value, or a form's texts by name with at most one file. */
export type Body = { readonly json: unknown } | { readonly form: Form; readonly file?: SentFile };

/** A file that a form contained, stored by its route. */
export interface SentFile {
  /** The name that the client gave it. */
  name: string;
  /** Its path on this machine. */
  path: string;
  /** In bytes. */
  size: number;
}

/** How a route stores the file that a form contains. */
export interface FileTaking {
  /** In bytes. */
  limit: number;
  /** Rejects the file, or stores all of it; `before` holds the texts that came before it. */
  take(request: FastifyRequest, file: FilePart, before: Form): Promise<SentFile>;
  /** Removes a stored file that no handler will receive. */
  drop(file: SentFile): Promise<void>;
}

export const jsonBody = "application/json";
export const multipartBody = "multipart/form-data";
export const urlencodedBody = "application/x-www-form-urlencoded";
const everyBody = [jsonBody, multipartBody, urlencodedBody];

/** The content types of the bodies that a path accepts. */
export function typesOfBodies({ parses = everyBody }: { parses?: readonly string[] }): readonly string[] {
  return parses;
}

/** In bytes: for routes that take a few short texts, even if every byte is percent-encoded. */
export const shortBodyLimit = 32 * 1024;

/** A missing body counts as an empty object. */
const nothing: Body = { json: {} };

/** Parses bodies of the types that a route's view lists; any other type returns 415, a longer body 413. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, bytes: Buffer) => {
    const contentType = request.headers["content-type"] ?? "";
    if (bytes.length === 0 && contentType === "") return nothing;
    return typeOf(request, contentType) === jsonBody ? readJson(bytes) : readForm(bytes);
  });
  app.addContentTypeParser(multipartBody, async (request: FastifyRequest, bytes: Readable) => {
    const contentType = request.headers["content-type"] ?? "";
    typeOf(request, contentType);
    return readParts(request, bytes, contentType);
  });
}

/** The type of a body. Throws 415 if its route does not accept it: without a view, it accepts the forms of its page. */
function typeOf(request: FastifyRequest, contentType: string): string {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const { view, takesFile } = request.routeOptions.config;
  const parses =
    view === undefined ? [takesFile === undefined ? urlencodedBody : multipartBody] : typesOfBodies(view);
  if (parses.includes(type)) return type;
  throw unsupportedMediaType(contentType);
}

export function bodyOf(request: FastifyRequest): Body {
  return (request.body as Body | undefined) ?? nothing;
}

/** The texts of a form, by the names of its fields. Empty if the body is not a form. */
export function formOf(request: FastifyRequest): Form {
  const body = bodyOf(request);
  return "form" in body ? body.form : new Map();
}

/** The last text of a field of a form; empty without one. */
export const textIn = (request: FastifyRequest, name: string): string =>
  formOf(request).get(name)?.at(-1) ?? "";

/** The value of a JSON body, or a form as an object of its last texts. */
export function valueOf(body: Body): unknown {
  return "json" in body
    ? body.json
    : Object.fromEntries([...body.form].map(([name, texts]) => [name, texts.at(-1)]));
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const lenientUtf8 = new TextDecoder();

/** Deeper than any field is nested. `JSON.parse` is slow on millions of open brackets. */
const maxJsonDepth = 100;

function readJson(bytes: Buffer): Body {
  if (isNestedDeeper(bytes, maxJsonDepth)) {
    throw unreadableBody(`JSON parse error - nested more than ${maxJsonDepth} deep`);
  }
  try {
    return { json: bytes.length === 0 ? {} : (JSON.parse(utf8.decode(bytes)) as unknown) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "not UTF-8";
    // V8's message quotes the input, which may be long and may break off in the middle of a character.
    throw unreadableBody(`JSON parse error - ${reason.replace(/, (\.\.\.)?".*/s, "").toWellFormed()}`);
  }
}

/** Counts brackets outside strings, whether or not the rest is JSON. */
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

/** Pairs are counted before they are parsed, so that a refusal costs next to nothing. */
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

/** The members of a JSON object in a request. */
export type Members = ReadonlyMap<string, unknown>;

/** The members of a JSON value. Throws the message of Django REST framework if it is not an object. */
export function membersOf(value: unknown): Members {
  if (value === null) throw invalidWhole("No data provided");
  if (typeof value !== "object" || Array.isArray(value)) {
    throw invalidWhole(`Invalid data. Expected a dictionary, but got ${nameOfType(value)}.`);
  }
  return new Map(Object.entries(value));
}

/** The Python name of a JSON type, as in DocumentCloud's messages. */
export function nameOfType(value: unknown): string {
  if (value === null) return "NoneType";
  if (Array.isArray(value)) return "list";
  if (typeof value === "string") return "str";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float";
  return "dict";
}
