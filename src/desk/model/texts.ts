/**
 * Every text that the desk shows. A component never holds one itself, so that a second language is a second object of
 * this type. Messages of the API come from the server as they are.
 */
const english = {
  access: {
    label: "Who can see it",
    private: "Private: you and its projects",
    organization: "Organization: all its members",
    public: "Public: everyone",
  },
  close: "Close",
  project: { label: "Project", none: "No project" },
  language: "Language",
  source: "Source",
  forceOcr: "Recognise the text of every page (OCR), even where there is text",
  signedOut: "You are signed out. Sign in again in another tab, then go on here.",
  noAnswer: "The server did not answer.",
  status: (code: number) => `The server answered ${code}.`,

  drop: "Drop files and folders anywhere on this page",
  or: "or",
  chooseFiles: "Choose files",
  chooseFolder: "Choose a folder",
  byAddress: "By web address",
  addresses: "Web addresses, one on each line",
  addAddresses: "Add these addresses",
  notAddress: (line: string) => `This is no web address: ${line}`,
  limits: (size: string) => `PDFs, office files, images and mail, up to ${size} each.`,
  forAll: "For all files",
  settingsOf: (name: string) => `Settings of ${name}`,
  settings: "Settings",
  list: "Files",
  upload: (count: number) => (count === 1 ? "Upload 1 file" : `Upload ${count.toLocaleString("en")} files`),
  title: "Title",
  remove: "Remove",
  cancel: "Cancel",
  retry: "Try again",
  of: (action: string, name: string) => `${action}: ${name}`,
  open: (title: string) => `Open ${title}`,
  clear: "Remove what is finished",
  retryAll: "Try all failed ones again",
  cancelAll: "Cancel all",
  leftOut: (count: number) =>
    count === 1 ? "1 hidden file was left out." : `${count} hidden files were left out.`,

  summary: (counts: { total: number; done: number; failed: number; wrong: number; size: string }) =>
    [
      counts.total === 1 ? "1 file" : `${counts.total.toLocaleString("en")} files`,
      counts.size,
      counts.done > 0 && `${counts.done.toLocaleString("en")} ready`,
      counts.failed > 0 && `${counts.failed.toLocaleString("en")} failed`,
      counts.wrong > 0 && `${counts.wrong.toLocaleString("en")} cannot be uploaded`,
    ]
      .filter((part) => part !== false && part !== "")
      .join(", "),
  allDone: (count: number) => (count === 1 ? "1 file is ready." : `All ${count} files are ready.`),

  checking: "Being checked",
  ready: "Ready to upload",
  waiting: "Waiting for its turn",
  sending: (percent: number, speed: string) =>
    speed === "" ? `${percent} % sent` : `${percent} % sent, ${speed} a second`,
  interrupted: "The connection is lost. The upload continues by itself.",
  tooMany: "Too many of your uploads are unfinished. This one continues by itself.",
  fetching: "The server fetches it",
  queued: "Uploaded, waiting to be read",
  reading: (done: number, total: number) => `Being read, ${done} of ${total} pages done`,
  opening: "Being opened",
  done: (pages: number) => (pages === 1 ? "Ready, 1 page" : `Ready, ${pages.toLocaleString("en")} pages`),
  cancelled: "Cancelled",
  failed: (reason: string) => `Failed: ${reason}`,
  noReason: "no reason was given",
  resumed: (percent: number) =>
    `${percent} % of it has arrived before. It continues from there, with the settings of that time.`,

  wrongKind: (extension: string) =>
    extension === ""
      ? "It cannot be uploaded: its name has no extension, such as .pdf."
      : `It cannot be uploaded: files of type ${extension.toUpperCase()} are not supported.`,
  empty: "It cannot be uploaded: the file is empty.",
  tooLarge: (limit: string) => `It cannot be uploaded: it is larger than ${limit}.`,
  notPdf: "It cannot be uploaded: it is called PDF, but it is no PDF.",
  unreadable: "It cannot be uploaded: the browser cannot read it.",

  duplicate: "You have this already:",
  duplicateHere: (name: string) => `It is the same file as ${name} in this list.`,
  uploadAnyway: "Upload it all the same",

  passwordWanted: "This PDF opens with a password only.",
  passwordWrong: "This password is wrong.",
  password: "Password",
  unlock: "Open the PDF",

  unfinished: (count: number) =>
    count === 1
      ? "One upload was interrupted. Choose this file again, and it continues where it stopped:"
      : `${count} uploads were interrupted. Choose these files again, and they continue where they stopped:`,
  forget: "Give them up",

  search: "Search",
  show: "Show",
  whose: { label: "Whose", mine: "Mine", all: "All that I may see" },
  anyAccess: "Any access",
  statusLabel: "Status",
  anyStatus: "Any status",
  statuses: {
    success: "Ready",
    readable: "Being read",
    pending: "Waiting",
    error: "Failed",
    nofile: "Without a file",
  } as Readonly<Record<string, string>>,
  anyProject: "Any project",
  order: "Order",
  orders: {
    "-created_at": "Newest first",
    created_at: "Oldest first",
    title: "Title",
    source: "Source",
    "-page_count": "Most pages first",
    "-updated_at": "Changed last",
  } as Readonly<Record<string, string>>,
  documents: "Documents",
  untitled: "Untitled",
  noDocuments: "No document fits.",
  loading: "Loading",
  shown: (count: number) => (count === 1 ? "1 document is shown." : `${count} documents are shown.`),
  next: "Next",
  previous: "Previous",
  pages: (count: number) => (count === 1 ? "1 page" : `${count.toLocaleString("en")} pages`),
  accessShort: { private: "Private", organization: "Organization", public: "Public" } as Readonly<
    Record<string, string>
  >,
  select: (title: string) => `Select ${title}`,
  selectAll: "Select all that are shown",
  selected: (count: number) => (count === 1 ? "1 document is selected" : `${count} documents are selected`),
  changeSelected: "With the selected documents",
  actions: {
    access: "Change who can see them",
    project: "Add to a project",
    data: "Add data",
    source: "Set the source",
    process: "Read them again",
    delete: "Delete",
  },
  apply: "Apply",
  key: "Key",
  value: "Value",
  nobodyElse: "Only you and the people of their projects will see them.",
  members: "All members of their organizations will see them.",
  everyone: "Everyone will see them, without signing in.",
  askDelete: (count: number) => (count === 1 ? "Delete 1 document?" : `Delete ${count} documents?`),
  deletedForEver: "Their files, notes and texts are deleted too. They cannot be brought back.",
  deleteThem: "Delete for ever",
  changed: (count: number) => (count === 1 ? "1 document is changed." : `${count} documents are changed.`),
  deleted: (count: number) => (count === 1 ? "1 document is deleted." : `${count} documents are deleted.`),
  partly: (done: number, count: number, reason: string) => `${done} of ${count} are done. Then: ${reason}`,
  edit: "Edit",
  description: "Description",
  save: "Save",
  saved: (title: string) => `${title} is saved.`,
};

export type Texts = typeof english;

export const texts: Texts = english;

/** "1.5 MB", in steps of a thousand. */
export function sizeInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const power = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`;
}

/** The name of a language of the API's: `srp_latn` is "Serbian (Latin)". */
export function languageName(code: string): string {
  if (code === "tra") return "Chinese (Traditional)";
  if (code === "zho") return "Chinese (Simplified)";
  if (code === "frk") return "German (Fraktur)";
  const [, language = code, old] = /^(.*?)(_old)?$/.exec(code) ?? [];
  const name = new Intl.DisplayNames(["en"], { type: "language" }).of(language.replace("_", "-")) ?? code;
  return old === undefined ? name : `${name} (Old)`;
}
