import type english from "./en/productions.json";
import type { Formats } from "./formats.ts";
import { byName, textsOf } from "./texts-of.ts";

/** The texts of the pages of productions. */
export function productionTexts(words: typeof english, formats: Formats) {
  return textsOf(
    words,
    {
      help: (days: number) => ({ days }),
      documents: (count: number) => ({ count }),
      chosen: (count: number) => ({ count }),
      progress: (done: number, total: number) => ({ done, total }),
      range: (begin: string, end: string) => ({ begin, end }),
      slips: (count: number) => ({ count }),
      withheld: (count: number) => ({ count }),
      leftOut: (count: number) => ({ count }),
      keptUntil: (at: string) => ({ at }),
      /** Messages of the API. Other messages appear as the API has them. */
      messages: byName,
    },
    formats,
  );
}
