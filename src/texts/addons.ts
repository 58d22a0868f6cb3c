import type english from "./en/addons.json";
import type { Formats } from "./formats.ts";
import { textsOf } from "./texts-of.ts";

/** The texts of the pages on which people run add-ons. */
export function addonTexts(words: typeof english, formats: Formats) {
  return textsOf(
    words,
    {
      progress: (progress: number) => ({ progress: String(progress) }),
      actionOf: (action: string, name: string) => ({ action, name }),
      more: (count: number) => ({ count }),
      begun: (moment: string) => ({ moment }),
      events: { next: (moment: string) => ({ moment }) },
    },
    formats,
  );
}
