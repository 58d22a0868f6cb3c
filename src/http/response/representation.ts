import { createHash, hash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { browsableAnswer } from "../browsable/browsable-answer.ts";
import { indentJson, indentedParts } from "../text/json-text.ts";
import { jsonInSlices, oneByOne } from "../text/slices.ts";
import { isAmong } from "../request/entity-tag.ts";
import { wantedIndent } from "../request/negotiation.ts";
import { formSecurityPolicy, pageSecurityPolicy, withTray } from "../browsable/page-shell.ts";
import { hasTray } from "../browsable/visited-site.ts";
import type { Links } from "../request/pagination.ts";

/** JSON to send, and its entity tag: equal tags mean equal bytes. */
export interface Content {
  body: Buffer;
  etag: string;
  /** The methods that this viewer may use here besides reading: the browsable page has forms for them. */
  offers?: readonly ("POST" | "PUT" | "PATCH" | "DELETE")[];
}

export function content(value: unknown, offers: NonNullable<Content["offers"]> = []): Content {
  return { ...tagged(Buffer.from(JSON.stringify(value))), offers };
}

/** The same for a value that may be long: other requests are served while its JSON is written. */
export async function longContent(value: unknown): Promise<Content> {
  const parts: Buffer[] = [];
  const hasher = createHash("sha1");
  for await (const slice of jsonInSlices(value)) {
    const part = Buffer.from(slice);
    hasher.update(part);
    parts.push(part);
  }
  return { body: Buffer.concat(parts), etag: `"${hasher.digest("base64url")}"` };
}

/** A page of a small list. */
export async function pageContent(
  { next, previous }: Links,
  results: readonly unknown[],
  offers: NonNullable<Content["offers"]> = [],
): Promise<Content & Links> {
  return { ...(await longContent({ next, previous, results })), next, previous, offers };
}

/** Content whose entity tag is a digest of its bytes. */
export function tagged(body: Buffer): Content {
  return { body, etag: `"${hash("sha1", body, "base64url")}"` };
}

/** Longer JSON is indented while it is sent. */
const maxIndentedAtOnce = 128 * 1024;

/** Sends JSON, or the page that shows that JSON, as the request prefers. This is the only function that chooses. */
export function send(
  request: FastifyRequest,
  reply: FastifyReply,
  json: Content & Partial<Links>,
): FastifyReply {
  const { view, allow } = request.routeOptions.config;
  reply.header("content-type", "application/json");
  if (allow !== undefined) reply.header("allow", allow);
  if (view !== undefined && request.representation === "page") {
    const { page, hasForms } = browsableAnswer(request, reply, view, json);
    reply.header("content-security-policy", hasForms ? formSecurityPolicy : pageSecurityPolicy);
    allowTray(reply);
    return sendTagged(reply.header("content-type", "text/html; charset=utf-8"), tagged(Buffer.from(page)));
  }
  const indent = wantedIndent(request.headers.accept);
  if (indent === 0) return sendTagged(reply, json);
  if (json.body.length > maxIndentedAtOnce) {
    const etag = `"${hash("sha1", `${json.etag} ${indent}`, "base64url")}"`;
    const make = (): AsyncGenerator<Buffer> => indentedParts(json.body.toString(), indent);
    return sendLongText(request, reply, { contentType: "application/json", etag, make });
  }
  return sendTagged(reply, tagged(Buffer.from(indentJson(json.body.toString(), indent))));
}

/** Sends an HTML page that has no JSON counterpart. Its language may follow the browser's. */
export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  reply.header("vary", `${String(reply.getHeader("vary") ?? "Accept")}, Accept-Language`);
  allowTray(reply);
  return sendText(reply, "text/html; charset=utf-8", html);
}

/** Lets a page run the script of the tray, if it has the tray. */
function allowTray(reply: FastifyReply): void {
  const policy = reply.getHeader("content-security-policy");
  if (typeof policy === "string" && hasTray(reply.request.viewer))
    reply.header("content-security-policy", withTray(policy));
}

/** Sends a text of another type, with its entity tag. */
export function sendText(reply: FastifyReply, contentType: string, text: string): FastifyReply {
  return sendTagged(reply.header("content-type", contentType), tagged(Buffer.from(text)));
}

/** A long text, which is generated while it is sent. */
export interface LongText {
  contentType: string;
  /** Null if it is not known before the text is generated. */
  etag: string | null;
  make: () => AsyncGenerator<Buffer>;
}

/** Sends a long text. The text is not generated for HEAD, nor for a client that already has it. */
export function sendLongText(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { contentType, etag, make }: LongText,
): FastifyReply {
  if (etag !== null) {
    reply.header("etag", etag);
    if (isAmong(etag, headers["if-none-match"])) return reply.code(304).send();
  }
  reply.header("content-type", contentType);
  return method === "HEAD"
    ? reply.send()
    : reply.send(Readable.from(oneByOne(make()), { objectMode: false }));
}

function sendTagged(reply: FastifyReply, { body, etag }: Content): FastifyReply {
  if (reply.statusCode === 200) reply.header("etag", etag);
  return reply.send(body);
}
