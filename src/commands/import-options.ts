import { accessLevels } from "../contract/document.ts";
import { languageCodes } from "../resources/documents/languages.ts";
import { type Kind, integer, oneOf } from "../value-kinds.ts";

const languageCode: Kind<string> = {
  expected: "the code of a language, such as eng, fra or deu",
  parse: (text) => (languageCodes.has(text) ? text : undefined),
};

/** What documents from files get: the options of each command that imports files. */
export const importOptions = {
  data: { setting: "data", placeholder: "FOLDER" },
  access: {
    kind: oneOf(...accessLevels.filter((level) => level !== "invisible")),
    placeholder: "LEVEL",
    help: "The access level of documents imported from files: public, organization or private. Without it, private.",
  },
  language: {
    kind: languageCode,
    placeholder: "CODE",
    help: "The language of documents imported from files. Without it, eng.",
  },
  organization: {
    kind: integer(1),
    placeholder: "ID",
    help: "The organization that the documents belong to. Without it, the owner's active organization.",
  },
  project: {
    kind: integer(1),
    placeholder: "ID",
    help: "A project that documents imported from files join.",
  },
} as const;
