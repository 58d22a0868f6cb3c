import type { NoteAccess } from "../../contract/note.ts";
import { fieldsEnglish } from "../../texts/fields-english.ts";
import { Formats } from "../../texts/formats.ts";
import { capital, count, redactingEnglish } from "./redacting-english.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("en");

/** Who will see a document. */
export interface Audience {
  isPublic: boolean;
  /** The name of its organization, if that sees it; null otherwise. */
  organization: string | null;
  /** The titles of its projects. */
  projects: readonly string[];
  /** The moment from which it is public, in words; empty for none. */
  until: string;
  /** Whether it can be read already. */
  isReady: boolean;
}

function audience({ isPublic, organization, projects, until, isReady }: Audience): string {
  const everyone = `everyone will see it, without signing in${isReady ? "" : ", as soon as it is ready"}.`;
  if (isPublic) return capital(everyone);
  const titles = projects.length === 0 ? "" : ` (${projects.join(", ")})`;
  const shared = `the people of projects that it is shared with${titles}`;
  const some =
    organization === null
      ? `only its owner and ${shared} will see it.`
      : `all members of ${organization} and ${shared} will see it.`;
  return until === "" ? capital(some) : `Until ${until}, ${some} From then on, ${everyone}`;
}

/** The texts of the tools for people who write, in English. A translation is another object of this type. */
export const editingEnglish = /* @__PURE__ */ (() => ({
  ...redactingEnglish,
  describing: fieldsEnglish,
  pageCount: count,
  back: "Back",
  keep: "Keep it",
  show: "Show",
  oneMoment: "One moment",
  mayClose: "You may close this page: the work goes on without it.",

  // Boxes
  box: {
    drawingCancelled: "Drawing cancelled",
    added: (name: string, place: string) => `${name} added, ${place}`,
    changed: (name: string, place: string) => `${name}: ${place}`,
    removed: (name: string) => `${name} removed`,
    onPage: (name: string, page: number) => `${name} on page ${page}`,
    help: "Arrow keys move it. Shift and arrow keys change its size. Delete removes it.",
    place: (left: number, top: number, width: number, height: number) =>
      `${left} % from the left, ${top} % from the top, ${width} % wide, ${height} % high`,
    placeOnPage: (page: number, place: string) => `Page ${page}, ${place}`,
  },

  note: {
    add: "Add a note",
    change: "Change the note",
    boxName: "Box of the note",
    levels: {
      private: { name: "Private", meaning: "Only you see it." },
      organization: { name: "Shared", meaning: "You and everyone who may edit this document see it." },
      public: { name: "Public", meaning: "Everyone who sees this document sees it." },
    } satisfies Readonly<Record<NoteAccess, { name: string; meaning: string }>>,
    drag: (page: number) =>
      `Drag over the place on the page that the note is about. Without a box, the note is about the whole of page ${page}.`,
    wholePage: (page: number) => `The note is about the whole of page ${page}.`,
    dragBox: "Drag the box to move it, or its edges to change its size.",
    draw: "Draw a box",
    drawAnother: "Draw another box",
    placeByKeyboard: "Place a box with the keyboard",
    removeBox: "Remove the box",
    page: "Page",
    text: "Text",
    whoSees: "Who sees it",
    onlyEditors: "Only people who may edit the document can share notes or publish them.",
    save: "Save the note",
    saved: "The note is saved",
    needsTitle: "A note needs a title.",
    /** What somebody else has made of the place of the note. */
    boxOn: (page: number) => `another place, on page ${page}`,
    gone: "The note or its document is no longer there, or you may no longer see it.",
    delete: "Delete the note",
    deleted: "The note is deleted",
    /** After the title of the note. */
    deletionMeans: (page: number) => ` on page ${page} cannot be brought back.`,
  },

  section: {
    add: "Add a section",
    addNow: "Add the section",
    save: "Save the section",
    saved: "The section is saved",
    delete: "Delete the section",
    deleted: "The section is deleted",
    change: "Change",
    deleteShort: "Delete",
    changeOf: (title: string) => `Change ${title}`,
    deleteOf: (title: string) => `Delete ${title}`,
    beginsOnPage: "Begins on page",
    needsTitle: "A section needs a title.",
    choosePage: (last: number) => `Choose a page from 1 to ${last}.`,
    taken: (title: string, page: number) => `“${title}” already begins on page ${page}.`,
    gone: "The section or its document is no longer there.",
  },

  form: {
    heading: "Edit the document",
    language: "Language",
    access: "Who can see it",
    levels: { private: "Private", organization: "Organization", public: "Public" },
    publishAt: "Make it public at",
    tags: "Tags",
    tag: (number: number) => `Tag ${number}`,
    removeTag: (number: number) => `Remove tag ${number}`,
    addTag: "Add a tag",
    data: "Data",
    key: "Key",
    keyNumber: (number: number) => `Key ${number}`,
    value: "Value",
    valueNumber: (number: number) => `Value ${number}`,
    removeValue: (number: number) => `Remove value ${number}`,
    addData: "Add a key and a value",
    saved: "The document is saved",
    needsTitle: "A document needs a title.",
    momentPassed: "This moment has passed. To publish the document now, choose “Public” above.",
    wrongKey: "A key consists of 1 to 50 letters without accents, digits, - and _.",
    tagsElsewhere: "Enter tags under “Tags”.",
    audience,
  },

  history: {
    heading: "History",
    nothing: "Nothing has been recorded yet.",
    earlier: "Earlier changes",
    somebody: "Somebody",
    someOwner: "somebody",
    otherOrganization: "another organization",
    aProject: "a project",
    project: (title: string) => `the project “${title}”`,
    created: "added the document",
    published: "made it public, as planned",
    shared: (project: string) => `added it to ${project}`,
    unshared: (project: string) => `removed it from ${project}`,
    redacted: (pages: string) => `redacted ${pages}`,
    somePages: "pages",
    modified: "changed its pages",
    replaced: "replaced its file",
    fileKind: (to: string, from: string) => `a file of type ${to} instead of ${from}`,
    deleted: "deleted it",
    restored: "brought it back from the trash",
    removed: "removed it for good",
    changed: "changed it",
    changedSeveral: "changed several fields",
    changedText: (pages: string) => `changed the text of ${pages}`,
    removedField: (field: string, value: string) => `removed ${field}, which was ${value}`,
    setField: (field: string, value: string) => `set ${field} to ${value}`,
    changedField: (field: string, from: string, to: string) => `changed ${field} from ${from} to ${to}`,
    initial: (field: string, value: string) => `${field}: ${value}`,
    quoted: (text: string) => `“${text}”`,
    on: "on",
    off: "off",
    pageCounts: (to: string, from: string) => `${to} pages instead of ${from}`,
    tags: "the tags",
    data: (key: string) => `the data “${key}”`,
    /** The fields with which a document begins. */
    labels: { title: "title", access: "access", publish_at: "moment of publication" } as Readonly<
      Record<string, string>
    >,
    /** The other fields that people know, as the object of a sentence. */
    fields: {
      title: "the title",
      language: "the language",
      publish_at: "the moment of publication",
      user: "the owner",
      organization: "the organization",
      noindex: "the setting for search engines",
      original_extension: "the type of the file",
    } as Readonly<Record<string, string>>,
    access: {
      private: "private",
      organization: "organization",
      public: "public",
      invisible: "invisible",
    } as Readonly<Record<string, string>>,
    madeIt: {
      private: "made it private",
      organization: "showed it to its organization",
      public: "made it public",
      invisible: "made it invisible",
    } as Readonly<Record<string, string>>,
  },

  arrange: {
    heading: "Arrange pages",
    help: "Select pages, then move, turn or remove them, or drag them with the mouse. Alt and an arrow key move a page too. Nothing changes until you apply it.",
    asItWas: "The document is as it was, and your new order is still here.",
    selectedPages: "Selected pages",
    selectAll: "Select all",
    selectNone: "Select none",
    turnLeft: "Turn left",
    turnRight: "Turn right",
    moveEarlier: "Move earlier",
    moveLater: "Move later",
    moveToBeginning: "Move to the beginning",
    moveToEnd: "Move to the end",
    insert: "Insert pages…",
    selectFirst: "Select the pages first.",
    needsPage: "A document needs at least one page.",
    removed: (pages: number) => `${count(pages)} removed`,
    working: "The new file is being written. You may close this page.",
    ask: "Change the pages?",
    willHave: (pages: number) => `The document will have ${count(pages)}:`,
    consequences:
      "Notes and sections stay with their pages. Removed pages are gone for good. If the work fails, the document stays as it is.",
    change: "Change the pages",
    apply: "Apply…",
    nothingChanged: "Nothing is changed.",
    newOrder: "Pages in the new order",
    formerPage: (page: number) => `Former page ${page}`,
    pageOf: (page: number, title: string) => `${title}, page ${page}`,
    isNow: (name: string, place: number) => `${name} is now number ${place}`,
    was: (page: number) => `was ${page}`,
    insertedFrom: (page: number, title: string) => `page ${page} of ${title}`,
    /** After quarter turns clockwise. */
    turns: ["", "turned right", "upside down", "turned left"],
    order: "order changed",
    turned: (pages: string) => `${pages} turned`,
    removedPages: (pages: string) => `${pages} removed`,
    copied: (pages: number) => `${count(pages)} copied`,
    inserted: (pages: number, title: string) => `${count(pages)} of “${title}” inserted`,
    summary: (pages: number, changes: string) => `${count(pages)}: ${changes}`,
    done: (changes: string) => `Done: ${changes}.`,
    stopped: "The work was stopped.",
  },

  insert: {
    heading: "Insert pages of another document",
    find: "Find the document",
    search: "Search",
    nothing: "No document with pages was found",
    pages: "Pages",
    allPages: "All pages",
    pagesHelp: "Such as 1-3, 7. Leave it empty for all pages.",
    where: "Where",
    atEnd: "At the end",
    atBeginning: "At the beginning",
    before: (page: number) => `Before page ${page}, which is selected`,
    insert: "Insert",
    chooseFirst: "Choose a document first.",
    wrongPages: (last: number) => `Write page numbers from 1 to ${last}, such as 1-3, 7.`,
    tooMany: (max: number) => `A document has at most ${formats.number(max)} pages.`,
  },
}))();
