import type { FastifyInstance, FastifyRequest } from "fastify";
import { invalidWhole, unreadableBody, unsupportedMediaType } from "../errors.ts";

/** What a request brought: a JSON value, or a form's texts by name. */
export type Body = { readonly json: unknown } | { readonly form: ReadonlyMap<string, readonly string[]> };

export const jsonBody = "application/json";
export const multipartBody = "multipart/form-data";
export const urlencodedBody = "application/x-www-form-urlencoded";
export const everyBody = [jsonBody, multipartBody, urlencodedBody];

/** No body at all counts as an object without members. */
const nothing: Body = { json: {} };

/** Reads bodies of the types that a route's view parses; any other is 415, one over the limit 413. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, async (request: FastifyRequest, bytes: Buffer) => {
    const given = request.headers["content-type"] ?? "";
    if (bytes.length === 0 && given === "") return nothing;
    const type = given.split(";", 1)[0]?.trim().toLowerCase() ?? "";
    if (!(request.routeOptions.config.view?.parses ?? [urlencodedBody]).includes(type)) {
      throw unsupportedMediaType(given);
    }
    return type === jsonBody ? readJson(bytes) : readForm(bytes, given);
  });
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

function readJson(bytes: Buffer): Body {
  try {
    return { json: bytes.length === 0 ? {} : (JSON.parse(utf8.decode(bytes)) as unknown) };
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : "not UTF-8";
    // V8 quotes what it could not read, which may be long, and half a character.
    throw unreadableBody(`JSON parse error - ${reason.replace(/, (\.\.\.)?".*/s, "").toWellFormed()}`);
  }
}

async function readForm(bytes: Buffer, contentType: string): Promise<Body> {
  const form = new Map<string, string[]>();
  try {
    const read = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
    for (const [name, value] of read) {
      const text = typeof value === "string" ? value : await value.text();
      const known = form.get(name);
      if (known === undefined) form.set(name, [text]);
      else known.push(text);
    }
  } catch {
    throw unreadableBody("Multipart form parse error - the form could not be read");
  }
  return { form };
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
