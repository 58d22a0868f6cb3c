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
const shown: Record<string, string> = {
  pdf: "application/pdf",
  bmp: "image/bmp",
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  png: "image/png",
  tif: "image/tiff",
  tiff: "image/tiff",
  webp: "image/webp",
};

const saved: Record<string, string> = {
  csv: "text/csv",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  odp: "application/vnd.oasis.opendocument.presentation",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  rtf: "application/rtf",
  txt: "text/plain",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** The type for an extension, without its dot, in any case. Send it together with `X-Content-Type-Options: nosniff`. */
export function servedTypeOf(extension: string): ServedType {
  const known = extension.toLowerCase();
  const shownType = Object.hasOwn(shown, known) ? shown[known] : undefined;
  if (shownType !== undefined) return { contentType: shownType, disposition: "inline" };
  const savedType = Object.hasOwn(saved, known) ? saved[known] : undefined;
  return { contentType: savedType ?? "application/octet-stream", disposition: "attachment" };
}

/** The extension for a content type, ignoring its parameters; null if it is unknown. */
export function extensionOfType(contentType: string): string | null {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "text/html") return "html";
  const known = Object.entries({ ...shown, ...saved }).find(([, listed]) => listed === type);
  return known?.[0] ?? null;
}
