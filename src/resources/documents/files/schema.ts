import { maxInArchive } from "../../../contract/limits.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import { ErrorDetail, FieldErrors, bytes, choiceParameter, id } from "../../../http/fields/schema-shapes.ts";

export const nameParameter = {
  "*": Type.String({
    description: "<slug>.pdf, <slug>.txt, pages/<slug>-p<n>-<size>.gif and so on; pages are counted from 1",
    examples: ["a-document.pdf"],
  }),
};
const none = (description: string) => ({ description, type: "null" });
export const readingFile = {
  summary: "A document's file, its text, or an image of a page",
  description:
    "The names of the files are in the documentation. A request that accepts JSON first gets an address, location, " +
    "that opens without credentials.",
  query: {
    text: choiceParameter(["1"], "the PDF with its recognised words as invisible text"),
  },
  gives: bytes(["*/*"], "The file"),
  also: {
    206: bytes(["*/*"], "The part of the file that the header Range asks for"),
    302: none("To the same file at its store, or at the server that the document is mirrored from"),
    304: none("The file has the tag of If-None-Match"),
    416: none("The file does not have the part that the header Range asks for"),
  },
};

export const downloadingSeveral = {
  summary: "Download the originals of several documents as one ZIP archive",
  query: {
    text: choiceParameter(["1"], "PDFs with recognised words as invisible text, in place of scans"),
    id__in: Type.Array(id(), { description: `ids of documents, at most ${maxInArchive}`, examples: [1] }),
  },
  gives: bytes(["application/zip"], "the archive, with a list of what is not in it"),
  also: { 400: FieldErrors, 503: ErrorDetail },
};
