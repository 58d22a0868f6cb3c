import { commonEnglish } from "../../texts/common-english.ts";
import type { CollaboratorAccess } from "../../contract/project.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { adminEnglish } from "./admin-texts.ts";
import { fieldsEnglish } from "../../texts/fields-english.ts";
import { Formats } from "../../texts/formats.ts";
import type { Language } from "../../texts/languages.ts";
import { german } from "./german.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("en");

/**
 * Every text that the desk shows, except messages of the API, which appear as the server wrote them. Components contain
 * no text of their own, so that a translation is another object of this type.
 */
export const english = /* @__PURE__ */ (() => ({
  formats,
  ...commonEnglish,
  describing: fieldsEnglish,

  access: {
    label: "Who can see it",
    levels: {
      private: "Private: you and its projects",
      organization: "Organization: all its members",
      public: "Public: everyone",
    } as Readonly<Record<string, string>>,
    /** What a change of several documents to this level means. */
    means: {
      private: "Only you and the members of their projects will see them.",
      organization: "All members of their organizations will see them.",
      public: "Everyone will see them, without signing in.",
    } as Readonly<Record<string, string>>,
  },
  project: {
    label: "Project",
    none: "No project",
    choose: "Choose a project",
    noneYours: "There is no project in which you may add documents.",
  },
  language: "Language",
  forceOcr: "Run text recognition (OCR) on every page, even on pages that have text",

  drop: "Drop files and folders anywhere on this page",
  or: "or",
  chooseFiles: "Choose files",
  chooseFolder: "Choose a folder",
  byAddress: "By web address",
  addresses: "Web addresses, one on each line",
  addAddresses: "Add these addresses",
  notAddress: (line: string) => `This is not a web address: ${line}`,
  limits: (size: string) => `PDFs, office files, images and email messages, up to ${size} each.`,
  forAll: "For all files",
  settingsOf: (name: string) => `Settings for ${name}`,
  settings: "Settings",
  list: "Files",
  upload: (count: number) =>
    count === 0 ? "Upload" : formats.plural(count, { one: "Upload 1 file", other: "Upload # files" }),
  of: (action: string, name: string) => `${action}: ${name}`,
  open: (title: string) => `Open ${title}`,
  clear: "Remove finished files",
  retryAll: "Try all failed files again",
  cancelAll: "Cancel all",
  leftOut: (count: number) =>
    formats.plural(count, { one: "1 hidden file was skipped.", other: "# hidden files were skipped." }),

  summary: (counts: { total: number; done: number; failed: number; wrong: number; size: string }) =>
    [
      formats.plural(counts.total, { one: "1 file", other: "# files" }),
      counts.size,
      counts.done > 0 && `${formats.number(counts.done)} ready`,
      counts.failed > 0 && `${formats.number(counts.failed)} failed`,
      counts.wrong > 0 && `${formats.number(counts.wrong)} cannot be uploaded`,
    ]
      .filter((part) => part !== false && part !== "")
      .join(", "),
  allDone: (count: number) =>
    formats.plural(count, { one: "1 file is ready.", other: "All # files are ready." }),

  checking: "Checking",
  ready: "Ready to upload",
  waiting: "Waiting for its turn",
  sending: (percent: number, speed: string) =>
    speed === "" ? `${percent} % sent` : `${percent} % sent, ${speed} a second`,
  interrupted: "The connection was lost. The upload will continue automatically.",
  tooMany: "You have too many unfinished uploads. This one will continue automatically.",
  fetching: "The server is downloading it",
  queued: "Uploaded, waiting to be read",
  reading: (done: number, total: number) =>
    `Being read, ${formats.number(done)} of ${formats.number(total)} pages done`,
  opening: "Being opened",
  done: (pages: number) => formats.plural(pages, { one: "Ready, 1 page", other: "Ready, # pages" }),
  cancelled: "Cancelled",
  failed: (reason: string) => `Failed: ${reason}`,
  noReason: "no reason was given",
  broken: (reason: string) =>
    `The file cannot be read: ${reason}. Save it again in the program that made it, and upload the new file.`,
  resumed: (percent: number) =>
    `${percent} % of it was uploaded before. The upload continues from there, with the settings that you chose then.`,

  wrongKind: (extension: string) =>
    extension === ""
      ? "It cannot be uploaded: its name has no extension, such as .pdf."
      : `It cannot be uploaded: files of type ${extension.toUpperCase()} are not supported.`,
  empty: "It cannot be uploaded: the file is empty.",
  tooLarge: (limit: string) => `It cannot be uploaded: it is larger than ${limit}.`,
  notPdf: "It cannot be uploaded: its name ends in .pdf, but it is not a PDF file.",
  unreadable: "It cannot be uploaded: the browser cannot read it.",

  duplicate: "You already have this:",
  duplicateHere: (name: string) => `It is the same file as ${name} in this list.`,
  uploadAnyway: "Upload it anyway",

  passwordWanted: "This PDF needs a password.",
  passwordWrong: "This password is wrong.",
  password: "Password",
  unlock: "Open the PDF",

  replacement: {
    of: "The file of",
    keeps: "The document keeps its address, title, access, data, projects and history.",
    until: "Its old file stays until all of the new one has been read. Then the old file is gone for good.",
    seenBy: {
      private: "Only its owner and the members of its projects will see the new file.",
      organization: "All members of its organization will see the new file.",
      public: "Everyone will see the new file, without signing in.",
    } as Readonly<Record<string, string>>,
    parts: (count: number) =>
      formats.plural(count, {
        one: "Its note or section stays on its page, whatever the new file shows there. If the new file has no such page, it stays in the list.",
        other:
          "Its # notes and sections stay on their pages, whatever the new file shows there. Those on pages that the new file does not have stay in the lists.",
      }),
    redactions: "Redactions of the old file do not hold for the new one.",
    choose: "Choose the new file",
    address: "Web address of the new file",
    useAddress: "Use this address",
    drop: "Drop the new file anywhere on this page",
    limits: (size: string) => `A PDF, an office file, an image or an email message, up to ${size}.`,
    onlyOne: "Choose one file: a document has a single file.",
    notYours: "You may not change this document.",
    elsewhere: "The file of this document is on another server and cannot be replaced here.",
    anyway: "Use it anyway",
    done: (pages: number, beyond: number) =>
      [
        formats.plural(pages, {
          one: "The file was replaced: 1 page.",
          other: "The file was replaced: # pages.",
        }),
        beyond > 0 &&
          formats.plural(beyond, {
            one: "One note or section has no page now.",
            other: "# notes and sections have no page now.",
          }),
      ]
        .filter((part) => part !== false)
        .join(" "),
    failed: (reason: string) =>
      `The file was not replaced, and the document still has its old file: ${reason}`,
  },

  unfinished: (count: number) =>
    formats.plural(count, {
      one: "One upload was interrupted. Choose this file again to continue where it stopped:",
      other: "# uploads were interrupted. Choose these files again to continue where they stopped:",
    }),
  forget: "Discard them",

  search: "Search",
  show: "Show",
  order: "Sort by",
  orders: {
    score: "Best match first",
    created_at: "Newest first",
    "-created_at": "Oldest first",
    title: "Title",
    source: "Source",
    page_count: "Most pages first",
    updated_at: "Last changed first",
  } as Readonly<Record<string, string>>,
  statuses: {
    success: "Ready",
    readable: "Being read",
    pending: "Being processed",
    error: "Failed",
    nofile: "No file",
  } as Readonly<Record<string, string>>,

  howToSearch: "How to search",
  examples: [
    ["harbour dredging", "either word; documents with both come first"],
    ["harbour AND dredging", "both words"],
    ["harbour -draft", "the first word, but not the second"],
    ['"harbour dredging"', "the words next to each other"],
    ['"harbour cost"~5', "at most five words between the two"],
    ["harb*", "words that begin like this"],
    ["harbor~", "words that are spelled nearly like this"],
    ["title:harbour", "a word in the title; also source: and description:"],
    ["(harbour OR port) AND dredging", "brackets group"],
    ["created_at:[2020-01-01 TO *]", "documents since a day"],
    ["page_count:[100 TO *]", "documents with many pages"],
  ] as readonly (readonly [query: string, meaning: string])[],
  tryExample: (query: string) => `Write ${query} into the search box`,
  notAField: (name: string) => `There is no field “${name}”, so it was searched for as text.`,
  escaped: (explained: string) =>
    `Part of the query is not valid, so it was searched for as plain text. It was understood as ${explained}.`,
  wildcardsIgnored: "You are signed out, so *, ? and ~ were read as ordinary characters.",
  didYouMean: (query: string) => `Search for “${query}” instead`,

  savedSearches: "Saved searches",
  saveName: "Name for this search",
  saveSearch: "Save this search",
  rename: "Rename",
  newName: "New name",
  removed: (name: string) => `${name} was deleted.`,
  askRemove: (name: string) => `Delete the saved search ${name}?`,
  keepsDocuments: "Its documents stay.",
  deleteSearch: "Delete the search",

  filters: "Filters",
  filtersChosen: (count: number) => formats.plural(count, { one: "1 chosen", other: "# chosen" }),
  chosenFilters: "Chosen filters",
  fields: {
    access: "Access",
    status: "Status",
    user: "Owner",
    organization: "Organization",
    project: "Project",
    language: "Language",
    original_extension: "Type",
    created_at: "Year",
    updated_at: "Changed",
    page_count: "Pages",
    id: "Document",
    slug: "Address",
    noindex: "Hidden from search engines",
    data__tag: "Tag",
  } as Readonly<Record<string, string>>,
  filter: (field: string, value: string) => `${field}: ${value}`,
  removeFilter: (filter: string) => `Remove the filter ${filter}`,
  removeFilters: "Remove all filters",
  you: (name: string) => `${name} (you)`,
  showValues: (count: number) => `Show all ${formats.number(count)}`,
  showFewer: "Show fewer",
  moreValues: "There are more. Search to narrow them down.",

  noDocuments: "No documents match.",
  noneYet: "You have no documents yet.",
  uploadSome: "Upload some",
  loading: "Loading",
  found: (count: number) => formats.plural(count, { one: "1 document.", other: "# documents." }),
  foundPart: (first: number, last: number, count: number) =>
    `${formats.number(first)} to ${formats.number(last)} of ${formats.number(count)} documents.`,
  pages: (count: number) => formats.plural(count, { one: "1 page", other: "# pages" }),
  accessShort: { private: "Private", organization: "Organization", public: "Public" } as Readonly<
    Record<string, string>
  >,
  select: (title: string) => `Select ${title}`,
  selectAll: "Select all on this page",
  selectAllFound: (count: number) => `Select all ${formats.number(count)} documents that match`,
  selectFirst: (max: number) => `Select the first ${formats.number(max)} documents that match`,
  deselect: "Deselect all",
  selected: (count: number) =>
    formats.plural(count, { one: "1 document selected", other: "# documents selected" }),
  notChangeable: (count: number) =>
    formats.plural(count, {
      one: "You may not change 1 of them, which is left out.",
      other: "You may not change # of them, which are left out.",
    }),
  withoutFile: (count: number) =>
    formats.plural(count, {
      one: "1 of them has no file here, so a download leaves it out.",
      other: "# of them have no file here, so a download leaves them out.",
    }),
  download: "Download (ZIP)",
  changeSelected: "With the selected documents",
  actions: {
    access: "Change who can see them",
    publish_at: "Plan their publication",
    project: "Add to a project",
    tag: "Add a tag",
    data: "Add data",
    language: "Set the language",
    process: "Process them again",
    redact: "Redact words in them",
    delete: "Delete",
  },
  publicAlready: (count: number) =>
    formats.plural(count, {
      one: "1 of them is public already, and is left out.",
      other: "# of them are public already, and are left out.",
    }),
  publishAt: "Make them public at",
  publishAtHelp: "If you leave it empty, no publication is planned.",
  momentPassed: "This moment has passed. To publish the documents now, change who can see them.",
  chooseLanguage: "Choose a language",
  languageHelp: "To recognise their text in this language, process them again afterwards.",
  emptyRemoves: "If you leave the field empty, the present value is removed.",
  apply: "Apply",
  tag: "Tag",
  key: "Key",
  keyHelp: "Only the letters a to z and A to Z, digits, - and _",
  value: "Value",
  askDelete: (count: number) =>
    formats.plural(count, { one: "Delete 1 document?", other: "Delete # documents?" }),
  deletedFor: (days: number) =>
    `You can bring them back from the trash for ${formats.plural(days, { one: "a day", other: "# days" })}.`,
  deletedForEver: "Their files, notes and texts are deleted too. This cannot be undone.",
  deleteThem: "Delete",
  broughtBack: (count: number) =>
    formats.plural(count, { one: "1 document is back.", other: "# documents are back." }),
  deletedDocuments: "Deleted documents",
  inTrash: (shown: number, count: number) => {
    if (count === 0) return "The trash is empty.";
    if (shown < count)
      return `Showing ${formats.number(shown)} of ${formats.number(count)} deleted documents.`;
    return formats.plural(count, { one: "1 deleted document.", other: "# deleted documents." });
  },
  daysLeft: (days: number) => formats.plural(days, { one: "1 day left", other: "# days left" }),
  byYou: "you",
  deletedBy: (name: string | undefined, on: string) =>
    name === undefined ? `Deleted on ${on}` : `Deleted by ${name} on ${on}`,
  restore: "Restore",
  restored: (title: string) => `${title} is back.`,
  deleteForGood: "Delete permanently",
  askDeleteForGood: (title: string) => `Delete ${title} permanently?`,
  deletedForGood: (title: string) => `${title} was deleted permanently.`,
  askDeleteAllForGood: (count: number) =>
    formats.plural(count, {
      one: "Delete 1 document permanently?",
      other: "Delete # documents permanently?",
    }),
  allDeletedForGood: (count: number) =>
    formats.plural(count, {
      one: "1 document was deleted permanently.",
      other: "# documents were deleted permanently.",
    }),
  changing: (done: number, count: number) =>
    `Done with ${formats.number(done)} of ${formats.number(count)} documents so far.`,
  changed: (count: number) =>
    formats.plural(count, { one: "1 document changed.", other: "# documents changed." }),
  deleted: (count: number) =>
    formats.plural(count, { one: "1 document deleted.", other: "# documents deleted." }),
  partly: (done: number, count: number, reason: string) =>
    `Stopped after ${formats.number(done)} of ${formats.number(count)}: ${reason}`,
  keys: {
    button: "Keyboard shortcuts",
    search: "Search",
    filters: "Filters",
    saved: "Save this search",
    next: "Next document",
    previous: "Previous document",
    select: "Select or deselect the document",
    open: "Open the document",
    edit: "Edit the document",
    selectPage: "Select or deselect all on this page",
    deselect: "Deselect all",
    change: "Change the selected documents",
    nextPage: "Next page",
    previousPage: "Previous page",
    help: "Show these shortcuts",
  },
  saved: (title: string) => `${title} was saved.`,

  redact: {
    words: "Words to redact in all these documents",
    wordsHelp:
      "A name or a phrase, also over the end of a line. Capitals and accents do not matter; hollow* also finds Holloway.",
    find: "Find all",
    searchedFor: "Words",
    documents: (count: number) =>
      count === 0
        ? "No document that you may redact."
        : formats.plural(count, { one: "1 document", other: "# documents" }),
    cut: (max: number) => `Only the first ${formats.number(max)} documents are listed.`,
    notYours: (count: number) =>
      formats.plural(count, {
        one: "1 document is left out: you may not change it.",
        other: "# documents are left out: you may not change them.",
      }),
    withoutPages: (count: number) =>
      formats.plural(count, {
        one: "1 document is left out: it has no pages.",
        other: "# documents are left out: they have no pages.",
      }),
    nothingIn: "Nothing was found in",
    notCovered: "Not covered:",
    ticked: (places: number, documents: number) =>
      places === 0
        ? "Nothing is ticked."
        : `Ticked: ${formats.plural(places, { one: "1 place", other: "# places" })} in ${formats.plural(documents, { one: "1 document", other: "# documents" })}`,
    apply: "Redact…",
    ask: (places: number, documents: number) =>
      `Redact ${formats.plural(places, { one: "1 place", other: "# places" })} in ${formats.plural(documents, { one: "1 document", other: "# documents" })}?`,
    consequences: [
      "This cannot be undone. Quire keeps no copy of what is hidden.",
      "Each page with a box becomes an image with black boxes. Its other words are recognised again.",
      "Nobody else sees a document until its result has been checked.",
      "If a check fails, that document is as it was before.",
    ],
    confirm: "Redact permanently",
    queued: "Queued. It is being redacted and checked.",
    done: "Done.",
    failed: "Failed.",
    refused: (reason: string) => `Refused: ${reason}`,
  },
  admin: adminEnglish,

  projectPage: {
    description: "Description",
    whoSees: "Who can see the project",
    isPrivate: "Private",
    isPublic: "Public",
    editProject: "Edit title and description",
    savedProject: "The project was saved.",
    pin: "Pin",
    unpin: "Unpin",
    nowPinned: "The project is pinned: it stands first in your list of projects.",
    nowUnpinned: "The project is no longer pinned.",
    documents: "Documents of the project",
    find: "Search",
    empty: "There are no documents in this project yet.",
    more: "Show more",
    add: "Add documents",
    remove: (count: number) =>
      formats.plural(count, {
        one: "Remove 1 document from the project",
        other: "Remove # documents from the project",
      }),
    removed: (count: number) =>
      formats.plural(count, {
        one: "1 document is no longer in the project. It was not deleted.",
        other: "# documents are no longer in the project. They were not deleted.",
      }),
    added: (count: number) =>
      formats.plural(count, {
        one: "1 document is in the project.",
        other: "# documents are in the project.",
      }),
    addTitle: "Add documents to the project",
    findDocuments: "Words to search for",
    onlyMine: "Only my documents",
    found: (count: number) => formats.plural(count, { one: "1 document found", other: "# documents found" }),
    addSelected: (count: number) =>
      formats.plural(count, { one: "Add 1 document", other: "Add # documents" }),
    addAllFound: (count: number) => `Add all ${formats.number(count)} found`,
    sharedWithCollaborators: "Collaborators can open the documents that you add, also your private ones.",
    collaborators: "Collaborators",
    person: "Name or email address",
    right: "Rights",
    rightOf: (name: string) => `Rights of ${name}`,
    rights: { view: "View", edit: "Edit", admin: "Admin" } satisfies Readonly<
      Record<CollaboratorAccess, string>
    >,
    meaning: {
      view: "reads the documents that are shared with the project.",
      edit: "also changes these documents, and adds and removes documents.",
      admin: "also changes and deletes the project, and chooses its collaborators.",
    },
    invite: "Add to the project",
    invited: (name: string) =>
      `${name} is a collaborator now, and finds the project under “Shared with you”.`,
    rightChanged: (name: string) => `The rights of ${name} were changed.`,
    dismiss: (name: string) => `Remove ${name}`,
    dismissed: (name: string) => `${name} is no longer a collaborator.`,
    choosePerson: "Several people have this name. Choose one:",
    choose: (name: string, username: string) => `Add ${name} (${username})`,
    nobody: (text: string) =>
      `You share no project or organization with anybody whose name begins with “${text}”. Use the email address of their account.`,
    you: "you",
    copy: "Copy the code",
    copyByHand: "Select the code and copy it",
    embedPrivate: "A private project cannot be embedded. Make it public first.",
    delete: "Delete the project",
    askDelete: (title: string) => `Delete the project ${title}?`,
    documentsStay:
      "Its documents stay. Collaborators lose the access that they have through this project. This cannot be undone.",
    deleteProject: "Delete the project permanently",
  },
}))();

export { german };

/** The language of this script, which the bundler fills in. */
declare const pageLanguage: Language;

/** The script of one language has only its texts. Outside a bundle, the texts are English. */
export const texts: typeof english & Pick<typeof viewerTexts, "noAnswer"> = {
  ...(typeof pageLanguage === "string" && pageLanguage === "de" ? german : english),
  noAnswer: viewerTexts.noAnswer,
};

/** "1.5 MB", in steps of a thousand. */
export function sizeInWords(bytes: number): string {
  return texts.formats.bytes(bytes, viewerTexts.bytes);
}

/** The name of a language code of the API: `srp_latn` is "Serbian (Latin)". */
export function languageName(code: string): string {
  return texts.formats.languageNameOf(code) ?? (code === "" ? texts.unknown : code);
}
