import { credentialsRequired, permissionDenied } from "../../errors.ts";

/** Who is asking, as the database knew them when the request came in. */
export type Viewer = AnonymousViewer | SignedInViewer;

export interface AnonymousViewer {
  readonly kind: "anonymous";
}

export type ProjectAccess = "view" | "edit" | "admin";

export interface SignedInViewer {
  readonly kind: "user";
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly isAdministrator: boolean;
  /** The active organization: what they make belongs to it. */
  readonly organization: number | null;
  /** Ids of the organizations that they belong to. */
  readonly organizations: ReadonlySet<number>;
  /** By the ids of the projects that they collaborate in. */
  readonly projects: ReadonlyMap<number, ProjectAccess>;
  /** False for a token that may only read. */
  readonly mayWrite: boolean;
  /** What every change made with a session cookie has to carry; null when no cookie signed them in. */
  readonly csrfToken: string | null;
}

export const anonymous: AnonymousViewer = { kind: "anonymous" };

/** The viewer, if they have signed in; 403 if not. */
export function signedIn(viewer: Viewer): SignedInViewer {
  if (viewer.kind === "anonymous") throw credentialsRequired();
  return viewer;
}

/** The viewer, if they have signed in with what may also write; 403 if not. */
export function writing(viewer: Viewer): SignedInViewer {
  const user = signedIn(viewer);
  if (!user.mayWrite) throw permissionDenied();
  return user;
}

/** Whether they have signed in with what may also write. */
export function mayWrite(viewer: Viewer): viewer is SignedInViewer {
  return viewer.kind === "user" && viewer.mayWrite;
}
