import common from "#words/common.json" with { type: "json" };
import fields from "#words/fields.json" with { type: "json" };
import { commonTexts } from "../../texts/common.ts";
import { fieldTexts } from "../../texts/fields.ts";
import { formats } from "../../viewer/texts/formats.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { manageTexts } from "./manage-texts.ts";
import { projectPageTexts } from "./project-page-texts.ts";
import { uploadsTexts } from "./uploads-texts.ts";

/**
 * The texts of the desk, except messages of the API, which appear as the server wrote them. Components contain no text
 * of their own. The pages for administrators and for redactions have catalogues that only they load: `adminTexts` and
 * `batchRedactionTexts`.
 */
export const texts = {
  formats,
  ...commonTexts(common, formats),
  describing: fieldTexts(fields),
  ...uploadsTexts,
  ...manageTexts,
  projectPage: projectPageTexts,
  noAnswer: viewerTexts.noAnswer,
};

/** "1.5 MB", in steps of a thousand. */
export function sizeInWords(bytes: number): string {
  return formats.bytes(bytes, viewerTexts.bytes);
}

/** The name of a language code of the API: `srp_latn` is "Serbian (Latin)". */
export function languageName(code: string): string {
  return formats.languageNameOf(code) ?? (code === "" ? texts.unknown : code);
}
