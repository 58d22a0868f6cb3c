import type english from "./en/searches.json";
import type { Formats } from "./formats.ts";
import { byName, textsOf } from "./texts-of.ts";

/** The texts of the pages of saved searches. */
export function searchTexts(words: typeof english, formats: Formats) {
  return textsOf(
    words,
    {
      open: (name: string) => ({ name }),
      alerts: byName,
      new: (count: number) => ({ count }),
      foundAt: (at: string) => ({ at }),
      tooMany: (count: number) => ({ count: String(count) }),
      /** Messages of the API. Other messages appear as the API has them. */
      messages: byName,
    },
    formats,
  );
}
