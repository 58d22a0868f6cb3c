import Negotiator from "negotiator";
import { type Language, isLanguage, languages } from "../../texts/languages.ts";
import { ApiError, notAcceptable, notFound } from "../../errors.ts";

/** JSON for programs, the browsable page for people. */
export type Representation = "json" | "page";

const jsonType = "application/json";
const pageType = "text/html";

/**
 * Chooses the representation: the `format` parameter decides (an unknown value throws `unknown()`), then the `Accept`
 * header (406 if it accepts neither). A missing header accepts anything.
 */
export function chooseRepresentation(
  format: string | undefined,
  accept: string | undefined,
  unknown: () => ApiError = notFound,
): Representation {
  if (format === "json") return "json";
  if (format === "api") return "page";
  if (format !== undefined && format !== "") throw unknown();
  if (accept === undefined || accept === "*/*" || accept === jsonType || accept.trim() === "") return "json";
  // `application/json; indent=4` and `application/json; charset=utf-8` are the same type: `q` is the only parameter
  // that counts.
  const types = accept.replaceAll(/;\s*(?!q=)[^\s;,="]+=("(?:[^"\\]|\\.)*"|[^;,"]*)/gi, "");
  const chosen = new Negotiator({ headers: { accept: types } }).mediaType([jsonType, pageType]);
  if (chosen === undefined) throw notAcceptable();
  return chosen === jsonType ? "json" : "page";
}

/** The content codings that Quire can send. */
export type Coding = "br" | "gzip";

/** Clients send a handful of headers, and parsing one takes as long as a fifth of a cached response. */
const knownCodings = new Map<string, Coding | null>();
const maxKnownCodings = 100;

/**
 * The coding that an `Accept-Encoding` header prefers; Brotli if it prefers both equally; null if it accepts neither.
 */
export function codingFor(header: string | undefined): Coding | null {
  if (header === undefined) return null;
  const known = knownCodings.get(header);
  if (known !== undefined) return known;
  const chosen = chooseCoding(header);
  if (knownCodings.size < maxKnownCodings && header.length < 200) knownCodings.set(header, chosen);
  return chosen;
}

function chooseCoding(header: string): Coding | null {
  const negotiator = new Negotiator({ headers: { "accept-encoding": header } }) as Negotiator & {
    // Missing from the package's types.
    encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
  };
  const [chosen] = negotiator.encodings(["br", "gzip", "identity"], { preferred: ["br", "gzip"] });
  return chosen === "br" || chosen === "gzip" ? chosen : null;
}

/** As with codings, clients send a handful of headers. */
const knownLanguages = new Map<string, Language>();

/** The language of pages that an `Accept-Language` header prefers. */
export function languageFor(header: string | undefined): Language {
  if (header === undefined) return languages[0];
  const known = knownLanguages.get(header);
  if (known !== undefined) return known;
  const [chosen = languages[0]] = new Negotiator({ headers: { "accept-language": header } }).languages([
    ...languages,
  ]);
  const language = isLanguage(chosen) ? chosen : languages[0];
  if (knownLanguages.size < maxKnownCodings && header.length < 200) knownLanguages.set(header, language);
  return language;
}

/** DocumentCloud's versions differ in how lists are paginated. An unknown version returns 404, as there. */
export function checkVersion(version: string | undefined): void {
  if (version !== undefined && version !== "1.0" && version !== "2.0") {
    throw new ApiError(404, { detail: "Invalid version in query parameter." });
  }
}

/** The indentation that `Accept: application/json; indent=n` requests, in spaces; 0 means none. */
export function wantedIndent(accept: string | undefined): number {
  if (accept === undefined || !accept.includes("indent")) return 0;
  const match = /application\/json\s*;\s*indent=(\d{1,2})/i.exec(accept);
  return Math.min(Number(match?.[1] ?? 0), 8);
}

const suffixed = /^(\/api\/[^?#]*[^?#/])\.(json|api)(?:\?([^#]*))?$/;

/** The oEmbed endpoint, whose own path ends in `.json`. */
const oembed = /^\/api\/oembed\.json(\?|$)/;

/**
 * Rewrites an address with a format suffix: DocumentCloud accepts `/api/documents.json` for
 * `/api/documents/?format=json`. No id or key contains a dot, so the suffix is unambiguous.
 */
export function withoutFormatSuffix(address: string): string {
  // Most addresses have no dot at all.
  if (!address.includes(".") || oembed.test(address)) return address;
  return address.replace(
    suffixed,
    (_all, path: string, format: string, query?: string) =>
      `${path}/?format=${format}${query === undefined || query === "" ? "" : `&${query}`}`,
  );
}
