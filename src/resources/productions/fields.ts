import { productionImages } from "./shapes.ts";
import { maxQueryLength, productionLimits } from "../../contract/limits.ts";
import { boolean, choice, integer, key, listOf, text } from "../../http/fields/field-kinds.ts";
import { FieldError } from "../../http/fields/fields.ts";
import { isPrefix } from "./numbers.ts";

const plainPrefix = text({
  maxLength: productionLimits.prefix,
  required: true,
  label: "Prefix",
  help: "What each number begins with: letters, digits, and . _ - in between; no digit at its end",
  example: "ABC",
});

/** The fields of a new production. */
export const productionFields = {
  documents: listOf(key({ label: "Document" }), {
    label: "Documents",
    help: "The ids of the documents, in their order; leave it out to name a query",
    example: [1],
  }),
  query: text({
    maxLength: maxQueryLength,
    blank: true,
    label: "Query",
    help: "A search, as in /api/documents/search/: what it finds is produced, such as project:7",
    default: "",
    example: "",
  }),
  families: boolean({
    label: "Families",
    help: "Also what is part of these documents, such as the attachments of mail",
    default: true,
  }),
  name: text({
    maxLength: productionLimits.name,
    blank: true,
    label: "Name",
    help: "For yourself",
    default: "",
  }),
  prefix: {
    ...plainPrefix,
    read: (value: unknown): string => {
      const read = plainPrefix.read(value);
      if (!isPrefix(read))
        throw new FieldError(
          "Begin with a letter of A to Z; letters, digits, and . _ - may follow, and no digit last.",
        );
      return read;
    },
  },
  first: integer({
    min: 1,
    max: 10 ** productionLimits.maxDigits - 1,
    label: "First number",
    help: "The next one of the prefix if not given",
    example: 1,
  }),
  digits: integer({
    min: productionLimits.minDigits,
    max: productionLimits.maxDigits,
    label: "Digits",
    help: "How many digits a number has",
    default: 7,
  }),
  volume: {
    ...text({ maxLength: 20, label: "Volume", help: "The name of the folder", default: "VOL001" }),
    read: (value: unknown): string => {
      const read = text({ maxLength: 20 }).read(value);
      if (!/^[a-z0-9][a-z0-9_-]*$/i.test(read))
        throw new FieldError("Letters of A to Z, digits, and _ - are allowed.");
      return read;
    },
  },
  endorsement: text({
    maxLength: productionLimits.endorsement,
    blank: true,
    label: "Endorsement",
    help: "What each page says besides its number",
    default: "",
    example: "CONFIDENTIAL",
  }),
  images: choice(productionImages, {
    label: "Images",
    help: "tiff: black and white; color: TIFF, and JPEG for pages in colour; pdf: a PDF for each document",
    default: "tiff",
  }),
  texts: boolean({ label: "Texts", help: "A text for each document", default: true }),
  natives: boolean({
    label: "Natives",
    help: "The files as they came, never of what is redacted",
    default: true,
  }),
  bom: boolean({ label: "Byte order mark", help: "At the begin of the load files", default: true }),
};
