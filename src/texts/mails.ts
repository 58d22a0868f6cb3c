import type english from "./en/mails.json";
import type { Formats } from "./formats.ts";
import { textsOf } from "./texts-of.ts";

/** The texts of the mails that Quire sends. */
export function mailTexts(words: typeof english, formats: Formats) {
  const account = {
    subject: (host: string) => ({ host }),
    reason: (username: string, address: string) => ({ username, address }),
  };
  return textsOf(
    words,
    {
      greeting: (name: string) => ({ name }),
      more: (count: number) => ({ count }),
      howToStop: (address: string) => ({ address }),
      invitation: account,
      reset: account,
      shared: {
        subject: (count: number) => ({ count }),
        text: (by: string, title: string) => ({ by, title }),
      },
      mentions: {
        subject: (count: number) => ({ count }),
        text: (count: number) => ({ count }),
      },
      failed: {
        subject: (count: number) => ({ count }),
        text: (count: number) => ({ count }),
      },
      alert: {
        subject: (count: number) => ({ count }),
        text: (count: number, name: string) => ({ count, name }),
      },
      stopped: {
        subject: (count: number) => ({ count }),
        text: (count: number) => ({ count }),
      },
    },
    formats,
  );
}
