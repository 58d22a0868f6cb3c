import type { FastifyInstance, FastifyRequest } from "fastify";
import { insideHeader, insideKey } from "../../http/request/inside.ts";

/** An address of the API with parameters; those that are undefined or null are left out. */
export interface ApiRequest {
  path: string;
  query?: Readonly<Record<string, string | number | null | undefined>>;
  /** Sent as JSON by POST. Without it, the address is read. */
  value?: object;
  /** Sent by POST as a form with a file. */
  form?: { texts: Readonly<Record<string, unknown>>; file: { name: string; text: string } };
}

/** Asks the API. Returns the JSON of its answer, or a plain text. `web` is the base URL of pages for people. */
export type AskApi = ((request: ApiRequest) => Promise<unknown>) & { readonly web: string };

/** The API has refused a request: its status and its words. */
export class ApiRefusalError extends Error {
  override readonly name = "ApiRefusalError";
  readonly status: number;

  constructor(status: number, words: string) {
    super(words);
    this.status = status;
  }
}

/** What says who the client is, and under which address it knows this server. */
const passedOn = [
  "authorization",
  "host",
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "traceparent",
  "user-agent",
] as const;

/**
 * Asks the API as the sender of another request. These requests pass the same hooks and routes as those of any client,
 * so that they have the same rights, limits and refusals. A cookie is not passed on: a page of another site could send
 * it. The token of a connected assistant, which opens nothing else, is taken because the request says that it comes
 * from inside.
 */
export function asking(app: FastifyInstance, web: string, { headers, raw }: FastifyRequest): AskApi {
  const { remoteAddress } = raw.socket;
  const own = Object.fromEntries(
    passedOn.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  const ask = async ({ path, query = {}, value, form }: ApiRequest): Promise<unknown> => {
    const sent = await bodyOf(value, form);
    const parameters = Object.entries(query).flatMap(([name, given]) =>
      given === undefined || given === null ? [] : [[name, String(given)] as [string, string]],
    );
    const search = new URLSearchParams(parameters).toString();
    const answer = await app.inject({
      method: sent === null ? "GET" : "POST",
      url: search === "" ? path : `${path}?${search}`,
      headers: { ...own, accept: "*/*", ...sent?.headers, [insideHeader]: insideKey },
      ...(remoteAddress !== undefined && { remoteAddress }),
      ...(sent !== null && { payload: sent.payload }),
    });
    if (answer.statusCode >= 400) throw new ApiRefusalError(answer.statusCode, answer.body);
    const isJson = /^application\/json\b/.test(answer.headers["content-type"] ?? "");
    return isJson ? (JSON.parse(answer.body) as unknown) : answer.body;
  };
  return Object.assign(ask, { web });
}

async function bodyOf(
  value: ApiRequest["value"],
  form: ApiRequest["form"],
): Promise<{ payload: string | Buffer; headers: Record<string, string> } | null> {
  if (value !== undefined) {
    return { payload: JSON.stringify(value), headers: { "content-type": "application/json" } };
  }
  if (form === undefined) return null;
  const data = new FormData();
  for (const [name, text] of Object.entries(form.texts)) data.set(name, String(text));
  const { name, text } = form.file;
  data.set("file", new File([text], name, { type: "text/plain" }));
  const encoded = new Response(data);
  const type = encoded.headers.get("content-type") ?? "";
  return { payload: Buffer.from(await encoded.arrayBuffer()), headers: { "content-type": type } };
}
