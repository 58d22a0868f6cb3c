import { Formats } from "./formats.ts";

const formats = new Formats("en");

/** The texts of the pages that the server renders, in English. A translation is another object of this type. */
export const english = {
  formats,

  skip: "Skip to the content",
  site: "Site",
  documents: "Documents",
  projects: "Projects",
  upload: "Upload",
  manage: "Manage",
  manageDocuments: "Manage documents",
  sharedWithYou: "Shared with you",
  signIn: "Sign in",
  signOut: "Sign out",
  signedInAs: "Signed in as",
  servedBy: "Served by Quire: documents for people and for programs.",
  apiDocumentation: "API documentation",
  pages: "Pages",
  previous: "Previous",
  next: "Next",
  untitled: "Untitled",

  search: "Search",
  searchDocuments: "Search the documents",
  noDocumentsHere: "There are no documents on this page.",
  noDocumentsYet: "There are no documents yet",
  noteOnPage: (page: number) => `Note on page ${page}`,
  page: (page: number) => `Page ${page}`,
  morePages: (count: number) => formats.plural(count, { one: "And 1 page more", other: "And # pages more" }),
  nothingFound: "Nothing was found.",
  documentsFound: (count: number) => formats.plural(count, { one: "One document.", other: "# documents." }),
  pageCount: (count: number) => formats.plural(count, { one: "1 page", other: "# pages" }),
  queryEscaped: "Part of the query is not valid and was searched for as plain text.",
  wildcardsIgnored:
    "The wildcards *, ? and ~ were not used: only people who have signed in can search with them.",
  didYouMean: "Did you mean",
  narrow: "Narrow the results",
  showAll: "Show all",
  showAllOf: (name: string) => `Show all of ${name}`,
  facets: {
    year: "Year",
    language: "Language",
    original_extension: "Type",
    organization: "Organization",
    project: "Project",
    access: "Access",
  } as Readonly<Record<string, string>>,
  unknown: "Unknown",
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
  newProject: "New project",
  projectTitle: "Title",
  description: "Description",
  whoSeesProject: "Who can see it",
  collaboratorsOnly: "Private: only its collaborators",
  everyone: "Public: everyone",
  createProject: "Create the project",
  searchProject: "Search in this project",
  emptyProject: "There are no documents in this project that you may see.",
  notFoundInProject: "Nothing in this project matches.",
  allDocuments: "All documents of the project",
  embed: "Embed this project",
  embedCode: "Code for your page",
  embedHelp:
    "Paste this code into the page of another site. Readers see the public documents of the project, and can search in them.",
  preview: "Preview",
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
};

export type Catalogue = typeof english;
