import type { documentEnglish } from "./document-english.ts";
import { Formats } from "./formats.ts";

const formats = new Formats("de");
const pages = (count: number): string => formats.plural(count, { one: "1 Seite", other: "# Seiten" });
const bytes = (count: number): string => `${formats.number(count)} Byte`;

/** "auf Seite 3", "auf den Seiten 1, 2 und 4 weiteren" */
const onPages = (numbers: readonly string[], more: number): string =>
  `auf ${formats.plural(numbers.length, { one: "Seite", other: "den Seiten" })} ${formats.list(more === 0 ? numbers : [...numbers, `${formats.number(more)} weiteren`])}`;

export const documentGerman: typeof documentEnglish = {
  about: "Über dieses Dokument",
  recordAsJson: "Datensatz als JSON",
  recordInApi: "Datensatz in der API",
  replaceFile: "Datei ersetzen",
  download: (kind) => (kind === "" ? "Herunterladen" : `${kind} herunterladen`),
  downloadText: "Text herunterladen",
  noFile: "Für dieses Dokument gibt es hier keine Datei.",
  notReadYet: "Die Datei wird noch verarbeitet. Ihre Seiten erscheinen dann hier.",
  noPagesHere: "Diese Datei hat hier keine Seiten.",
  unreadable: (kind) =>
    kind === ""
      ? "Diese Datei lässt sich nicht im Browser lesen."
      : `Dies ist eine Datei des Typs ${kind}, die sich nicht im Browser lesen lässt.`,
  openFile: "Datei öffnen oder herunterladen",

  facts: {
    pages: "Seiten",
    pageSize: "Seitengröße",
    language: "Sprache",
    contributor: "Beigetragen von",
    organization: "Organisation",
    projects: (count) => formats.plural(count, { one: "Projekt", other: "Projekte" }),
    original: "Geschwärzte Kopie von",
    copies: (count) => formats.plural(count, { one: "Geschwärzte Kopie", other: "Geschwärzte Kopien" }),
    added: "Hinzugefügt",
    updated: "Geändert",
    originalFile: "Originaldatei",
    access: "Zugriff",
    status: "Status",
    number: "Nummer",
    hash: "SHA-1",
    data: "Daten",
  },
  paper: { Letter: "US-Letter", Legal: "US-Legal", Tabloid: "US-Tabloid" },
  landscape: (paper) => `${paper} quer`,
  sizeOfPages: (size, count) => `${size}: ${pages(count)}`,
  otherSizes: (count) => formats.plural(count, { one: "und 1 weitere Größe", other: "und # weitere Größen" }),

  searchHere: "In diesem Dokument suchen",
  searchThis: "Dieses Dokument durchsuchen",
  noPageMatches: "Auf keiner Seite dieses Dokuments wurde etwas gefunden.",
  onPages: (count) => `Auf ${formats.plural(count, { one: "1 Seite", other: "# Seiten" })}.`,
  imageOfPage: (page) => `Seite ${page}, wie sie aussieht`,
  imageOfTitle: (page, title) => `Seite ${page} von ${title}`,
  firstPageOf: (title) => `Die erste Seite von ${title}`,
  textOfPage: (page) => `Text der Seite ${page}`,
  otherPages: "Andere Seiten",
  pageOf: (count) => `Seite, 1 bis ${formats.number(count)}`,
  goToPage: "Zur Seite",

  cannotBeShown: "Dieses Dokument kann hier nicht gezeigt werden",
  whyNotShown:
    "Vielleicht wurde es entfernt, oder es ist nicht öffentlich. Andere Websites können nur öffentliche Dokumente zeigen, weil Browser Sie dort nicht bei Quire anmelden.",
  openInQuire: "In Quire öffnen",

  file: {
    heading: "Verlauf der Datei",
    whatWentWrong: "Was nicht gelungen ist",
    allSteps: "Alle Schritte",
    more: (count) => `Und ${formats.number(count)} weitere`,
    waiting: "Wartet, bis es an der Reihe ist",
    opening: "Wird geöffnet",
    reading: "Wird gelesen",
    pagesDone: (done, total) => `, ${formats.number(done)} von ${formats.number(total)} Seiten fertig`,
    seconds: (seconds) => `${formats.number(Number(seconds.toFixed(1)))} s`,
    unreadPage: (page, reason) => `Seite ${page}: ${reason}`,
    noImage: (page, reason) => `Kein Bild der Seite ${page}: ${reason}`,
    postponed: (reason) => `Wartet auf einen weiteren Versuch: ${reason}`,
    received: (size) => `Erhalten, ${bytes(size)}`,
    fetched: (host, size) => `Von ${host} heruntergeladen, ${bytes(size)}`,
    rendered: "Seitenbilder für Listen erstellt",
    indexed: (count) => `In den Suchindex aufgenommen, ${pages(count)}`,
    convertedPdf: (engine) => `In eine lesbare PDF-Datei umgewandelt (${engine})`,
    converted: (kind, engine) => `Von ${kind} in PDF umgewandelt (${engine})`,
    recognised: (count, languages, confidence) =>
      `Text auf ${pages(count)} erkannt (${languages}, zu ${confidence} % sicher)`,
    recognisedTo: (count, languages, confidence, page, lowest) =>
      `Text auf ${pages(count)} erkannt (${languages}, zu ${confidence} % sicher, am wenigsten auf Seite ${page}: ${lowest} %)`,
    read: (count, failed) =>
      failed === 0 ? `Gelesen, ${pages(count)}` : `Gelesen, ${pages(count)}, ${pages(failed)} fehlgeschlagen`,
    replaced: "Die Datei wurde ersetzt",
    withoutPage: (notes, sections) => {
      const parts = [
        ...(notes > 0 ? [formats.plural(notes, { one: "eine Notiz", other: "# Notizen" })] : []),
        ...(sections > 0
          ? [formats.plural(sections, { one: "einen Abschnitt", other: "# Abschnitte" })]
          : []),
      ];
      return `. Sie hat keine Seite für ${parts.join(" und ")} des Dokuments`;
    },
    notReplaced: (message) => `Die Datei wurde nicht ersetzt. ${message}`,
    oldFileKept: "Das Dokument hat weiterhin seine alte Datei.",
    redacted: "Geschwärzt",
    stillThere: "Die geschwärzten Wörter stehen noch an anderen Stellen:",
    visible: (numbers, more) => `sichtbar ${onPages(numbers, more)}`,
    invisible: (numbers, more) => `in unsichtbarem Text ${onPages(numbers, more)}`,
    steps: { stored: "Gespeichert", modified: "Seiten geändert", cancelled: "Abgebrochen" },
    remedies: {
      password:
        "Entfernen Sie das Passwort aus der Datei und laden Sie sie noch einmal hoch, oder laden Sie sie zusammen mit ihrem Passwort hoch.",
      install:
        "Bitten Sie die Betreiber dieser Website, es zu installieren. Verarbeiten Sie das Dokument danach erneut.",
      limits:
        "Verarbeiten Sie es erneut. Wenn auch das fehlschlägt, teilen Sie die Datei und laden Sie die Teile hoch.",
      size: "Teilen Sie die Datei und laden Sie die Teile hoch, oder bitten Sie die Betreiber dieser Website um eine höhere Grenze.",
      upload: "Laden Sie die Datei noch einmal hoch.",
      broken:
        "Öffnen Sie die Datei in einem Programm, das sie lesen kann, speichern Sie sie dort als neue Datei und laden Sie diese hoch.",
      standing: "Sehen Sie sich diese Stellen an, und schwärzen Sie auch sie, wenn niemand sie sehen soll.",
      somePages:
        "Die anderen Seiten lassen sich lesen. Wenn es auf diese ankommt, laden Sie eine bessere Kopie der Datei hoch.",
      anything:
        "Verarbeiten Sie das Dokument erneut. Wenn auch das fehlschlägt, laden Sie eine andere Kopie der Datei hoch.",
    },
    stepRemedies: {
      fetched:
        "Prüfen Sie die Adresse in einem Browser, oder laden Sie die Datei selbst herunter und dann hier hoch.",
      recognised:
        "Prüfen Sie die Sprache des Dokuments und verarbeiten Sie es erneut. Bis dahin lassen sich diese Seiten nicht durchsuchen.",
      rendered:
        "Der Text der Seite ist nicht betroffen. Verarbeiten Sie das Dokument erneut, um es noch einmal zu versuchen.",
      redacted: "Nichts wurde geschwärzt, und das Dokument ist unverändert. Versuchen Sie es erneut.",
      modified: "Das Dokument ist unverändert. Versuchen Sie es erneut.",
      replaced: "Versuchen Sie es erneut, oder mit einer anderen Datei.",
      cancelled: "Um fortzufahren, verarbeiten Sie das Dokument erneut.",
    },
  },
};
