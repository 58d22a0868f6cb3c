import { credentialsRequired, permissionDenied } from "../../errors.ts";

/** The user who sent a request, as the database had them when it arrived, or an anonymous visitor. */
export type Viewer = AnonymousViewer | SignedInViewer;

export interface AnonymousViewer {
  readonly kind: "anonymous";
  /** What guest links open to this visitor; absent for a visitor who has opened none. */
  readonly guest?: Guest;
  /**
   * The person who has signed in in the browser of this guest. Their account does not see the document, so their rights
   * do not count: pages show their name, and the history says that they opened it.
   */
  readonly account?: SignedInViewer;
}

/**
 * What a visitor may see by guest links besides what everyone may: of the documents that the request's address names,
 * those that a link covers at this moment. So a guest sees no list of them.
 */
export interface Guest {
  /** By the id of each document: whether a link lets the visitor have its files and its text. */
  readonly documents: ReadonlyMap<number, { readonly mayDownload: boolean }>;
}

export type ProjectAccess = "view" | "edit" | "admin";

/** The run of an add-on: its token reaches these documents alone. */
export interface RunOfViewer {
  readonly id: number;
  readonly uuid: string;
  /** The event that has started it. */
  readonly event: number | null;
  /** Those that were chosen for it and those that it has made: a new one is added while a request makes it. */
  readonly documents: Set<number>;
}

export interface SignedInViewer {
  readonly kind: "user";
  readonly id: number;
  readonly username: string;
  readonly name: string;
  /** The language of pages, such as `de`; empty if the browser's languages decide. */
  readonly language: string;
  /** The time zone of moments on pages, as an IANA name; empty for UTC. */
  readonly timeZone: string;
  readonly isAdministrator: boolean;
  /** How much of what they are told of they have not marked as read. */
  readonly unread: number;
  /** Whether work on files runs or waits for them. */
  readonly hasWork: boolean;
  /** The active organization: new documents and projects belong to it. */
  readonly organization: number | null;
  /** Ids of the user's organizations. */
  readonly organizations: ReadonlySet<number>;
  /** By the id of each project in which the user collaborates. */
  readonly projects: ReadonlyMap<number, ProjectAccess>;
  /** False for a read-only token. */
  readonly mayWrite: boolean;
  /** Whether the user authenticated with a personal token, which cannot manage the account itself. */
  readonly hasPersonalToken: boolean;
  /** Present if the token is that of a run of an add-on. */
  readonly run?: RunOfViewer;
  /**
   * The token that every change made with a session cookie must carry; null if the user did not authenticate with a
   * cookie.
   */
  readonly csrfToken: string | null;
}

export const anonymous: AnonymousViewer = { kind: "anonymous" };

/** The signed-in viewer. Throws 403 for an anonymous one. */
export function signedIn(viewer: Viewer): SignedInViewer {
  if (viewer.kind === "anonymous") throw credentialsRequired();
  return viewer;
}

/** The signed-in viewer with write permission. Throws 403 otherwise. */
export function writing(viewer: Viewer): SignedInViewer {
  const user = signedIn(viewer);
  if (!user.mayWrite) throw permissionDenied();
  return user;
}

/** Whether the viewer has signed in with write permission. */
export function mayWrite(viewer: Viewer): viewer is SignedInViewer {
  return viewer.kind === "user" && viewer.mayWrite;
}
