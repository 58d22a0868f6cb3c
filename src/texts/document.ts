import type english from "./en/document.json";
import type { Formats } from "./formats.ts";
import { byName, textsOf } from "./texts-of.ts";

/** The texts of the pages of a document, and of its frames on other sites. */
export function documentTexts(words: typeof english, formats: Formats) {
  const texts = textsOf(words, values, formats);
  const { file } = texts;
  /** "1, 2 and 4 more": the names of pages, and the number of those that are not named. */
  const named = (pages: readonly string[], more: number): readonly string[] =>
    more === 0 ? pages : [...pages, file.morePages(more)];
  return {
    ...texts,
    /** `kind` is the extension in capitals, or empty. */
    download: (kind: string) => (kind === "" ? texts.downloadFile : texts.downloadKind(kind)),
    unreadable: (kind: string) => (kind === "" ? texts.unreadableFile : texts.unreadableKind(kind)),
    file: {
      ...file,
      seconds: (seconds: number) => file.inSeconds(formats.number(Number(seconds.toFixed(1)))),
      read: (count: number, failed: number) =>
        failed === 0 ? file.readAll(count) : file.readSome(count, failed),
      unpacked: (count: number, leftOut: number) =>
        leftOut === 0 ? file.unpackedAll(count) : file.unpackedSome(count, leftOut),
      withoutPage: (notes: number, sections: number) => {
        const parts = [
          ...(notes > 0 ? [file.notes(notes)] : []),
          ...(sections > 0 ? [file.sections(sections)] : []),
        ];
        return file.partsWithoutPage(parts);
      },
      visible: (pages: readonly string[], more: number) => file.visibleOn(pages.length, named(pages, more)),
      invisible: (pages: readonly string[], more: number) =>
        file.invisibleOn(pages.length, named(pages, more)),
    },
  };
}

const onPages = (count: number, pages: readonly string[]) => ({ count, pages });

const values = {
  downloadKind: (kind: string) => ({ kind }),
  unreadableKind: (kind: string) => ({ kind }),
  facts: {
    projects: (count: number) => ({ count }),
    copies: (count: number) => ({ count }),
  },
  paper: byName,
  landscape: (paper: string) => ({ paper }),
  sizeOfPages: (size: string, count: number) => ({ size, count }),
  otherSizes: (count: number) => ({ count }),
  family: {
    documentsInIt: (count: number) => ({ count }),
    allMails: (count: number) => ({ count }),
  },
  comparing: {
    equalFiles: (count: number, locations: number) => ({ count, locations }),
    percent: (percent: number) => ({ percent }),
    differingLines: (count: number) => ({ count }),
    equalLines: (count: number) => ({ count }),
  },
  onPages: (count: number) => ({ count }),
  imageOfPage: (page: number) => ({ page }),
  imageOfTitle: (page: number, title: string) => ({ page, title }),
  firstPageOf: (title: string) => ({ title }),
  textOfPage: (page: number) => ({ page }),
  pageOf: (count: number) => ({ count }),
  /** The history of the file. */
  file: {
    more: (count: number) => ({ count }),
    pagesDone: (done: number, total: number) => ({ done, total }),
    inSeconds: (seconds: string) => ({ seconds }),
    unreadPage: (page: number, reason: string) => ({ page, reason }),
    noImage: (page: number, reason: string) => ({ page, reason }),
    postponed: (reason: string) => ({ reason }),
    received: (size: number) => ({ size }),
    fetched: (host: string, size: number) => ({ host, size }),
    indexed: (count: number) => ({ count }),
    convertedPdf: (engine: string) => ({ engine }),
    converted: (kind: string, engine: string) => ({ kind, engine }),
    /** `confidence` is in percent. */
    recognised: (count: number, languages: string, confidence: number) => ({ count, languages, confidence }),
    /** With the page of which Quire is least sure. */
    recognisedTo: (count: number, languages: string, confidence: number, page: number, lowest: number) => ({
      count,
      languages,
      confidence,
      page,
      lowest,
    }),
    readAll: (count: number) => ({ count }),
    readSome: (count: number, failed: number) => ({ count, failed }),
    unpackedAll: (count: number) => ({ count }),
    unpackedSome: (count: number, leftOut: number) => ({ count, leftOut }),
    notes: (count: number) => ({ count }),
    sections: (count: number) => ({ count }),
    partsWithoutPage: (parts: readonly string[]) => ({ parts }),
    notReplaced: (message: string) => ({ message }),
    morePages: (count: number) => ({ count }),
    visibleOn: onPages,
    invisibleOn: onPages,
    /** Further steps that need no details. */
    steps: byName,
    stepRemedies: byName,
  },
};
