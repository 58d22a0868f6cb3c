import type { Locale } from "../../texts/formats.ts";
import type { Language } from "../../texts/languages.ts";

/**
 * The addresses to which every page links: the home page, the root of the API, sign-in, and the static files. The
 * language and the time zone are those of the person who views the page.
 */
export interface Site extends Locale {
  /** Whose site it is, and where that is said. */
  brand: Brand;
  home: string;
  api: string;
  signIn: string;
  signOut: string;
  /** Where users manage their own account. */
  account: string;
  /** Where people find what others have shared with them. */
  shared: string;
  /** Where a password link leads. */
  setPassword: string;
  /** Where people ask for a new password by mail. */
  forgotPassword: string;
  stylesheet: string;
  /** The fonts that the stylesheet needs at once. */
  fonts: readonly string[];
  icon: string;
  /** The script that sends the forms of the browsable page. */
  script: string;
  /** The script that makes and uses passkeys. */
  passkeyScript: string;
  /** The script of the tray of running work. */
  trayScript: string;
  /** What shows a document's pages, by language. */
  viewer: Readonly<Record<Language, PageBundle>>;
  /** Where people upload files. */
  upload: string;
  /** Where people find, sort and change their documents. */
  manage: string;
  /** The page of the work on files that runs for the person who views it. */
  work: string;
  /** The page on which people run add-ons; null where the server runs none. */
  addons: string | null;
  /** The page with the addresses to which the person mails documents; null where the server has none. */
  mailIn: string | null;
  /** The pages for administrators. */
  admin: string;
  /** What administrators tell everyone on every page; null if it is nothing. */
  banner: string | null;
  /** Whether the server changes nothing for now. */
  isReadOnly: boolean;
  /** The pages on which people upload and edit documents, by language. */
  desk: Readonly<Record<Language, PageBundle>>;
  /**
   * The person who views the page. Absent if the page offers neither signing in nor signing out, as the sign-in page
   * does.
   */
  visitor?: Visitor;
}

/** What the people who run the site say of it. */
export interface Brand {
  /** The name in the bar and in the titles of pages. */
  name: string;
  /** What the site is, in a sentence; empty if nothing is said. */
  about: string;
  /** The address of an image beside the name; null for Quire's sign. */
  logo: string | null;
  /** The address of a stylesheet with the site's own colour; null for Quire's. */
  colours: string | null;
  /** Addresses of pages elsewhere; null without them. */
  imprint: string | null;
  privacy: string | null;
}

/** The addresses of what a page runs in the browser, in one language. */
export interface PageBundle {
  readonly script: string;
  readonly stylesheet: string;
  /** The parts of the script that it imports at once. */
  readonly chunks: readonly string[];
}

export interface Visitor {
  /** Null for an anonymous visitor. */
  name: string | null;
  /** Whether they can upload files. */
  mayUpload: boolean;
  /** How much of what they are told of they have not marked as read. */
  unread: number;
  /** Whether work on files runs or waits for them, so that pages show a tray of it. */
  hasWork: boolean;
  /** Whether they see the pages for administrators. */
  isAdministrator: boolean;
  /** The CSRF token for signing out; null if there is no session to end. */
  csrfToken: string | null;
  /** The path and query to return to after signing in or out. */
  here: string;
}

/** The part of the site to which a page belongs. */
export type Section = "documents" | "projects" | "notes" | "upload" | "admin" | "api";

/** Where the visitor finds all documents: signed in, on the host of the session. */
export function documentsAddress({ home, manage, visitor }: Site): string {
  return (visitor?.csrfToken ?? null) === null ? `${home}documents/` : manage;
}
