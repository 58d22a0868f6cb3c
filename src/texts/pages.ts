import type { AdminPageName } from "../contract/page-options.ts";
import { accountTexts } from "./account.ts";
import { addonTexts } from "./addons.ts";
import { commonTexts } from "./common.ts";
import { de } from "./de/pages.ts";
import { documentTexts } from "./document.ts";
import { en } from "./en/pages.ts";
import { es } from "./es/pages.ts";
import { fieldTexts } from "./fields.ts";
import { Formats } from "./formats.ts";
import { fr } from "./fr/pages.ts";
import type { Language } from "./languages.ts";
import { guestTexts } from "./guests.ts";
import { importTexts } from "./imports.ts";
import { mailKeyTexts } from "./mail-keys.ts";
import { mailTexts } from "./mails.ts";
import { productionTexts } from "./productions.ts";
import { reasonTexts } from "./reasons.ts";
import { searchTexts } from "./searches.ts";
import { byName, textsOf } from "./texts-of.ts";
import { treeTexts } from "./tree.ts";
import { webhookTexts } from "./webhooks.ts";

type PageWords = typeof en;

// No translation lacks a key of English, or has one more.
const wordsOf = { en: en satisfies typeof de & typeof fr & typeof es, de, fr, es } satisfies Readonly<
  Record<Language, PageWords>
>;

/** The texts of the pages that the server renders. */
export type Catalogue = ReturnType<typeof catalogueOf>;

const catalogues = new Map<Language, Catalogue>();

/** The texts of the server's pages in a language. */
export function pageTexts({ language }: { language: Language }): Catalogue {
  let catalogue = catalogues.get(language);
  if (catalogue === undefined) {
    catalogue = catalogueOf(wordsOf[language]);
    catalogues.set(language, catalogue);
  }
  return catalogue;
}

function catalogueOf(words: PageWords) {
  const formats = new Formats(words.formats);
  return {
    formats,
    ...commonTexts(words.common, formats),
    describing: fieldTexts(words.fields),
    ...textsOf(words.pages, values, formats),
    /** The titles of the pages for administrators, by the last part of their address. */
    adminPages: { "": words.adminPages.administration, ...words.adminPages.titles } satisfies Readonly<
      Record<AdminPageName, string>
    >,
    /** Who can see something: the label of the choice, and its levels. */
    visibility: words.visibility,
    account: accountTexts(words.account, formats),
    addons: addonTexts(words.addons, formats),
    document: documentTexts(words.document, formats),
    guests: guestTexts(words.guests, formats),
    imports: importTexts(words.imports, formats),
    mailkeys: mailKeyTexts(words.mailkeys, formats),
    mails: mailTexts(words.mails, formats),
    productions: productionTexts(words.productions, formats),
    reasons: reasonTexts(words.reasons, formats),
    searches: searchTexts(words.searches, formats),
    tree: treeTexts(words.tree, formats),
    webhooks: webhookTexts(words.webhooks, formats),
  };
}

const values = {
  ownMenu: (name: string) => ({ name }),
  servedBy: (version: string) => ({ version }),
  noteOnPage: (page: number) => ({ page }),
  morePages: (count: number) => ({ count }),
  documentsFound: (count: number) => ({ count }),
  copies: (count: number, locations: number) => ({ count, locations }),
  andMoreCopies: (count: number) => ({ count }),
  documentsCount: (count: number) => ({ count }),
  documentsMore: (count: string) => ({ count }),
  landing: {
    count: (count: number, name: string) => ({ count, name }),
    countMore: (count: string, name: string) => ({ count, name }),
  },
  pageCount: (count: number) => ({ count }),
  demandWord: (word: string) => ({ word }),
  showAllOf: (name: string) => ({ name }),
  countedAmong: (count: number) => ({ count }),
  facets: byName,
  access: byName,
  statuses: byName,
  allInGroup: (group: string) => ({ group }),
  sharedBy: (name: string, day: string) => ({ name, day }),
  sharedOn: (day: string) => ({ day }),
  noteList: {
    /** Before the title of the document. */
    pageOf: (page: number) => ({ page }),
  },
  notifications: {
    bell: (count: number) => ({ count }),
    markRead: (count: number) => ({ count }),
    shared: (by: string) => ({ by }),
    mentioned: (by: string) => ({ by }),
    processed: (count: number) => ({ count }),
    failed: (count: number) => ({ count }),
    cancelled: (by: string) => ({ by }),
    redacted: (count: number) => ({ count }),
    annotated: (count: number, by: string) => ({ count, by }),
    opened: (count: number, by: string) => ({ count, by }),
    finished: (count: number) => ({ count }),
  },
  work: {
    read: (read: number, total: number) => ({ read, total }),
    failed: (count: number) => ({ count }),
    others: (count: number) => ({ count }),
    addons: (count: number) => ({ count }),
    heldBack: (count: number) => ({ count }),
    active: (count: number) => ({ count }),
    more: (count: number) => ({ count }),
    progress: (done: number, total: number) => ({ done, total }),
  },
  timeline: {
    found: (count: number) => ({ count }),
    bar: (date: string, count: number) => ({ date, count }),
  },
  mentions: {
    values: (count: number) => ({ count }),
    unread: (count: number) => ({ count }),
    correctOf: (value: string) => ({ value }),
    corrected: (count: number) => ({ count }),
    inSearch: (count: number) => ({ count }),
    inMany: (count: number) => ({ count }),
    isRejected: (value: string) => ({ value }),
    isMerged: (value: string, becomes: string) => ({ value, becomes }),
    undoFor: (value: string) => ({ value }),
  },
  quotations: {
    redacted: (day: string) => ({ day }),
    onPage: (page: number) => ({ page }),
  },
  trashHelp: (days: number) => ({ days }),
  plainUpload: {
    newFileOf: (id: number) => ({ id }),
    /** Messages of the API. Other messages appear as the API has them. */
    messages: byName,
  },
  errors: {
    /** By HTTP status. */
    titles: byName,
    /** Messages of the API. Other messages appear as the API has them. */
    messages: byName,
  },
};
