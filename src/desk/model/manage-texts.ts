import words from "#words/manage.json" with { type: "json" };
import { byName, textsOf } from "../../texts/texts-of.ts";
import { formats } from "../../viewer/texts/formats.ts";

const values = {
  orders: byName,
  statuses: byName,
  tryExample: (query: string) => ({ query }),
  notAField: (name: string) => ({ name }),
  escaped: (explained: string) => ({ explained }),
  didYouMean: (query: string) => ({ query }),
  removed: (name: string) => ({ name }),
  askRemove: (name: string) => ({ name }),
  filtersChosen: (count: number) => ({ count }),
  fields: byName,
  filter: (field: string, value: string) => ({ field, value }),
  removeFilter: (filter: string) => ({ filter }),
  you: (name: string) => ({ name }),
  showValues: (count: number) => ({ count }),
  countedAmong: (count: number) => ({ count }),
  found: (count: number) => ({ count }),
  foundPart: (first: number, last: number, count: number) => ({ first, last, count }),
  pages: (count: number) => ({ count }),
  accessShort: byName,
  newFinds: (count: number) => ({ count }),
  select: (title: string) => ({ title }),
  selectAllFound: (count: number) => ({ count }),
  selectFirst: (max: number) => ({ max }),
  selected: (count: number) => ({ count }),
  notChangeable: (count: number) => ({ count }),
  withoutFile: (count: number) => ({ count }),
  publicAlready: (count: number) => ({ count }),
  askDelete: (count: number) => ({ count }),
  deletedFor: (days: number) => ({ days }),
  broughtBack: (count: number) => ({ count }),
  allInTrash: (count: number) => ({ count }),
  someInTrash: (shown: number, count: number) => ({ shown, count }),
  daysLeft: (days: number) => ({ days }),
  deletedOn: (on: string) => ({ on }),
  deletedByOn: (name: string, on: string) => ({ name, on }),
  restored: (title: string) => ({ title }),
  askDeleteForGood: (title: string) => ({ title }),
  deletedForGood: (title: string) => ({ title }),
  askDeleteAllForGood: (count: number) => ({ count }),
  allDeletedForGood: (count: number) => ({ count }),
  changing: (done: number, count: number) => ({ done, count }),
  changed: (count: number) => ({ count }),
  deleted: (count: number) => ({ count }),
  partly: (done: number, count: number, reason: string) => ({ done, count, reason }),
  saved: (title: string) => ({ title }),
};

const texts = textsOf(words, values, formats);

/** The texts of the page on which people find, sort and change their documents, and of the trash. */
export const manageTexts = {
  ...texts,
  /** Each query with what it finds. */
  examples: Object.entries(texts.examples),
  inTrash: (shown: number, count: number) =>
    shown < count ? texts.someInTrash(shown, count) : texts.allInTrash(count),
  deletedBy: (name: string | undefined, on: string) =>
    name === undefined ? texts.deletedOn(on) : texts.deletedByOn(name, on),
};
