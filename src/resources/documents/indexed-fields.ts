import { type TextPart, descriptionPart, sourcePart, titlePart } from "../../search/parts.ts";

/** The job that indexes the words of the documents in `unindexed_documents`. */
export const indexJob = "index documents";

/** The fields that describe a document and that the text index contains. */
export interface DescribingTexts {
  title?: string | undefined;
  source?: string | undefined;
  description?: string | undefined;
}

/** The parts of the text index that hold these fields. Fields that are undefined are left out. */
export function describingParts(documentId: number, texts: DescribingTexts): TextPart[] {
  const { title, source, description } = texts;
  return [
    { documentId, part: titlePart, text: title },
    { documentId, part: sourcePart, text: source },
    { documentId, part: descriptionPart, text: description },
  ].filter((part): part is TextPart => part.text !== undefined);
}
