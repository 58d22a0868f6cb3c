import type { NoteAccess } from "../../contract/note.ts";
import { type FieldWords, fieldsEnglish } from "../../texts/fields-english.ts";
import { Formats } from "../../texts/formats.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("en");

const count = (pages: number): string => formats.plural(pages, { one: "1 page", other: "# pages" });
const places = (number: number, pages: number): string =>
  `${formats.plural(number, { one: "1 place", other: "# places" })} on ${count(pages)}`;

/** "page 3", "pages 1, 2 and 5", from the names of pages. */
const named = (pages: readonly string[]): string =>
  `${formats.plural(pages.length, { one: "page", other: "pages" })} ${formats.list(pages)}`;
const rest = (more: number): string => `${formats.number(more)} more`;

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

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The texts of the tools for people who write, in English. A translation is another object of this type. */
export const editingEnglish = {
  describing: fieldsEnglish,
  /** "page 3", "pages 1, 2 and 4 more": the names of pages, and the number of those that are not named. */
  pages: (pages: readonly string[], more: number) => named(more === 0 ? pages : [...pages, rest(more)]),
  pageCount: count,
  places,
  back: "Back",
  keep: "Keep it",
  show: "Show",
  remove: "Remove",
  preview: "Preview",
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
    undo: "Undo",
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
    documents: "Documents",
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

  redact: {
    heading: "Redact",
    boxName: "Box to redact",
    unchanged: "Nothing has changed, and your marks are still here.",
    result: "Result",
    drawing: "Drawing",
    drawBoxes: "Draw boxes",
    addBox: "Add a box",
    drawHelp: "Drag over a page to draw a box. Escape ends the drawing.",
    drawnBoxes: "Drawn boxes",
    showMark: (mark: string) => `Show: ${mark}`,
    removeMark: (mark: string) => `Remove: ${mark}`,
    ask: (number: number, pages: number) => `Redact ${places(number, pages)}?`,
    consequences: (pages: number) => [
      "This cannot be undone. Quire keeps no copy of what is hidden.",
      formats.plural(pages, {
        one: "The page becomes an image with black boxes. Its other words are recognised again.",
        other: "These pages become images with black boxes. Their other words are recognised again.",
      }),
      "Nobody else sees the document until the result has been checked.",
      "If a check fails, the document becomes private.",
    ],
    confirm: "Redact permanently",
    nothingMarked: "Nothing is marked.",
    marked: (number: number, pages: number) => `Marked: ${places(number, pages)}`,
    tooMany: (number: number, max: number) =>
      `These are ${formats.number(number)} boxes. At most ${formats.number(max)} can be redacted at a time: untick some, apply, then redact the others.`,
    apply: "Redact…",
    words: "Words to redact everywhere",
    wordsHelp:
      "A name or a phrase, also over the end of a line. Capitals and accents do not matter; hollow* also finds Holloway.",
    findAll: "Find all",
    typeWords: "Type the words that should be redacted.",
    found: (words: string, number: number, pages: number) => `“${words}”: ${places(number, pages)}`,
    quoted: (words: string) => `“${words}”`,
    dropWords: (words: string) => `Remove “${words}” from the list`,
    working: "Being redacted and checked",
    recognised: (done: number, pages: number) =>
      `Being redacted and checked, ${formats.number(done)} of ${formats.number(pages)} pages recognised`,
    noneLeft: (words: string) => `“${words}” is found on no page any more.`,
    someLeft: (words: string, number: number, pages: number) =>
      `“${words}” is still found in ${places(number, pages)}, which were not ticked.`,
    stillIn: (words: string, parts: readonly string[]) =>
      `“${words}” is still in ${formats.list(parts)}. A redaction does not change these: edit them.`,
    inAddress: (words: string) =>
      `“${words}” is still in the address of the document's page, which never changes.`,
    parts: { title: "the title", data: "the data" },
    aText: ({ object }: FieldWords) => object,
    aNote: (page: number) => `a note on page ${page}`,
    aSection: (page: number) => `a section on page ${page}`,
    copiesStay: "Copies that others have made, and backups, are not changed.",
  },

  mentions: {
    searching: "Searching…",
    tryAgain: "Try again",
    nothing: "Nothing was found.",
    ticked: (number: number, pages: number, ticked: number) =>
      `${places(number, pages)}, ${formats.number(ticked)} ticked`,
    notCovered: "Not covered",
    tickAll: "Tick all",
    tickNone: "Tick none",
    page: (page: number) => `Page ${page}`,
    showPlace: (place: number, page: number) => `Show place ${place} on page ${page}`,
    unplaced: (words: string, pages: readonly string[], more: number, times: number) =>
      `“${words}” is in the text of ${named(more === 0 ? pages : [...pages, rest(more)])} ${formats.plural(times, { one: "once", other: "# times" })} more, but the position on the page is unknown. Look at the ${formats.plural(pages.length, { one: "page", other: "pages" })} and draw boxes.`,
    withoutText: (pages: readonly string[], more: number) =>
      `${capital(named(more === 0 ? pages : [...pages, rest(more)]))} ${formats.plural(pages.length, {
        one: "has no text, so nothing can be found there. Look at it yourself.",
        other: "have no text, so nothing can be found there. Look at them yourself.",
      })}`,
  },

  outcome: {
    whatWasChecked: (checks: number) =>
      formats.plural(checks, {
        one: "What was checked: 1 check, passed",
        other: "What was checked: # checks, all passed",
      }),
    failed: "The redaction failed. The document still has everything that you wanted to hide.",
    stopped: "The work was stopped",
    isPrivate: "The document is private now, so that nobody else sees it by accident.",
    redactAgain: "Redact it again. Then set who may see it.",
    nothing: "There was nothing to redact.",
    done: (words: number, pages: string) =>
      `Redacted: ${words === 0 ? "no word" : formats.plural(words, { one: "1 word", other: "# words" })} under the boxes on ${pages}.`,
    seen: (pages: string) => `Redacted words can still be seen on ${pages}.`,
    seenAdvice: "Look at these places, and redact them too if nobody should see them.",
    unseen: (pages: string) => `Redacted words are still in text that cannot be seen, on ${pages}.`,
    unseenAdvice: "Redact these pages too.",
    unread: (pages: string, reason: string) =>
      `The rest of the text of ${pages} could not be recognised: ${reason}.`,
    unreadAdvice: "Nothing hidden is left there, but the search does not find the other words.",
    /** Each name in `checked` of the receipt, and what the server has found out. */
    checks: {
      pdf: "The redacted pages of the new file have no text layer, and none of its texts, names, comments and attachments has a hidden word.",
      pixels: "Every pixel under a box is black.",
      text: "The text that was recognised on the new pages has no hidden word under a box.",
      positions: "No word has its position under a box.",
      index: "The search no longer finds a hidden word by those pages.",
      files: "The former file, its page images and the file that it was converted from are removed.",
    } as Readonly<Record<string, string>>,
    advice: {
      namedPages: "Redact the pages that the message names, too.",
      largerBox: "Draw a larger box around it, and try again.",
      changedMeanwhile: "Somebody else changed the document. Look at it, and try again.",
      again: "Try again. If it fails again, tell the operator of this site.",
    },
  },
};
