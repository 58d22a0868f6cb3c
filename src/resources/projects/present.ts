import type { Project } from "../../contract/project.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { mayAdminister, mayEditDocuments } from "./access.ts";
import type { ProjectRow } from "./list-store.ts";

/** A project as the API shows it to the viewer for whom it was read. */
export function presentProject(row: ProjectRow, viewer: Viewer): Project {
  const { id, created_at, updated_at, description, slug, title, user_id } = row;
  return {
    id,
    created_at,
    updated_at,
    description,
    edit_access: shownRight(viewer, mayAdminister(viewer, row)),
    add_remove_access: shownRight(viewer, mayEditDocuments(viewer, row)),
    private: Boolean(row.private),
    slug,
    title,
    user: user_id,
    pinned: Boolean(row.pinned),
  };
}

/** The path of a project's page. */
export function projectPath({ id, slug }: { id: number; slug: string }): string {
  return `/projects/${id}${slug === "" ? "" : `-${encodeURIComponent(slug)}`}/`;
}

/** A missing right is false for anonymous viewers and null for signed-in ones, as in DocumentCloud. */
function shownRight(viewer: Viewer, has: boolean): boolean | null {
  return has || (viewer.kind === "anonymous" ? false : null);
}
