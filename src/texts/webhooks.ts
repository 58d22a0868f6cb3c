import type english from "./en/webhooks.json";
import type { Formats } from "./formats.ts";
import { byName, textsOf } from "./texts-of.ts";

/** The texts of the pages on which people set up webhooks. */
export function webhookTexts(words: typeof english, formats: Formats) {
  return textsOf(
    words,
    {
      open: (name: string) => ({ name }),
      stopped: (problem: string) => ({ problem }),
      failing: (at: string) => ({ at }),
      againOf: (event: string) => ({ event }),
      states: byName,
      nextAt: (at: string) => ({ at }),
      sentAt: (at: string) => ({ at }),
      answer: (status: number, milliseconds: number) => ({ status: String(status), milliseconds }),
      attempts: (count: number) => ({ count }),
      document: (id: number) => ({ id: String(id) }),
      ofProject: (id: number) => ({ id: String(id) }),
      /** Messages of the API. Other messages appear as the API has them. */
      messages: byName,
      tooMany: (count: number) => ({ count: String(count) }),
      /** By type of event. */
      names: byName,
    },
    formats,
  );
}
