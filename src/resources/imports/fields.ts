import { boolean, choice, text } from "../../http/fields/field-kinds.ts";

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
