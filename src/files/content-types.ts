import { fileKinds } from "../file-kinds.ts";

/** How a browser should treat a file: its type, and whether to display or to save it. */
export interface ServedType {
  contentType: string;
  disposition: "inline" | "attachment";
}

/*
 * Files come from strangers and are served from our own origin, so no file may have a type that a browser executes.
 * HTML, SVG, XML and everything that is not listed here is served as bytes to save. Such a list is safe even if it is
 * incomplete.
 */
/** Of page images, which are made here. */
const webp = "image/webp";

/** The type for an extension, without its dot, in any case. Send it together with `X-Content-Type-Options: nosniff`. */
export function servedTypeOf(extension: string): ServedType {
  const known = extension.toLowerCase();
  const { shown, saved } = known === "webp" ? { shown: webp } : (fileKinds.get(known) ?? {});
  if (shown !== undefined) return { contentType: shown, disposition: "inline" };
  return { contentType: saved ?? "application/octet-stream", disposition: "attachment" };
}

/** The extension for a content type, ignoring its parameters; null if it is unknown. */
export function extensionOfType(contentType: string): string | null {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "text/html") return "html";
  if (type === webp) return "webp";
  const known = [...fileKinds].find(([, { shown, saved }]) => type !== "" && (shown ?? saved) === type);
  return known?.[0] ?? null;
}
