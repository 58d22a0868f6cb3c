import http from "node:http";
import { gunzipSync, inflateRawSync } from "node:zlib";
import type { Person, Session } from "./people.ts";
import type { TestApp } from "./test-app.ts";

/** A person whose every kind of credentials a test may use. */
export interface Asker extends Person {
  /** The headers of a browser in which they have signed in. */
  session: Session;
  /** The headers of a program whose token may not change anything. */
  readOnly: { authorization: string };
}

/** What is asked, apart from who asks. */
export interface Asked {
  method: string;
  target: string;
  /** Sent as JSON. */
  value?: unknown;
  /** Sent as it is, with the content type in the headers. */
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** The credentials: the token of a program (by default), the session of a browser, or others. */
  by?: "token" | "session" | "session without CSRF token" | "read-only token";
}

/** An answer. Two of them are equal if no client could tell them apart. */
export interface Reply {
  status: number;
  /** Without the headers that differ between any two answers. */
  headers: string;
  /** Each byte is a character. */
  body: string;
  /** The body names the thing that was asked about, so its tag and the tags of other answers differ. */
  repeatsId?: boolean | undefined;
}

// Requests of Node's own client cost half of what `fetch` costs, and a matrix sends tens of thousands.
const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });

/** They differ between any two answers, or say how the connection goes on. */
const incidental: ReadonlySet<string> = new Set(["date", "x-request-id", "connection", "keep-alive"]);

/** Asks on behalf of a person, or of nobody. A stream of events is read until its first event. */
export function ask(app: Pick<TestApp, "url">, person: Asker | null, asked: Asked): Promise<Reply> {
  const { method, target, value, body = value === undefined ? undefined : JSON.stringify(value) } = asked;
  const headers = {
    ...credentialsOf(person, asked),
    ...(value === undefined ? {} : { "content-type": "application/json" }),
    ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
    ...asked.headers,
  };
  return new Promise((resolve, reject) => {
    const request = http.request(app.url + target, { method, agent, headers }, (response) => {
      const parts: Buffer[] = [];
      const isEndless = response.headers["content-type"]?.startsWith("text/event-stream") === true;
      const end = (): void => {
        resolve({
          status: response.statusCode ?? 0,
          headers: headersOf(response.rawHeaders),
          body: textOf(Buffer.concat(parts), response.headers),
        });
      };
      response.on("data", (part: Buffer) => {
        parts.push(part);
        if (!isEndless) return;
        end();
        request.destroy();
      });
      response.once("end", end);
      response.once("error", reject);
    });
    request.once("error", reject);
    request.end(body);
  });
}

/** What `fetch` sends besides, as far as an answer may depend on it. */
const ofFetch = { accept: "*/*", "sec-fetch-mode": "cors" };

/** What `fetch` answers, for half of its work. It follows no redirect, and a stream of events ends at once. */
export function plainFetch(
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string | Buffer | undefined },
): Promise<Response> {
  const { method, body } = init;
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const headers = { ...ofFetch, ...init.headers, ...length };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, agent, headers }, (response) => {
      const { statusCode: status = 0 } = response;
      const told = response.rawHeaders.flatMap((name, index, raw): [string, string][] =>
        index % 2 === 0 ? [[name, raw[index + 1] ?? ""]] : [],
      );
      const parts: Buffer[] = [];
      const end = (): void => {
        const isEmpty = status === 204 || status === 304 || parts.length === 0;
        resolve(new Response(isEmpty ? null : Buffer.concat(parts), { status, headers: told }));
      };
      if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
        end();
        request.destroy();
        return;
      }
      response.on("data", (part: Buffer) => parts.push(part));
      response.once("end", end);
      response.once("error", reject);
    });
    request.once("error", reject);
    request.end(body);
  });
}

/** What is in a compressed answer or an archive, and any other answer as it is. */
function textOf(bytes: Buffer, headers: http.IncomingHttpHeaders): string {
  if (bytes.length === 0) return "";
  if (headers["content-encoding"] === "gzip") return gunzipSync(bytes).toString("latin1");
  return headers["content-type"] === "application/zip" ? zipText(bytes) : bytes.toString("latin1");
}

/** The names and the contents of the files in an archive: the rest of it depends on when it was made. */
function zipText(archive: Buffer): string {
  const end = archive.lastIndexOf("PK\u0005\u0006");
  const files: string[] = [];
  for (let at = archive.readUInt32LE(end + 16); archive.readUInt32LE(at) === 0x02014b50;) {
    const [names, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const isPacked = archive.readUInt16LE(at + 10) === 8;
    const file = archive.readUInt32LE(at + 42);
    const begin = file + 30 + archive.readUInt16LE(file + 26) + archive.readUInt16LE(file + 28);
    const content = archive.subarray(begin, begin + archive.readUInt32LE(at + 20));
    const name = archive.toString("latin1", at + 46, at + 46 + names);
    files.push(`${name}: ${(isPacked ? inflateRawSync(content) : content).toString("latin1")}`);
    at += 46 + names + extra + comment;
  }
  return files.join("\n");
}

function credentialsOf(person: Asker | null, { by = "token" }: Asked): Record<string, string> {
  if (person === null) return {};
  if (by === "session") return { ...person.session };
  if (by === "session without CSRF token") return { cookie: person.session.cookie };
  return by === "token" ? { ...person.headers } : { ...person.readOnly };
}

function headersOf(raw: readonly string[]): string {
  const lines: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    if (!incidental.has(name)) lines.push(`${name}: ${raw[index + 1]}`);
  }
  return lines.toSorted().join("\n");
}

/** The answer with these ids replaced by their names, so that the same answer about another thing is equal to it. */
export function withoutIds(reply: Reply, ids: Readonly<Record<string, number | string>>): Reply {
  let { headers, body } = reply;
  for (const [name, id] of Object.entries(ids)) {
    headers = headers.replaceAll(String(id), `<${name}>`);
    body = body.replaceAll(String(id), `<${name}>`);
  }
  return { ...reply, headers, body, repeatsId: body !== reply.body };
}

/** The JSON of an answer; null if it is anything else. */
export function jsonOf({ headers, body }: Reply): unknown {
  if (body === "" || !/^content-type: application\/json/m.test(headers)) return null;
  return JSON.parse(Buffer.from(body, "latin1").toString());
}
