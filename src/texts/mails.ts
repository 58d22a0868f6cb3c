import type english from "./en/mails.json";
import type { Formats } from "./formats.ts";
import { textsOf } from "./texts-of.ts";

/** The texts of the mails that Quire sends. */
export function mailTexts(words: typeof english, formats: Formats) {
  const account = {
    subject: (host: string) => ({ host }),
    reason: (username: string, address: string) => ({ username, address }),
  };
  const counted = {
    subject: (count: number) => ({ count }),
    text: (count: number) => ({ count }),
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
      mentions: counted,
      failed: counted,
      processed: counted,
      redacted: counted,
      annotated: counted,
      opened: counted,
      finished: counted,
      alert: {
        subject: (count: number) => ({ count }),
        text: (count: number, name: string) => ({ count, name }),
      },
      stopped: counted,
    },
    formats,
  );
}
