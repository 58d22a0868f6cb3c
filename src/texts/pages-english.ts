import { commonEnglish } from "./common-english.ts";
import type { AdminPageName } from "../contract/page-options.ts";
import { accountEnglish } from "./account-english.ts";
import { documentEnglish } from "./document-english.ts";
import { fieldsEnglish } from "./fields-english.ts";
import { Formats } from "./formats.ts";
import { mailsEnglish } from "./mails-english.ts";

const formats = new Formats("en");

/** The texts of the pages that the server renders, in English. A translation is another object of this type. */
export const english = {
  formats,
  ...commonEnglish,
  describing: fieldsEnglish,

  skip: "Skip to the content",
  site: "Site",
  projects: "Projects",
  notes: "Notes",
  upload: "Upload",
  manage: "Manage",
  manageDocuments: "Manage documents",
  admin: "Admin",
  sharedWithYou: "Shared with you",
  signIn: "Sign in",
  signOut: "Sign out",
  signedInAs: "Signed in as",
  servedBy: "Served by Quire: documents for people and for programs.",
  apiDocumentation: "API documentation",
  pages: "Pages",

  search: "Search",
  searchDocuments: "Search the documents",
  noDocumentsHere: "There are no documents on this page.",
  noDocumentsYet: "There are no documents yet",
  noteOnPage: (page: number) => `Note on page ${page}`,
  morePages: (count: number) => formats.plural(count, { one: "And 1 page more", other: "And # pages more" }),
  nothingFound: "Nothing was found.",
  documentsFound: (count: number) => formats.plural(count, { one: "One document.", other: "# documents." }),
  pageCount: (count: number) => formats.plural(count, { one: "1 page", other: "# pages" }),
  queryEscaped: "Part of the query is not valid and was searched for as plain text.",
  wildcardsIgnored:
    "The wildcards *, ? and ~ were not used: only people who have signed in can search with them.",
  leftOut: "Words that were left out, each with a search that demands it:",
  demandWord: (word: string) => `Search with “${word}”`,
  roughOrder:
    "The words of older documents are being counted. Until then everything is found, but in a rough order.",
  didYouMean: "Did you mean",
  redactWords: "Redact words in these documents",
  redactWordsTitle: "Redact words",
  notesOnThese: "Notes on these documents",
  narrow: "Narrow the results",
  showAllOf: (name: string) => `Show all of ${name}`,
  facets: {
    year: "Year",
    language: "Language",
    original_extension: "Type",
    organization: "Organization",
    project: "Project",
    access: "Access",
  } as Readonly<Record<string, string>>,
  access: {
    public: "Public",
    organization: "Its organization only",
    private: "Private",
    invisible: "Invisible",
  } as Readonly<Record<string, string>>,
  statuses: {
    success: "Ready",
    readable: "Readable, still being processed",
    pending: "Being processed",
    error: "Could not be processed",
    nofile: "Waiting for its file",
  } as Readonly<Record<string, string>>,
  bytes: "bytes",

  noProjects: "There are no projects that you may see.",
  noProjectsHere: "There are no projects on this page.",
  private: "Private",
  pinned: "Pinned",
  projectGroups: {
    pinned: "Pinned",
    own: "Your projects",
    shared: "Shared with you",
    public: "Public",
  },
  allInGroup: (group: string) => `All projects: ${group}`,
  projectTitle: "Title",
  description: "Description",
  whoSeesProject: "Who can see it",
  createProject: "Create the project",
  emptyProject: "There are no documents in this project that you may see.",
  allDocuments: "All documents of the project",
  openInQuire: "Open in Quire",

  nothingShared:
    "Nobody has shared anything with you yet. When somebody adds you to a project, it appears here.",
  sharedBy: (name: string, day: string) => `Shared by ${name} on ${day}`,
  sharedOn: (day: string) => `Shared on ${day}`,
  rights: {
    view: "You can read its shared documents",
    edit: "You can change its shared documents, and add and remove documents",
    admin: "You manage it",
  },
  documentsOfOthers: "Documents of others in these projects",

  noteList: {
    filter: "Filter the notes",
    matching: "On documents that match",
    project: "In the project",
    anyProject: "Any project",
    author: "By",
    anyone: "Anyone",
    me: "Me",
    seenBy: "Seen by",
    access: {
      private: "Private: only their author",
      organization: "Shared: people who may edit the document",
      public: "Public: everyone who sees the document",
    },
    show: "Show",
    noMatch: "No note matches.",
    nothing: "There are no notes that you may see.",
    downloadCsv: "Download all as CSV",
    downloadJson: "Download all as JSON",
    /** Before the title of the document. */
    pageOf: (page: number) => `Page ${page} of`,
    isPrivate: "Private",
    isShared: "Shared",
  },

  needsScript: "This page needs JavaScript.",
  trashHelp: (days: number) =>
    days === 0
      ? "Deleted documents are removed at once, and cannot be brought back."
      : `Deleted documents can be brought back for ${formats.plural(days, { one: "a day", other: "# days" })}. Then they are gone for good.`,
  plainUpload: {
    access: "Who can see it",
    levels: {
      private: "Private: you and its projects",
      organization: "Organization: all its members",
      public: "Public: everyone",
    },
    file: "File",
    upload: "Upload the file",
    newFileOf: (id: number) => `The new file of document ${id}`,
    orAddress: "Or its web address",
    /** Messages of the API. Other messages appear as the API has them. */
    messages: {
      "No file was submitted.": "Choose a file.",
      "The file is empty.": "The file is empty.",
      "Enter a valid URL.": "This is not a web address.",
      "Send either a file or its address, not both.": "Choose a file or enter an address, not both.",
      "Files of this type cannot be uploaded.": "Files of this type cannot be uploaded.",
      "The file is larger than this server accepts.": "The file is larger than this server accepts.",
      "There is no room for more files. Nothing was kept of this one.":
        "There is no room for more files. Nothing was kept of this one.",
    } as Readonly<Record<string, string>>,
  },
  /** The titles of the pages for administrators, by the last part of their address. */
  adminPages: {
    "": "Administration",
    people: "People",
    organizations: "Organizations",
    queue: "Queue",
    storage: "Storage",
    checks: "Checks",
    "sign-ins": "Sign-ins",
    settings: "Settings",
    mail: "Mail",
  } satisfies Readonly<Record<AdminPageName, string>>,

  /** What administrators are told on a server without documents. */
  howToImport: "The administrator of this server imports documents from a terminal, in Quire’s folder:",
  fileOrFolder: "FILE-OR-FOLDER",
  whatCanBeImported:
    "PDFs, office files and images can be imported, and so can the documents of another server.",

  errors: {
    signInFirst: "If you have an account, sign in: you may see and do more then.",
    allDocuments: "All documents",
    /** By HTTP status. */
    titles: {
      400: "Bad Request",
      403: "Forbidden",
      404: "Page not found",
      405: "Method Not Allowed",
      409: "Conflict",
      413: "Payload Too Large",
      429: "Too Many Requests",
      500: "Internal Server Error",
      503: "Service Unavailable",
    } as Readonly<Record<number, string>>,
    notFound: "This page does not exist, or you may not see it.",
    internal: "Something went wrong on this server. The error has been logged.",
    notUnderstood: "The request could not be understood.",
    /** Messages of the API. Other messages appear as the API has them. */
    messages: {
      "You do not have permission to perform this action.":
        "You do not have permission to perform this action.",
      "Authentication credentials were not provided.": "Authentication credentials were not provided.",
      "You do not belong to an organization, so you cannot upload documents.":
        "You do not belong to an organization, so you cannot upload documents.",
    } as Readonly<Record<string, string>>,
  },

  account: accountEnglish,
  document: documentEnglish,
  mails: mailsEnglish,
};

export type Catalogue = typeof english;
