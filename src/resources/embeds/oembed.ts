/** An object that can be embedded in another site's page. */
export type Embedded =
  | { kind: "document"; document: number }
  /** Pages count from 1. */
  | { kind: "page"; document: number; page: number }
  | { kind: "note"; document: number; note: number }
  /** The project's id and slug, in either order. */
  | { kind: "project"; name: string };

export interface EmbedAddress {
  embedded: Embedded;
  /** Further parameters of the address, which are passed on to the embedded page. */
  query: URLSearchParams;
}

const id = "(\\d{1,15})";
/** The patterns in the order in which they are tried, each with a function that interprets its numbers. */
const patterns: readonly (readonly [
  pattern: RegExp,
  read: (first: number, second: number, text: string) => Embedded,
])[] = [
  [
    new RegExp(`^/documents/${id}[^/#]*/?#document/p(?:\\d+)/a(\\d{1,15})$`),
    (document, note) => ({ kind: "note", document, note }),
  ],
  [
    new RegExp(`^/documents/${id}[^/#]*/annotations/(\\d{1,15})(?:\\.html)?/?$`),
    (document, note) => ({ kind: "note", document, note }),
  ],
  [
    new RegExp(`^/api/documents/${id}/notes/(\\d{1,15})/?$`),
    (document, note) => ({ kind: "note", document, note }),
  ],
  [
    new RegExp(`^/documents/${id}[^/#]*/?#document/p(\\d{1,9})$`),
    (document, page) => ({ kind: "page", document, page }),
  ],
  [
    new RegExp(`^/documents/${id}[^/#]*/pages/(\\d{1,9})(?:\\.html)?/?$`),
    (document, page) => ({ kind: "page", document, page }),
  ],
  [
    new RegExp(`^/documents/${id}(?:-[^/#]*|[\\w.]*)/?(?:#.*)?$`),
    (document) => ({ kind: "document", document }),
  ],
  [new RegExp(`^/api/documents/${id}/?$`), (document) => ({ kind: "document", document })],
  [/^\/projects\/(\d{1,15}(?:-[^/#]*)?|[^/#]*-\d{1,15})\/?$/, (_, __, name) => ({ kind: "project", name })],
  [/^\/api\/projects\/(\d{1,15})\/?$/, (_, __, name) => ({ kind: "project", name })],
];

/** Reads an address below one of these bases. Null if it names nothing that can be embedded. */
export function readEmbedAddress(text: string, baseUrls: readonly string[]): EmbedAddress | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const baseUrl = baseUrls
    .map((address) => new URL(address))
    .find(({ host, pathname }) => host === url.host && url.pathname.startsWith(pathname.replace(/\/$/, "")));
  if (baseUrl === undefined || !/^https?:$/.test(url.protocol)) return null;
  const below = url.pathname.slice(baseUrl.pathname.replace(/\/$/, "").length);
  const embedded = embeddedAt(unquoted(below + url.hash));
  if (embedded === null) return null;
  const query = new URLSearchParams(url.search);
  for (const name of ["_escaped_fragment_", "embed"]) query.delete(name);
  return { embedded, query };
}

/** Reads a path with its fragment (`#…`). Null if it names nothing that can be embedded. */
export function embeddedAt(path: string): Embedded | null {
  for (const [pattern, read] of patterns) {
    const found = pattern.exec(path);
    if (found !== null) return read(Number(found[1]), Number(found[2]), found[1] ?? "");
  }
  return null;
}

function unquoted(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export interface Size {
  width: number;
  height: number;
}

/**
 * Scales a size to a maximum width or height. Two maxima are taken as they are, and without any the size is unchanged.
 */
export function fitted(natural: Size, { width, height }: Partial<Size>): Size {
  if (width !== undefined && height !== undefined) return { width, height };
  const shape = natural.width / natural.height;
  if (width !== undefined) return { width, height: Math.trunc(width / shape) };
  if (height !== undefined) return { width: Math.trunc(height * shape), height };
  return natural;
}
