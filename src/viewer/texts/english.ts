import { commonEnglish } from "../../texts/common-english.ts";
import { Formats } from "../../texts/formats.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("en");

/**
 * The texts that every reader of the viewer may see, in English, and those of the parts that the desk shares. Messages
 * of the API appear as the server wrote them. A translation is another object of this type.
 */
export const english = /* @__PURE__ */ (() => ({
  formats,
  ...commonEnglish,

  loading: "Loading…",
  pageNotThere: (page: number) => `Page ${page}, which this file does not have`,
  pagesDone: (done: number, pages: number) =>
    `, ${formats.number(done)} of ${formats.number(pages)} pages done`,

  // Requests that fail without an explanation from the API
  signedOut: "You are signed out. Sign in again in another tab, then continue here.",
  noAnswer: "The server did not answer.",
  status: (code: number) => `The server answered ${code}.`,
  documentNotLoaded: "The document could not be loaded. Check the connection and reload the page.",
  partNotLoaded: "This part of the page could not be loaded. Check the connection and try again.",

  // Forms
  form: {
    needed: "Fill in this field.",
    saving: "Saving…",
    discard: "Discard",
    unsaved: "Your changes are not saved. Cancel again to discard them.",
    conflict: (value: string) =>
      `Somebody else changed this meanwhile to “${value}”. Save again to replace that by what you have here.`,
    conflicts: "Not saved yet: somebody else has changed the same fields.",
  },

  // The controls above the pages
  document: "Document",
  previousPage: "Previous page",
  nextPage: "Next page",
  pageNumber: "Page",
  ofPages: (count: number) => `of ${formats.number(count)}`,
  zoom: "Zoom",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  zoomValue: (percent: number) => `Zoom ${percent} %, reset`,
  fitWidth: "Fit width",
  fitPage: "Fit page",
  readableWidth: "Readable width",
  twoPages: "Two pages side by side",
  rotate: "Rotate clockwise",
  rotated: (degrees: number) => `Rotated to ${degrees} degrees`,
  view: "View",
  menu: "Menu",
  redact: "Redact",
  arrangePages: "Arrange pages",
  share: "Share",
  views: { pages: "Pages", grid: "Thumbnails", text: "Text", table: "Table" },
  panels: { search: "Hits", contents: "Contents", notes: "Notes", mail: "Mail", about: "About" },
  finishFirst: "Finish or cancel this first",

  // Shortcuts
  shortcuts: "Keyboard shortcuts",
  or: " or ",
  /** The names of keys, as keyboards have them. */
  keyNames: {
    ArrowRight: "→",
    ArrowLeft: "←",
    Home: "Home",
    End: "End",
    Shift: "Shift",
    Enter: "Enter",
    Escape: "Esc",
  } as Readonly<Record<string, string>>,
  singleLetters: "Use single letters as shortcuts",
  keys: {
    firstPage: "First page",
    lastPage: "Last page",
    goToPage: "Go to a page",
    thumbnails: "Switch between thumbnails and pages",
    text: "Switch between text and pages",
    table: "Switch between table and pages",
    hits: "List of hits",
    help: "Show these shortcuts",
    previousHit: "Previous hit, in the search box",
    close: "Close the note or the panel",
  },

  // Searching
  search: "Search",
  searchHere: "Search in this document",
  searchRegion: "In this document",
  previousHit: "Previous hit",
  nextHit: "Next hit",
  listHits: " hits, list them",
  listPages: " pages with hits, list them",
  searchForWords: "Search for words to list the pages that contain them.",
  searchFailed: "The search failed",
  searchInvalid: "This search is not valid",
  nothingFound: "Nothing was found",
  hits: (hits: number, pages: number) =>
    `${formats.plural(hits, { one: "1 hit", other: "# hits" })} on ${formats.plural(pages, { one: "1 page", other: "# pages" })}`,
  hitsOnPages: (pages: number) => formats.plural(pages, { one: "Hits on 1 page", other: "Hits on # pages" }),
  hit: (number: number, count: number, page: number) =>
    `Hit ${formats.number(number)} of ${formats.number(count)}, page ${page}`,
  hitPage: (page: number, number: number, count: number) =>
    `Page ${page}, ${formats.number(number)} of ${formats.number(count)} pages with hits`,
  nextHitNotLoaded: "The next hit could not be loaded",
  earlierPages: "Earlier pages",
  morePages: "More pages",

  // Pages
  noPagesYet: "This document has no pages yet.",
  noImage: "There is no image of this page.",
  noText: "This page has no text.",
  endOfDocument: "End of the document",
  history: "History",
  editSections: "Edit sections",
  noSections: "This document has no sections.",
  contentsOfPdf: "Contents of the PDF",
  sections: "Sections",
  sectionPage: (page: number) => ` page ${page}`,

  // Selected words
  selectedWords: "Selected words",
  copyLink: "Copy link",
  copyQuotation: "Copy quotation",
  linkCopied: "Link copied",
  quotationCopied: "Quotation copied",
  noCopying: "Your browser does not allow copying",
  quotation: (text: string, title: string, page: number) => `“${text}”\n— ${title}, page ${page}`,

  // Sharing
  shareDocument: "The document",
  shareNote: "The open note",
  link: "Link",
  embedCode: "Embed code",
  copyEmbedCode: "Copy embed code",
  copyByHand: "Select the text and copy it",

  // Notes
  note: "Note",
  noteTitled: (title: string) => `Note: ${title}`,
  closeNote: "Close note",
  change: "Change",
  delete: "Delete",
  addNote: "Add a note",
  noNotes: "There are no notes on this document.",
  privateNote: "Private note",
  sharedNote: "Shared note",

  // Tables
  sheets: "Sheets",
  row: "Row",
  rowNumber: (row: number) => `Row ${row}`,
  column: (letters: string) => `Column ${letters}`,
  loadingRows: "Loading all rows",
  rowsNotLoaded: "Not all rows could be loaded",
  sortedAsInFile: "Sorted as in the file",
  ascending: (title: string) => `Sorted by ${title}, ascending`,
  descending: (title: string) => `Sorted by ${title}, descending`,
  firstRows: (count: number) => `The first ${formats.number(count)} rows. Download the file to see the rest`,
  rows: (count: number) => formats.plural(count, { one: "1 row", other: "# rows" }),
  rowsSoFar: (count: number, max: number) =>
    `${formats.plural(count, { one: "1 row", other: "# rows" })} so far, of up to ${formats.number(max)}`,
  tableNotLoaded: "The table could not be loaded.",
  originalMissing: "The original file is missing.",
  tableUnreadable: (reason: string) => `The table cannot be read: ${reason}`,

  // Mail
  mailFields: { from: "From", to: "To", cc: "Cc", bcc: "Bcc", subject: "Subject", date: "Date" },
  mailUnreadable: (reason: string | null) =>
    reason === null ? "The message could not be read." : `The message could not be read: ${reason}`,
  attachments: "Attachments",
  noAttachments: "None",
  unnamed: "Unnamed",
  bytes: "bytes",
  attachmentHelp: "To get them, download the original file under “About”.",
  allHeaders: "All headers",
}))();
