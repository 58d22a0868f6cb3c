import { uploadReportLimits } from "../../contract/limits.ts";
import { type ReportedFile, uploadEnds, uploadOutcomes } from "../../contract/family.ts";
import { membersOf } from "../../http/request/body.ts";
import { boolean, choice, integer, key, listOf, text } from "../../http/fields/field-kinds.ts";
import { tableSchema } from "../../http/fields/field-schema.ts";
import { type Field, FieldError, readFields } from "../../http/fields/fields.ts";
import { faultOf } from "../../http/fields/nested-faults.ts";

/** Which documents of an import are processed again. */
export const processAgainFields = {
  which: choice(["failed", "all"], {
    label: "Which",
    help: "failed: those that could not be read; all: those that were read too",
    default: "failed",
  }),
  extension: text({
    maxLength: 10,
    blank: true,
    label: "Kind",
    help: "Only files with this extension; empty for all",
    default: "",
    example: "pdf",
  }),
  older: boolean({
    label: "Older versions",
    help: "Only those that another version of Quire has read",
    default: false,
  }),
};

/** A folder that is about to be uploaded. */
export const uploadFields = {
  name: text({
    maxLength: uploadReportLimits.name,
    required: true,
    label: "Name",
    help: "The name of the folder",
    example: "Council",
  }),
  seen: integer({ min: 0, required: true, label: "Files", help: "How many files it has", example: 1 }),
};

const reportedFile = {
  path: text({ maxLength: uploadReportLimits.path, required: true }),
  outcome: choice(uploadOutcomes, { required: true }),
  document: key({}),
  reason: text({ maxLength: uploadReportLimits.reason, blank: true, default: "" }),
};

const file: Field<ReportedFile> = {
  type: "json",
  schema: tableSchema(reportedFile, false),
  read: (value) =>
    faultOf(() => {
      const {
        path = "",
        outcome = "failed",
        document,
        reason = "",
      } = readFields(reportedFile, membersOf(value), "whole");
      if (document === undefined && outcome === "added")
        throw new FieldError("An added file has a document.");
      return { path, outcome, ...(document !== undefined && { document }), ...(reason !== "" && { reason }) };
    }),
};

const plainFiles = listOf(file, {
  label: "Files",
  help: "What has become of files since the last report; documents are yours",
  default: [],
  example: [{ path: "Council/minutes.pdf", outcome: "known", document: 1 }],
});

/** The outcomes of files of a folder that is being uploaded. */
export const reportFields = {
  files: {
    ...plainFiles,
    read: (value: unknown): ReportedFile[] => {
      if (Array.isArray(value) && value.length > uploadReportLimits.files)
        throw new FieldError(`Ensure this field has no more than ${uploadReportLimits.files} elements.`);
      return plainFiles.read(value);
    },
  },
  reported: integer({
    min: 0,
    label: "Reported",
    help: "How many files the reports before this one had: what was counted already is not counted again",
    example: 0,
  }),
  ended: choice(uploadEnds, {
    label: "Ended",
    help: "done: nothing is left; stopped: the rest is not uploaded",
  }),
};
