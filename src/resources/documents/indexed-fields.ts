import { type TextPart, descriptionPart, sourcePart, titlePart } from "../../search/parts.ts";

/** What describes a document, and where the index of words has it. */
export interface DescribingTexts {
  title?: string | undefined;
  source?: string | undefined;
  description?: string | undefined;
}

/** Those parts of the index that these texts are; new ones are left out where they are empty. */
export function describingParts(documentId: number, texts: DescribingTexts): TextPart[] {
  const { title, source, description } = texts;
  return [
    { documentId, part: titlePart, text: title },
    { documentId, part: sourcePart, text: source },
    { documentId, part: descriptionPart, text: description },
  ].filter((part): part is TextPart => part.text !== undefined);
}
