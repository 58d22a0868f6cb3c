import type { View } from "../../http/browsable/view.ts";
import { jsonBody } from "../../http/request/body.ts";
import { processAgainFields, reportFields, uploadFields } from "./fields.ts";

export const importList: View = {
  name: "Import List",
  description: "Folders, archives, mailboxes and lists that were imported, the newest first.",
  fields: { POST: uploadFields },
};

export const importInstance: View = {
  name: "Import",
  description: "What has become of the files of an import, by kind and by state.",
};

export const importFileList: View = {
  name: "Import File List",
  description: "The files of an import, and what has become of each. POST reports it of an upload.",
  parses: [jsonBody],
  fields: { POST: reportFields },
};

export const processAgainView: View = {
  name: "Process Again",
  description: "POST has documents of the import processed again.",
  fields: { POST: processAgainFields },
  leadsTo: "..",
};
