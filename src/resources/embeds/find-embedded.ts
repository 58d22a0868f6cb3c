import type { Context } from "../../context.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { pageSizeAt, storedPageSpec } from "../../processing/page-spec.ts";
import { mayEdit } from "../documents/access.ts";
import { type DocumentRow, accessFacts, findDocument } from "../documents/store.ts";
import { mayView as mayViewNote } from "../notes/access.ts";
import { findNote } from "../notes/store.ts";
import { findNamedProject } from "../projects/list-store.ts";
import type { Embedded, Size } from "./oembed.ts";

export interface FoundEmbedded {
  title: string;
  /** Relative to the base of the web pages. Begins and ends with a slash. */
  path: string;
  /** In points. */
  size: Size;
}

/** Finds the object to embed, if the viewer may see it. */
export async function findEmbedded(
  { database }: Pick<Context, "database">,
  viewer: Viewer,
  embedded: Embedded,
): Promise<FoundEmbedded | null> {
  if (embedded.kind === "project") {
    const project = await findNamedProject(database, viewer, embedded.name);
    if (project === null) return null;
    const { id, slug, title } = project;
    return { title, path: `/projects/${id}${slug === "" ? "" : `-${slug}`}/`, size: letter };
  }
  const document = await findDocument(database, viewer, embedded.document);
  if (document === null) return null;
  const { id, slug, title } = document;
  if (embedded.kind === "document") {
    const path = `/documents/${id}-${encodeURIComponent(slug)}/`;
    return { title, path, size: sizeOf(document, 0) };
  }
  if (embedded.kind === "page") {
    const page = embedded.page - 1;
    if (page < 0 || page >= document.page_count) return null;
    return { title, path: `/documents/${id}/pages/${embedded.page}/`, size: sizeOf(document, page) };
  }
  const note = await findNote(database.reader, id, embedded.note);
  if (note === null || !mayViewNote(viewer, note, mayEdit(viewer, accessFacts(document)))) return null;
  const page = sizeOf(document, note.page_number);
  const part = { width: (note.x2 ?? 1) - (note.x1 ?? 0), height: (note.y2 ?? 1) - (note.y1 ?? 0) };
  return {
    title: note.title,
    path: `/documents/${id}/annotations/${note.id}/`,
    size: { width: Math.ceil(page.width * part.width), height: Math.ceil(page.height * part.height) },
  };
}

const letter: Size = { width: 612, height: 792 };

/** The size of a page, counting from 0, in points. Letter size if it is unknown. */
export function sizeOf({ page_spec }: Pick<DocumentRow, "page_spec">, page: number): Size {
  const size = pageSizeAt(storedPageSpec(page_spec), page);
  const [width, height] = [Number(size?.width), Number(size?.height)];
  return width > 0 && height > 0 ? { width, height } : letter;
}
