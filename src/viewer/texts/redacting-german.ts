import { Formats } from "../../texts/formats.ts";
import type { redactingEnglish } from "./redacting-english.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("de");

export const count = (pages: number): string => formats.plural(pages, { one: "1 Seite", other: "# Seiten" });
const places = (number: number, pages: number): string =>
  `${formats.plural(number, { one: "1 Stelle", other: "# Stellen" })} auf ${count(pages)}`;

/** "Seite 3", "Seiten 1, 2 und 5". These never change with the case, so they stand in brackets or after a colon. */
const named = (pages: readonly string[]): string =>
  `${formats.plural(pages.length, { one: "Seite", other: "Seiten" })} ${formats.list(pages)}`;
const rest = (more: number): string => `${formats.number(more)} weitere`;

/** The texts of redactions, in German. */
export const redactingGerman: typeof redactingEnglish = {
  pages: (pages, more) => named(more === 0 ? pages : [...pages, rest(more)]),
  places,

  redact: {
    heading: "Schwärzen",
    boxName: "Kasten zum Schwärzen",
    unchanged: "Nichts hat sich geändert, und Ihre Markierungen sind noch da.",
    result: "Ergebnis",
    drawing: "Zeichnen",
    drawBoxes: "Kästen zeichnen",
    addBox: "Kasten hinzufügen",
    drawHelp: "Ziehen Sie auf einer Seite, um einen Kasten zu zeichnen. Esc beendet das Zeichnen.",
    drawnBoxes: "Gezeichnete Kästen",
    showMark: (mark) => `Zeigen: ${mark}`,
    removeMark: (mark) => `Entfernen: ${mark}`,
    ask: (number, pages) => `${places(number, pages)} schwärzen?`,
    consequences: (pages) => [
      "Das lässt sich nicht rückgängig machen. Quire behält keine Kopie dessen, was verborgen wird.",
      formats.plural(pages, {
        one: "Die Seite wird ein Bild mit schwarzen Kästen. Ihre anderen Wörter werden neu erkannt.",
        other: "Diese Seiten werden Bilder mit schwarzen Kästen. Ihre anderen Wörter werden neu erkannt.",
      }),
      "Niemand sonst sieht das Dokument, bevor das Ergebnis geprüft ist.",
      "Wenn eine Prüfung fehlschlägt, bleibt das Dokument, wie es vorher war.",
    ],
    confirm: "Endgültig schwärzen",
    target: {
      label: "Was geschwärzt wird",
      copy: "Eine Kopie",
      document: "Dieses Dokument",
      copyMeans: [
        "Dieses Dokument bleibt, wie es ist, mit allen seinen Wörtern.",
        "Die Kopie wird ein eigenes Dokument. Sie hat keine Notizen, keine Abschnitte und keinen Verlauf von diesem.",
        "Niemand sonst sieht die Kopie, bevor sie geprüft ist. Schlägt eine Prüfung fehl, hat sie keine Seiten.",
      ],
      originalGoes: (extension) =>
        `Die hochgeladene Datei (${extension.toUpperCase()}) wird gelöscht. Nur das geschwärzte PDF bleibt.`,
      access: "Wer die Kopie sehen kann",
      hideOriginal: "Dieses Dokument privat machen, sobald die Kopie da ist",
      makeCopy: "Geschwärzte Kopie anlegen",
      made: "Die geschwärzte Kopie wird angelegt und geprüft. Ihre Markierungen sind noch hier.",
      open: "Kopie öffnen",
    },
    nothingMarked: "Nichts ist markiert.",
    marked: (number, pages) => `Markiert: ${places(number, pages)}`,
    tooMany: (number, max) =>
      `Das sind ${formats.number(number)} Kästen. Höchstens ${formats.number(max)} können auf einmal ` +
      "geschwärzt werden: Wählen Sie einige ab, wenden Sie die übrigen an und schwärzen Sie diese " +
      "danach.",
    apply: "Schwärzen…",
    words: "Wörter, die überall geschwärzt werden",
    wordsHelp:
      "Ein Name oder eine Wortfolge, auch über das Zeilenende hinweg. Großschreibung und Akzente " +
      "spielen keine Rolle; hollow* findet auch Holloway.",
    findAll: "Alle finden",
    typeWords: "Geben Sie die Wörter ein, die geschwärzt werden sollen.",
    found: (words, number, pages) => `„${words}“: ${places(number, pages)}`,
    quoted: (words) => `„${words}“`,
    dropWords: (words) => `„${words}“ aus der Liste entfernen`,
    working: "Wird geschwärzt und geprüft",
    recognised: (done, pages) =>
      `Wird geschwärzt und geprüft, ${formats.number(done)} von ${formats.number(pages)} Seiten erkannt`,
    noneLeft: (words) => `„${words}“ wird auf keiner Seite mehr gefunden.`,
    someLeft: (words, number, pages) =>
      `„${words}“ wird noch gefunden: ${places(number, pages)}, die nicht angekreuzt waren.`,
    stillIn: (words, parts) =>
      `„${words}“ steht noch hier: ${formats.list(parts)}. Eine Schwärzung ändert das nicht: Bearbeiten Sie es.`,
    inAddress: (words) =>
      `„${words}“ steht noch in der Adresse der Seite des Dokuments, die sich nie ändert.`,
    parts: { title: "Titel", data: "Daten" },
    aText: ({ label }) => label,
    aNote: (page) => `Notiz auf Seite ${page}`,
    aSection: (page) => `Abschnitt auf Seite ${page}`,
    copiesStay: "Kopien, die andere gemacht haben, und Sicherungen werden nicht geändert.",
  },

  mentions: {
    searching: "Suche läuft…",
    tryAgain: "Erneut versuchen",
    nothing: "Nichts gefunden.",
    ticked: (number, pages, ticked) => `${places(number, pages)}, ${formats.number(ticked)} angekreuzt`,
    notCovered: "Nicht abgedeckt",
    tickAll: "Alle ankreuzen",
    tickNone: "Keine ankreuzen",
    page: (page) => `Seite ${page}`,
    showPlace: (place, page) => `Stelle ${place} auf Seite ${page} zeigen`,
    unplaced: (words, pages, more, times) =>
      `„${words}“ steht noch ${formats.plural(times, { one: "einmal", other: "#-mal" })} im Text ` +
      `(${named(more === 0 ? pages : [...pages, rest(more)])}), aber die Position auf der Seite ist ` +
      "unbekannt. Sehen Sie dort nach und zeichnen Sie Kästen.",
    withoutText: (pages, more) =>
      `${named(more === 0 ? pages : [...pages, rest(more)])} ${formats.plural(pages.length, {
        one: "hat keinen Text; dort lässt sich nichts finden. Sehen Sie selbst nach.",
        other: "haben keinen Text; dort lässt sich nichts finden. Sehen Sie selbst nach.",
      })}`,
  },

  outcome: {
    whatWasChecked: (checks) =>
      formats.plural(checks, {
        one: "Geprüft: 1 Prüfung, bestanden",
        other: "Geprüft: # Prüfungen, alle bestanden",
      }),
    failed: "Das Schwärzen ist fehlgeschlagen. Das Dokument enthält noch alles, was Sie verbergen wollten.",
    stopped: "Die Arbeit wurde abgebrochen",
    isPrivate: "Das Dokument ist jetzt privat, damit niemand sonst es versehentlich sieht.",
    redactAgain: "Schwärzen Sie es noch einmal. Legen Sie danach fest, wer es sehen darf.",
    asBefore: "Das Dokument ist, wie es war: Wer es lesen konnte, kann es wieder lesen.",
    orMakePrivate: "Schwärzen Sie es noch einmal, oder machen Sie es bis dahin privat.",
    nothing: "Es gab nichts zu schwärzen.",
    done: (words, pages) =>
      `Geschwärzt (${pages}): ` +
      `${words === 0 ? "kein Wort" : formats.plural(words, { one: "1 Wort", other: "# Wörter" })} ` +
      "unter den Kästen.",
    seen: (pages) => `Geschwärzte Wörter sind noch zu sehen: ${pages}.`,
    seenAdvice: "Sehen Sie sich diese Stellen an, und schwärzen Sie auch sie, wenn niemand sie sehen soll.",
    unseen: (pages) => `Geschwärzte Wörter stehen noch in Text, der nicht zu sehen ist: ${pages}.`,
    unseenAdvice: "Schwärzen Sie auch diese Seiten.",
    unread: (pages, reason) => `Der übrige Text konnte nicht erkannt werden (${pages}): ${reason}.`,
    unreadAdvice: "Dort ist nichts Verborgenes übrig, aber die Suche findet die anderen Wörter nicht.",
    checks: {
      pdf:
        "Die geschwärzten Seiten der neuen Datei haben keine Textebene, und keiner ihrer Texte, Namen, " +
        "Kommentare und Anhänge enthält ein verborgenes Wort.",
      pixels: "Jedes Pixel unter einem Kasten ist schwarz.",
      text: "Der Text, der auf den neuen Seiten erkannt wurde, enthält unter den Kästen kein verborgenes Wort.",
      positions: "Kein Wort hat seine Position unter einem Kasten.",
      index: "Die Suche findet auf diesen Seiten kein verborgenes Wort mehr.",
      files:
        "Die bisherige Datei, ihre Seitenbilder und die Datei, aus der sie umgewandelt wurde, sind gelöscht.",
    },
    advice: {
      namedPages: "Schwärzen Sie auch die Seiten, die die Meldung nennt.",
      largerBox: "Zeichnen Sie einen größeren Kasten darum, und versuchen Sie es erneut.",
      changedMeanwhile:
        "Jemand anderes hat das Dokument geändert. Sehen Sie es sich an, und versuchen Sie es erneut.",
      again:
        "Versuchen Sie es erneut. Wenn es wieder fehlschlägt, wenden Sie sich an die Betreiber dieser Website.",
    },
  },
};
