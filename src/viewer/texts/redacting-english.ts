import type { FieldWords } from "../../texts/fields-english.ts";
import { Formats } from "../../texts/formats.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("en");

export const count = (pages: number): string => formats.plural(pages, { one: "1 page", other: "# pages" });
const places = (number: number, pages: number): string =>
  `${formats.plural(number, { one: "1 place", other: "# places" })} on ${count(pages)}`;

/** "page 3", "pages 1, 2 and 5", from the names of pages. */
const named = (pages: readonly string[]): string =>
  `${formats.plural(pages.length, { one: "page", other: "pages" })} ${formats.list(pages)}`;
const rest = (more: number): string => `${formats.number(more)} more`;
export const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The texts of redactions, in English. A translation is another object of this type. */
export const redactingEnglish = {
  /** "page 3", "pages 1, 2 and 4 more": the names of pages, and the number of those that are not named. */
  pages: (pages: readonly string[], more: number) => named(more === 0 ? pages : [...pages, rest(more)]),
  places,

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
      "If a check fails, the document is as it was before.",
    ],
    confirm: "Redact permanently",
    target: {
      label: "What is redacted",
      copy: "A copy",
      document: "This document",
      copyMeans: [
        "This document stays as it is, with all of its words.",
        "The copy becomes a document of its own. It has no notes, no sections and no history of this one.",
        "Nobody else sees the copy until it has been checked. If a check fails, the copy has no pages and says why.",
      ],
      originalGoes: (extension: string) =>
        `The file that was uploaded (${extension.toUpperCase()}) is removed. Only the redacted PDF stays.`,
      access: "Who can see the copy",
      hideOriginal: "Make this document private once the copy is there",
      makeCopy: "Make a redacted copy",
      made: "The redacted copy is being made and checked. Your marks are still here.",
      open: "Open the copy",
    },
    nothingMarked: "Nothing is marked.",
    marked: (number: number, pages: number) => `Marked: ${places(number, pages)}`,
    tooMany: (number: number, max: number) =>
      `These are ${formats.number(number)} boxes. At most ${formats.number(max)} can be redacted at ` +
      "a time: untick some, apply, then redact the others.",
    apply: "Redact…",
    words: "Words to redact everywhere",
    wordsHelp:
      "A name or a phrase, also over the end of a line. Capitals and accents do not matter; hollow* " +
      "also finds Holloway.",
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
      `“${words}” is in the text of ${named(more === 0 ? pages : [...pages, rest(more)])} ` +
      `${formats.plural(times, { one: "once", other: "# times" })} more, but the position on the ` +
      `page is unknown. Look at the ${formats.plural(pages.length, { one: "page", other: "pages" })} ` +
      "and draw boxes.",
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
    asBefore: "The document is as it was: everyone who could read it can read it again.",
    orMakePrivate: "Redact it again, or make it private until you do.",
    nothing: "There was nothing to redact.",
    done: (words: number, pages: string) =>
      "Redacted: " +
      `${words === 0 ? "no word" : formats.plural(words, { one: "1 word", other: "# words" })} under ` +
      `the boxes on ${pages}.`,
    seen: (pages: string) => `Redacted words can still be seen on ${pages}.`,
    seenAdvice: "Look at these places, and redact them too if nobody should see them.",
    unseen: (pages: string) => `Redacted words are still in text that cannot be seen, on ${pages}.`,
    unseenAdvice: "Redact these pages too.",
    unread: (pages: string, reason: string) =>
      `The rest of the text of ${pages} could not be recognised: ${reason}.`,
    unreadAdvice: "Nothing hidden is left there, but the search does not find the other words.",
    /** Each name in `checked` of the receipt, and what the server has found out. */
    checks: {
      pdf:
        "The redacted pages of the new file have no text layer, and none of its texts, names, comments " +
        "and attachments has a hidden word.",
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
