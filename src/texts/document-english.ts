import { Formats } from "./formats.ts";

const formats = new Formats("en");
const pages = (count: number): string => formats.plural(count, { one: "1 page", other: "# pages" });
const bytes = (count: number): string => formats.plural(count, { one: "1 byte", other: "# bytes" });

/** "page 3", "pages 1, 2 and 4 more" */
const named = (numbers: readonly string[], more: number): string =>
  `${formats.plural(numbers.length, { one: "page", other: "pages" })} ${formats.list(more === 0 ? numbers : [...numbers, `${formats.number(more)} more`])}`;

/** The texts of the pages of a document, and of its frames on other sites. */
export const documentEnglish = {
  about: "About this document",
  recordAsJson: "Record as JSON",
  recordInApi: "Record in the browsable API",
  replaceFile: "Replace the file",
  /** `kind` is the extension in capitals, or empty. */
  download: (kind: string) => (kind === "" ? "Download" : `Download ${kind}`),
  downloadText: "Download text",
  noFile: "There is no file for this document here.",
  notReadYet: "The file is still being processed. Its pages will appear here.",
  noPagesHere: "This file has no pages here.",
  unreadable: (kind: string) =>
    kind === ""
      ? "This file cannot be read in the browser."
      : `This is a file of type ${kind}, which cannot be read in the browser.`,
  openFile: "Open or download the file",

  facts: {
    pages: "Pages",
    pageSize: "Page size",
    language: "Language",
    contributor: "Contributed by",
    organization: "Organization",
    projects: (count: number) => formats.plural(count, { one: "Project", other: "Projects" }),
    original: "Redacted copy of",
    copies: (count: number) => formats.plural(count, { one: "Redacted copy", other: "Redacted copies" }),
    added: "Added",
    updated: "Updated",
    originalFile: "Original file",
    access: "Access",
    status: "Status",
    number: "Number",
    hash: "SHA-1",
    data: "Data",
  },
  paper: { Letter: "Letter", Legal: "Legal", Tabloid: "Tabloid" } as Readonly<Record<string, string>>,
  landscape: (paper: string) => `${paper} landscape`,
  sizeOfPages: (size: string, count: number) => `${size}: ${pages(count)}`,
  otherSizes: (count: number) =>
    formats.plural(count, { one: "and 1 other size", other: "and # other sizes" }),

  searchHere: "Search in this document",
  searchThis: "Search this document",
  noPageMatches: "No page of this document matches.",
  onPages: (count: number) => `On ${pages(count)}.`,
  imageOfPage: (page: number) => `Page ${page} as it looks`,
  imageOfTitle: (page: number, title: string) => `Page ${page} of ${title}`,
  firstPageOf: (title: string) => `The first page of ${title}`,
  textOfPage: (page: number) => `Text of page ${page}`,
  otherPages: "Other pages",
  pageOf: (count: number) => `Page, 1 to ${formats.number(count)}`,
  goToPage: "Go to the page",

  cannotBeShown: "This document cannot be shown here",
  whyNotShown:
    "It may have been removed, or it may not be public. Other sites can show only public documents, because browsers do not sign you in to Quire there.",
  openInQuire: "Open it in Quire",

  /** The history of the file. */
  file: {
    heading: "History of the file",
    whatWentWrong: "What went wrong",
    allSteps: "All steps",
    more: (count: number) => `And ${formats.number(count)} more`,
    waiting: "Waiting for its turn",
    opening: "Being opened",
    reading: "Being read",
    pagesDone: (done: number, total: number) =>
      `, ${formats.number(done)} of ${formats.number(total)} pages done`,
    seconds: (seconds: number) => `${seconds.toFixed(1)} s`,
    unreadPage: (page: number, reason: string) => `Page ${page}: ${reason}`,
    noImage: (page: number, reason: string) => `No image of page ${page}: ${reason}`,
    postponed: (reason: string) => `Waiting for another attempt: ${reason}`,
    received: (size: number) => `Received, ${bytes(size)}`,
    fetched: (host: string, size: number) => `Fetched from ${host}, ${bytes(size)}`,
    rendered: "Page images for lists rendered",
    indexed: (count: number) => `Indexed for search, ${pages(count)}`,
    convertedPdf: (engine: string) => `Converted to a readable PDF (${engine})`,
    converted: (kind: string, engine: string) => `Converted from ${kind} to PDF (${engine})`,
    /** `confidence` is in percent. */
    recognised: (count: number, languages: string, confidence: number) =>
      `Text recognised on ${pages(count)} (${languages}, ${confidence} % sure)`,
    /** With the page of which Quire is least sure. */
    recognisedTo: (count: number, languages: string, confidence: number, page: number, lowest: number) =>
      `Text recognised on ${pages(count)} (${languages}, ${confidence} % sure, lowest on page ${page}: ${lowest} %)`,
    read: (count: number, failed: number) =>
      failed === 0 ? `Read, ${pages(count)}` : `Read, ${pages(count)}, ${pages(failed)} failed`,
    replaced: "The file was replaced",
    withoutPage: (notes: number, sections: number) => {
      const parts = [
        ...(notes > 0 ? [formats.plural(notes, { one: "a note", other: "# notes" })] : []),
        ...(sections > 0 ? [formats.plural(sections, { one: "a section", other: "# sections" })] : []),
      ];
      return `. It has no page for ${parts.join(" and ")} of the document`;
    },
    notReplaced: (message: string) => `The file was not replaced. ${message}`,
    oldFileKept: "The document still has its old file.",
    redacted: "Redacted",
    stillThere: "The redacted words still appear elsewhere:",
    visible: (numbers: readonly string[], more: number) => `visible on ${named(numbers, more)}`,
    invisible: (numbers: readonly string[], more: number) => `in invisible text on ${named(numbers, more)}`,
    /** Further steps that need no details. */
    steps: { stored: "Stored", modified: "Modified", cancelled: "Cancelled" } as Readonly<
      Record<string, string>
    >,
    remedies: {
      password:
        "Remove the password from the file and upload it again, or upload it together with its password.",
      install: "Ask the operator of this site to install it. Then process the document again.",
      limits: "Process it again. If that fails too, split the file and upload the parts.",
      size: "Split the file and upload the parts, or ask the operator of this site for a higher limit.",
      upload: "Upload the file again.",
      broken: "Open the file in a program that can read it, save it there as a new file, and upload that.",
      standing: "Look at these places, and redact them too if nobody should see them.",
      somePages: "The other pages can be read. If these matter, upload a better copy of the file.",
      anything: "Process the document again. If that fails too, upload another copy of the file.",
    },
    stepRemedies: {
      fetched: "Check the address in a browser, or download the file yourself and upload it.",
      recognised:
        "Check the language of the document and process it again. Until then these pages cannot be searched.",
      rendered: "The text of the page is not affected. Process the document again to try once more.",
      redacted: "Nothing was redacted, and the document is unchanged. Try again.",
      modified: "The document is unchanged. Try again.",
      replaced: "Try again, or with another file.",
      cancelled: "To continue, process the document again.",
    } as Readonly<Record<string, string>>,
  },
};
