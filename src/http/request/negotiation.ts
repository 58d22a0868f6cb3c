import Negotiator from "negotiator";
import { ApiError, notAcceptable, notFound } from "../../errors.ts";

/** JSON for a program, the browsable page for a person. */
export type Representation = "json" | "page";

const jsonType = "application/json";
const pageType = "text/html";

/**
 * What to answer with: the `format` parameter decides (an unknown one is "not found", 404), then the `Accept`
 * header (one that neither fits is 406). No header is any.
 */
export function chooseRepresentation(format: string | undefined, accept: string | undefined): Representation {
  if (format === "json") return "json";
  if (format === "api") return "page";
  if (format !== undefined && format !== "") throw notFound();
  if (accept === undefined || accept === "*/*" || accept === jsonType || accept.trim() === "") return "json";
  // `application/json; indent=4` and `application/json; charset=utf-8` are the same type: of parameters, only `q` counts.
  const types = accept.replaceAll(/;\s*(?!q=)[^\s;,="]+=("(?:[^"\\]|\\.)*"|[^;,"]*)/gi, "");
  const chosen = new Negotiator({ headers: { accept: types } }).mediaType([jsonType, pageType]);
  if (chosen === undefined) throw notAcceptable();
  return chosen === jsonType ? "json" : "page";
}

/** The versions of that API differ in how lists are paged. One that there is not is 404, as there. */
export function checkVersion(version: string | undefined): void {
  if (version !== undefined && version !== "1.0" && version !== "2.0") {
    throw new ApiError(404, { detail: "Invalid version in query parameter." });
  }
}

/** The indentation that `Accept: application/json; indent=n` asks for, in spaces; 0 is none. */
export function wantedIndent(accept: string | undefined): number {
  if (accept === undefined || !accept.includes("indent")) return 0;
  const match = /application\/json\s*;\s*indent=(\d{1,2})/i.exec(accept);
  return Math.min(Number(match?.[1] ?? 0), 8);
}
