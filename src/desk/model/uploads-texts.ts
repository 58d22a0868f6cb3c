import words from "#words/uploads.json" with { type: "json" };
import visibility from "#words/visibility.json" with { type: "json" };
import { byName, textsOf } from "../../texts/texts-of.ts";
import { formats } from "../../viewer/texts/formats.ts";

const values = {
  access: {
    /** What a change of several documents to this level means. */
    means: byName,
  },
  notAddress: (line: string) => ({ line }),
  limits: (size: string) => ({ size }),
  settingsOf: (name: string) => ({ name }),
  upload: (count: number) => ({ count }),
  of: (action: string, name: string) => ({ action, name }),
  open: (title: string) => ({ title }),
  watchImport: (name: string) => ({ name }),
  leftOut: (count: number) => ({ count }),
  summaries: {
    total: (count: number) => ({ count }),
    done: (count: number) => ({ count }),
    failed: (count: number) => ({ count }),
    wrong: (count: number) => ({ count }),
  },
  allDone: (count: number) => ({ count }),
  sent: (percent: number) => ({ percent }),
  sentAt: (percent: number, speed: string) => ({ percent, speed }),
  reading: (done: number, total: number) => ({ done, total }),
  done: (pages: number) => ({ pages }),
  failed: (reason: string) => ({ reason }),
  broken: (reason: string) => ({ reason }),
  resumed: (percent: number) => ({ percent }),
  unsupported: (extension: string) => ({ extension }),
  tooLarge: (limit: string) => ({ limit }),
  duplicateHere: (name: string) => ({ name }),
  replacement: {
    seenBy: byName,
    parts: (count: number) => ({ count }),
    limits: (size: string) => ({ size }),
    replaced: (pages: number) => ({ pages }),
    beyond: (count: number) => ({ count }),
    failed: (reason: string) => ({ reason }),
  },
  unfinished: (count: number) => ({ count }),
};

const texts = textsOf(words, values, formats);
const { summaries, replacement } = texts;

/** The texts of uploads, and of the settings that several pages of the desk have. */
export const uploadsTexts = {
  ...texts,
  access: { ...texts.access, ...visibility } as typeof texts.access & {
    label: string;
    levels: Readonly<Record<string, string>>;
  },
  summary: (counts: { total: number; done: number; failed: number; wrong: number; size: string }) =>
    [
      summaries.total(counts.total),
      counts.size,
      counts.done > 0 ? summaries.done(counts.done) : "",
      counts.failed > 0 ? summaries.failed(counts.failed) : "",
      counts.wrong > 0 ? summaries.wrong(counts.wrong) : "",
    ]
      .filter((part) => part !== "")
      .join(", "),
  sending: (percent: number, speed: string) =>
    speed === "" ? texts.sent(percent) : texts.sentAt(percent, speed),
  wrongKind: (extension: string) =>
    extension === "" ? texts.withoutExtension : texts.unsupported(extension.toUpperCase()),
  replacement: {
    ...replacement,
    done: (pages: number, beyond: number) =>
      beyond === 0
        ? replacement.replaced(pages)
        : `${replacement.replaced(pages)} ${replacement.beyond(beyond)}`,
  },
};
