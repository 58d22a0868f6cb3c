import type english from "./en/mailkeys.json";
import type { Formats } from "./formats.ts";
import { textsOf } from "./texts-of.ts";

/** The texts of the page with the addresses to which people mail documents. */
export function mailKeyTexts(words: typeof english, formats: Formats) {
  return textsOf(
    words,
    {
      makeFor: (title: string) => ({ title }),
      replaceFor: (title: string) => ({ title }),
      revokeFor: (title: string) => ({ title }),
      made: (at: string) => ({ at }),
      used: (at: string) => ({ at }),
    },
    formats,
  );
}
