import type { DocumentSelection } from "../resources/documents/record/export-store.ts";

/*
 * The content of an archive. Every list is a JSON array with one element on each line, so that it can be read line by
 * line, without holding the whole list in memory.
 *
 *   README.txt
 *   documents.json                id, title and folder of each document
 *   documents/7/record.json       the record, as the API shows it
 *   documents/7/details.json      further details for an import: {@link DocumentDetails}
 *   documents/7/a-report.pdf      the PDF; original/a-report.docx is the original, if it was not a PDF
 *   documents/7/text.txt          the text of all pages, separated by form feeds
 *   documents/7/pages.json        the text of each page, and how it was recognised
 *   documents/7/notes.json, sections.json, entities.json, corrections.json, history.json, receipts.json
 *   projects.json, organizations.json, people.json, entities.json, saved-searches.json
 */

export const archiveFormat = "1";
/** The label in bag-info.txt of the version of this layout. */
export const formatLabel = "Quire-Archive-Format";

export const listNames = {
  documents: "documents.json",
  projects: "projects.json",
  organizations: "organizations.json",
  people: "people.json",
  entities: "entities.json",
  savedSearches: "saved-searches.json",
} as const;

export const documentFolderOf = (id: number): string => `documents/${id}`;

export const partNames = {
  record: "record.json",
  details: "details.json",
  text: "text.txt",
  pages: "pages.json",
  notes: "notes.json",
  sections: "sections.json",
  entities: "entities.json",
  corrections: "corrections.json",
  history: "history.json",
  receipts: "receipts.json",
} as const;

/** The details of a document that an import needs in addition to its record. */
export interface DocumentDetails {
  /** The address of the document's files; null if they are in the archive, or if there are none. */
  asset_url: string | null;
  /** The ids of the projects whose collaborators may edit it. */
  shared_projects: number[];
  /** The file that was uploaded. */
  received: { sha1: string; extension: string } | null;
}

export const readme = `This folder is an archive of documents, made by Quire. It needs no Quire to be read.

documents.json          a line for each document: its id, title and folder
documents/<id>/         a folder for each document:
  record.json             title, source, language, access and all other facts
  <name>.pdf              the document
  original/               the file that it was made of, if that was no PDF
  text.txt                the text of all pages, with a form feed between two pages
  pages.json              the text of each page, and how it was recognised
  notes.json              notes on its pages
  sections.json           its sections
  entities.json           people, places and organizations that it names
  corrections.json        corrections of the addresses, numbers and dates that were found in its text
  history.json            who changed it, and when
  receipts.json           what happened to its file
  details.json            for an import
projects.json           projects, with their collaborators and their rights
organizations.json      organizations, with their members
people.json             people. Passwords are not in the archive
entities.json           the people, places and organizations of entities.json of documents
saved-searches.json     searches that people have saved

Pages count from 0. Each list is a JSON array with an element on each line. The checksums of all files are in
manifest-sha256.txt, beside this folder: "sha256sum --check manifest-sha256.txt" compares them, and so does every
program that reads BagIt (RFC 8493). "quire import --archive" takes the archive into a Quire.
`;

/** The text of a list with these elements. */
export async function* listText(
  elements: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const element of elements) {
    yield `${isFirst ? "[" : ","}\n${JSON.stringify(element)}`;
    isFirst = false;
  }
  yield isFirst ? "[]\n" : "\n]\n";
}

/** A description of the archive's contents, for people. */
export function contentsInWords({ user, project, isPublic }: DocumentSelection): string {
  const parts = [];
  if (isPublic) parts.push("the public documents");
  if (user !== null) parts.push(`the documents of user ${user}`);
  if (project !== null) parts.push(`the documents in project ${project}`);
  return parts.join(", of these ") || "all documents";
}
