import type english from "./en/account.json";
import type { Formats } from "./formats.ts";
import { byName, textsOf } from "./texts-of.ts";

/** The texts of the pages on which people sign in, choose a password, and manage their own account. */
export function accountTexts(words: typeof english, formats: Formats) {
  return textsOf(
    words,
    {
      tooManyAttempts: (minutes: number) => ({ minutes }),
      signInAt: (name: string) => ({ name }),
      providerFailed: (name: string, reason: string) => ({ name, reason }),
      providerWithoutAccount: (name: string) => ({ name }),
      providerOfOther: (name: string) => ({ name }),
      providerLeftOutGroups: (name: string) => ({ name }),
      signOutThere: (name: string) => ({ name }),
      connect: (name: string) => ({ name }),
      disconnect: (name: string) => ({ name }),
      signedInWith: (name: string) => ({ name }),
      passwordRule: (min: number) => ({ min }),
      passwordProblem: (min: number, max: number) => ({ min, max }),
      passwordHelp: (min: number) => ({ min }),
      personBytes: (used: number, limit: number) => inWords(used, limit, formats),
      organizationBytes: (used: number, limit: number) => inWords(used, limit, formats),
      personPages: (used: number, limit: number) => ({ used, limit }),
      organizationPages: (used: number, limit: number) => ({ used, limit }),
      revokeToken: (name: string) => ({ name }),
      signOutOf: (browser: string) => ({ browser }),
      browserOn: (browser: string, system: string) => ({ browser, system }),
      factors: {
        codesLeft: (count: number) => ({ count }),
        count: (count: number) => ({ count }),
        done: byName,
      },
      assistants: {
        none: (address: string) => ({ address }),
        disconnectNamed: (name: string) => ({ name }),
        asks: (name: string, site: string, person: string) => ({ name, site, person }),
        badRequest: (reason: string) => ({ reason }),
        back: (host: string) => ({ host }),
      },
      /** Messages of the API. Other messages appear as the API has them. */
      messages: byName,
      /** Sentences about the last action. */
      done: byName,
    },
    formats,
  );
}

const inWords = (used: number, limit: number, formats: Formats): { used: string; limit: string } => ({
  used: formats.bytes(used),
  limit: formats.bytes(limit),
});
