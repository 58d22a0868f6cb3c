import type english from "./en/imports.json";
import type { Formats } from "./formats.ts";
import { textsOf } from "./texts-of.ts";

/** The texts of the pages of imports. */
export function importTexts(words: typeof english, formats: Formats) {
  return textsOf(
    words,
    {
      summary: (added: number) => ({ added }),
      failedCount: (count: number) => ({ count }),
      skippedCount: (count: number) => ({ count }),
      knownCount: (count: number) => ({ count }),
      progress: (done: number, total: number) => ({ done, total }),
      progressUnknown: (count: number) => ({ count }),
      reading: (read: number, total: number) => ({ read, total }),
      rate: (now: number, start: number) => ({ now, start }),
      left: (minutes: number) => ({ minutes }),
    },
    formats,
  );
}
