import type { RemoteSettings } from "../../../remote/exchange.ts";
import { RemoteError } from "../../../remote/remote-error.ts";
import { type ClientMetadata, readClientMetadata } from "./client-metadata.ts";

/** What a client's document says, and for how many seconds it may be kept. */
export interface ClientDocument extends ClientMetadata {
  freshSeconds: number;
}

const limits = { bytes: 64 * 1024, timeSeconds: 10, idleSeconds: 5 };
const kept = { min: 300, usual: 3600, max: 24 * 3600 };

/** Whether a client's id is the address of a document that describes it. */
export function isDocumentAddress(id: string): boolean {
  if (!/^https:\/\/[!-~]{1,1000}$/.test(id) || /[#\\]/.test(id)) return false;
  const url = URL.parse(id);
  // Any other spelling would be a second name of the same client.
  return (
    url !== null && url.href === id && url.pathname !== "/" && url.username === "" && url.password === ""
  );
}

/**
 * Fetches the document that describes a client: a Client ID Metadata Document. No redirect is followed, so
 * the document comes from the address that is the client's id. Null if there is no valid document.
 */
export async function fetchClientDocument(
  id: string,
  { allowedHosts }: Pick<RemoteSettings, "allowedHosts">,
): Promise<ClientDocument | null> {
  // Loaded when the first client with such a document asks.
  const { askRemote } = await import("../../../remote/fetch-remote.ts");
  try {
    const settings = { limits, allowedHosts, followsRedirects: false };
    await using answer = await askRemote(id, settings, AbortSignal.timeout(limits.timeSeconds * 1000));
    if (answer.status !== 200) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.bytes) chunks.push(chunk);
    const value = JSON.parse(Buffer.concat(chunks).toString("utf8")) as unknown;
    return readDocument(id, value, freshSecondsIn(answer.headers["cache-control"]));
  } catch (error) {
    if (error instanceof RemoteError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Null unless the document says that it is this client's, and that it is a public client's. */
function readDocument(id: string, value: unknown, freshSeconds: number): ClientDocument | null {
  const read = readClientMetadata(value);
  if ("problem" in read) return null;
  const { client_id, client_name, token_endpoint_auth_method: method } = value as Record<string, unknown>;
  if (client_id !== id || typeof client_name !== "string") return null;
  // Nobody has agreed on a secret with such a client.
  if (typeof method === "string" && method.startsWith("client_secret")) return null;
  return { ...read, freshSeconds };
}

function freshSecondsIn(header = ""): number {
  const [, seconds] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(header) ?? [];
  return Math.min(kept.max, Math.max(kept.min, Number(seconds ?? kept.usual)));
}
