import words from "#words/editing.json" with { type: "json" };
import fields from "#words/fields.json" with { type: "json" };
import type { NoteAccess } from "../../contract/note.ts";
import { fieldTexts } from "../../texts/fields.ts";
import { byName, textsOf } from "../../texts/texts-of.ts";
import { formats } from "./formats.ts";
import { redactingTexts } from "./redacting-texts.ts";

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

const values = {
  box: {
    added: (name: string, rectangle: string) => ({ name, rectangle }),
    changed: (name: string, rectangle: string) => ({ name, rectangle }),
    removed: (name: string) => ({ name }),
    onPage: (name: string, page: number) => ({ name, page }),
    rectangle: (left: number, top: number, width: number, height: number) => ({ left, top, width, height }),
    rectangleOnPage: (page: number, rectangle: string) => ({ page, rectangle }),
  },
  note: {
    drag: (page: number) => ({ page }),
    wholePage: (page: number) => ({ page }),
    /** What somebody else has made of the place of the note. */
    boxOn: (page: number) => ({ page }),
    /** After the title of the note. */
    deletionMeans: (page: number) => ({ page }),
  },
  section: {
    changeOf: (title: string) => ({ title }),
    deleteOf: (title: string) => ({ title }),
    choosePage: (last: number) => ({ last }),
    taken: (title: string, page: number) => ({ title, page }),
  },
  form: {
    tag: (number: number) => ({ number }),
    removeTag: (number: number) => ({ number }),
    keyNumber: (number: number) => ({ number }),
    valueNumber: (number: number) => ({ number }),
    removeValue: (number: number) => ({ number }),
    audiences: {
      owner: (titles: string) => ({ titles }),
      organization: (organization: string, titles: string) => ({ organization, titles }),
      ownerUntil: (until: string, titles: string) => ({ until, titles }),
      organizationUntil: (until: string, organization: string, titles: string) => ({
        until,
        organization,
        titles,
      }),
    },
  },
  trouble: {
    broken: (reason: string) => ({ reason }),
    failed: (reason: string) => ({ reason }),
    of: (action: string, name: string) => ({ action, name }),
  },
  history: {
    project: (title: string) => ({ title }),
    shared: (project: string) => ({ project }),
    unshared: (project: string) => ({ project }),
    disposed: (rule: string) => ({ rule }),
    opened: (name: string) => ({ name }),
    mailedFrom: (sender: string) => ({ sender }),
    redacted: (pages: string) => ({ pages }),
    fileKind: (to: string, from: string) => ({ to, from }),
    removedAttached: (count: number) => ({ count }),
    changedText: (pages: string) => ({ pages }),
    removedField: (field: string, value: string) => ({ field, value }),
    setField: (field: string, value: string) => ({ field, value }),
    changedField: (field: string, from: string, to: string) => ({ field, from, to }),
    initial: (field: string, value: string) => ({ field, value }),
    quoted: (text: string) => ({ text }),
    pageCounts: (to: string, from: string) => ({ to, from }),
    data: (key: string) => ({ key }),
    /** The fields with which a document begins. */
    labels: byName,
    /** The other fields that people know, as the object of a sentence. */
    fields: byName,
    access: byName,
    madeIt: byName,
  },
  arrange: {
    removed: (pages: number) => ({ pages }),
    willHave: (pages: number) => ({ pages }),
    formerPage: (page: number) => ({ page }),
    pageOf: (page: number, title: string) => ({ page, title }),
    isNow: (name: string, position: number) => ({ name, position }),
    was: (page: number) => ({ page }),
    insertedFrom: (page: number, title: string) => ({ page, title }),
    turned: (pages: string) => ({ pages }),
    removedPages: (pages: string) => ({ pages }),
    copied: (pages: number) => ({ pages }),
    inserted: (pages: number, title: string) => ({ pages, title }),
    summary: (pages: number, changes: string) => ({ pages, changes }),
    done: (changes: string) => ({ changes }),
  },
  insert: {
    before: (page: number) => ({ page }),
    wrongPages: (last: number) => ({ last }),
    tooMany: (max: number) => ({ max }),
  },
};

const texts = textsOf(words, values, formats);
const { audiences } = texts.form;

/** Who will see a document, and from when on, in one or two sentences. */
function audience({ isPublic, organization, projects, until, isReady }: Audience): string {
  if (isPublic) return isReady ? audiences.everyone : audiences.everyoneWhenReady;
  const titles = projects.length === 0 ? "" : ` (${projects.join(", ")})`;
  if (until === "")
    return organization === null ? audiences.owner(titles) : audiences.organization(organization, titles);
  const before =
    organization === null
      ? audiences.ownerUntil(until, titles)
      : audiences.organizationUntil(until, organization, titles);
  return `${before} ${isReady ? audiences.thenEveryone : audiences.thenEveryoneWhenReady}`;
}

/**
 * The texts of the tools for people who write. Only the parts of the script that those people load have them.
 */
export const editingTexts = {
  ...redactingTexts,
  describing: fieldTexts(fields),
  ...texts,
  note: {
    ...texts.note,
    levels: texts.note.levels satisfies Readonly<Record<NoteAccess, { name: string; meaning: string }>>,
  },
  form: { ...texts.form, audience },
};
