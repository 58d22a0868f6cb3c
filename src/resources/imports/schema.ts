import { Import, ImportFile, ImportProgress, importFileStates } from "../../contract/work.ts";
import {
  InvalidOrRefused,
  ValidationError,
  choicesParameter,
  listOf,
  paging,
  textParameter,
} from "../../http/fields/schema-shapes.ts";

export const listing = {
  summary: "Your imports, a page at a time, the newest first",
  query: paging,
  gives: listOf("ImportList", Import),
};
export const reading = { summary: "An import, and how far its documents have come", gives: ImportProgress };
export const opening = {
  summary: "Open the import of a folder that is uploaded file by file",
  gives: ImportProgress,
};
export const reporting = {
  summary: "Report what has become of files of a folder that is being uploaded",
  gives: ImportProgress,
  status: 200,
  also: { 400: InvalidOrRefused },
};
export const listingFiles = {
  summary: "The files of an import, and what has become of each",
  query: {
    ...paging,
    state: choicesParameter(importFileStates, "only files in these states"),
    extension: textParameter("only files with this extension"),
  },
  gives: listOf("ImportFileList", ImportFile),
  also: { 400: ValidationError },
};
export const processing = {
  summary: "Process documents of an import again",
  gives: ImportProgress,
  status: 202,
};
