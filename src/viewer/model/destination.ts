import { maxQueryLength } from "../../contract/limits.ts";

/** What the address of a document may point to: a page, or a note on it. */
export interface Destination {
  /** Counting from 1. */
  page: number;
  /** The id of a note. Null if the address names only the page. */
  note: number | null;
}

/** Parses the fragment of an address: `#document/p217`, `#document/p217/a12`. Null for any other fragment. */
export function readFragment(hash: string): Destination | null {
  const found = /^#document\/p([1-9]\d{0,8})(?:\/a(\d{1,15}))?\/?$/.exec(hash);
  return found === null
    ? null
    : { page: Number(found[1]), note: found[2] === undefined ? null : Number(found[2]) };
}

export function formatFragment({ page, note }: Destination): string {
  return `#document/p${page}${note === null ? "" : `/a${note}`}`;
}

/** What an address may open beside the pages, for people who may change the document. */
export type AddressedAction = "person" | "duplicate";

/** Parses the fragment of an address that opens a form: `#action/duplicate`. Null for any other fragment. */
export function readAction(hash: string): AddressedAction | null {
  return (/^#action\/(person|duplicate)$/.exec(hash)?.[1] as AddressedAction | undefined) ?? null;
}

/** The address of a document's page with a form opened on it. */
export const addressOfAction = (canonical: string, action: AddressedAction): string =>
  `${canonical}#action/${action}`;

/** A link to a longer selection searches for its first words. */
const maxWordsInAddress = 15;

/** A link to words on a page. It searches for them as a phrase, so that the viewer highlights them. */
export function addressOfWords(canonical: string, page: number, words: string): string {
  const phrase = words
    .replaceAll(/["\\]/g, " ")
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, maxWordsInAddress)
    .join(" ");
  const address = new URL(canonical);
  address.searchParams.set("q", `"${phrase}"`);
  address.hash = formatFragment({ page, note: null });
  return address.href;
}

/** The search for documents like a passage of one. `canonical` is the address of its page, below that of the search. */
export function addressOfSimilar(canonical: string, passage: string): string {
  const address = new URL("../../", canonical);
  address.searchParams.set("like_text", passage.replaceAll(/\s+/g, " ").trim().slice(0, maxQueryLength));
  return address.href;
}
