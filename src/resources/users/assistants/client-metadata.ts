import { hostOf, isRedirectAddress } from "./redirect-address.ts";

/** What a client says of itself. */
export interface ClientMetadata {
  name: string;
  redirectUris: readonly string[];
}

/** What is wrong with it, with the codes of RFC 7591. */
export interface MetadataProblem {
  problem: "invalid_redirect_uri" | "invalid_client_metadata";
  description: string;
}

const maxNameLength = 100;
const maxRedirects = 20;

/** Reads what a client sends to register, or says in its document. It is from a stranger: nothing of it is trusted. */
export function readClientMetadata(value: unknown): ClientMetadata | MetadataProblem {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return invalid("It is no object.");
  const { redirect_uris, client_name, grant_types, response_types } = value as Record<string, unknown>;
  if (!areTexts(redirect_uris) || redirect_uris.length === 0 || redirect_uris.length > maxRedirects) {
    return badRedirect(`redirect_uris must be a list of up to ${maxRedirects} addresses.`);
  }
  if (!redirect_uris.every(isRedirectAddress)) {
    return badRedirect("Redirects lead to https:// addresses, or to http:// on localhost.");
  }
  if (grant_types !== undefined && !(areTexts(grant_types) && grant_types.includes("authorization_code"))) {
    return invalid("grant_types must include authorization_code.");
  }
  if (response_types !== undefined && !(areTexts(response_types) && response_types.includes("code"))) {
    return invalid("response_types must include code.");
  }
  if (client_name !== undefined && typeof client_name !== "string") return invalid("client_name is no text.");
  const [first = ""] = redirect_uris;
  return { name: shownName(client_name) || hostOf(first) || "localhost", redirectUris: redirect_uris };
}

/** A name that hides nothing: one line, without characters that are not seen or that turn the text around. */
function shownName(name = ""): string {
  const plain = name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return plain.slice(0, maxNameLength).toWellFormed();
}

const areTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

const invalid = (description: string): MetadataProblem => ({
  problem: "invalid_client_metadata",
  description,
});

const badRedirect = (description: string): MetadataProblem => ({
  problem: "invalid_redirect_uri",
  description,
});
