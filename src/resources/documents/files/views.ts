import type { View } from "../../../http/browsable/view.ts";

/** This view only serves GET, and its responses are files, not JSON. */
export const documentFile: View = {
  name: "File",
  description: "A document's file, its text or an image of one of its pages.",
};

export const documentOutline: View = {
  name: "Document Outline",
  description: "The table of contents that a document's PDF has itself. Sections are Quire's own.",
};

export const documentTable: View = {
  name: "Document Table",
  description:
    "Rows of a document whose original is a table: a CSV file, or a workbook (XLSX) sheet by sheet.",
};

export const documentMail: View = {
  name: "Document Mail",
  description: "Sender, recipients, headers and attachments of a document whose original is a mail (EML).",
};

export const documentZip: View = {
  name: "Bulk download",
  description: "The originals of several documents, as one ZIP archive.",
};
