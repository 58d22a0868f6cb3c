import type english from "./en/guests.json";
import type { Formats } from "./formats.ts";
import { byName, textsOf } from "./texts-of.ts";

/** The texts of the pages on which people make guest links, and of those that guests see. */
export function guestTexts(words: typeof english, formats: Formats) {
  return textsOf(
    words,
    {
      document: (title: string) => ({ title }),
      project: (title: string) => ({ title }),
      search: (title: string) => ({ title }),
      ofDocument: (id: number) => ({ id: String(id) }),
      ofProject: (id: number) => ({ id: String(id) }),
      revokeOf: (name: string) => ({ name }),
      madeBy: (name: string) => ({ name }),
      state: {
        works: (at: string) => ({ at }),
        ended: (at: string) => ({ at }),
        revoked: (at: string) => ({ at }),
      },
      opened: (count: number) => ({ count }),
      tooMany: (count: number) => ({ count: String(count) }),
      welcomeHelp: (name: string) => ({ name }),
      signedIn: (name: string) => ({ name }),
      /** Messages of the API. Other messages appear as the API has them. */
      messages: byName,
    },
    formats,
  );
}
