import { commonGerman } from "../../texts/common-german.ts";
import { Formats } from "../../texts/formats.ts";
import type { english } from "./english.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("de");

/** The texts of the viewer in German. */
export const german: typeof english = /* @__PURE__ */ (() => ({
  formats,
  ...commonGerman,

  loading: "Wird geladen…",
  pageNotThere: (page) => `Seite ${page}, die diese Datei nicht hat`,
  pagesDone: (done, pages) => `, ${formats.number(done)} von ${formats.number(pages)} Seiten fertig`,

  signedOut:
    "Sie sind abgemeldet. Melden Sie sich in einem anderen Tab wieder an und machen Sie dann hier weiter.",
  noAnswer: "Der Server hat nicht geantwortet.",
  status: (code) => `Der Server hat mit ${code} geantwortet.`,
  documentNotLoaded:
    "Das Dokument konnte nicht geladen werden. Prüfen Sie die Verbindung und laden Sie die Seite neu.",
  partNotLoaded:
    "Dieser Teil der Seite konnte nicht geladen werden. Prüfen Sie die Verbindung und versuchen Sie es erneut.",

  form: {
    needed: "Füllen Sie dieses Feld aus.",
    saving: "Wird gespeichert…",
    discard: "Verwerfen",
    unsaved: "Ihre Änderungen sind nicht gespeichert. Brechen Sie noch einmal ab, um sie zu verwerfen.",
    conflict: (value) =>
      `Jemand anderes hat dies inzwischen in „${value}“ geändert. Speichern Sie erneut, um das zu ersetzen.`,
    conflicts: "Noch nicht gespeichert: Jemand anderes hat dieselben Felder geändert.",
  },

  document: "Dokument",
  previousPage: "Vorherige Seite",
  nextPage: "Nächste Seite",
  pageNumber: "Seite",
  ofPages: (count) => `von ${formats.number(count)}`,
  zoom: "Zoom",
  zoomIn: "Vergrößern",
  zoomOut: "Verkleinern",
  zoomValue: (percent) => `Zoom ${percent} %, zurücksetzen`,
  fitWidth: "Ganze Breite",
  fitPage: "Ganze Seite",
  readableWidth: "Lesebreite",
  twoPages: "Zwei Seiten nebeneinander",
  rotate: "Im Uhrzeigersinn drehen",
  rotated: (degrees) => `Um ${degrees} Grad gedreht`,
  view: "Ansicht",
  menu: "Menü",
  redact: "Schwärzen",
  arrangePages: "Seiten anordnen",
  share: "Teilen",
  views: { pages: "Seiten", grid: "Miniaturen", text: "Text", table: "Tabelle" },
  panels: { search: "Treffer", contents: "Inhalt", notes: "Notizen", mail: "E-Mail", about: "Info" },
  finishFirst: "Schließen Sie dies zuerst ab oder brechen Sie es ab",

  shortcuts: "Tastenkürzel",
  or: " oder ",
  keyNames: {
    ArrowRight: "→",
    ArrowLeft: "←",
    Home: "Pos1",
    End: "Ende",
    Shift: "Umschalt",
    Enter: "Eingabe",
    Escape: "Esc",
  },
  singleLetters: "Einzelne Buchstaben als Tastenkürzel verwenden",
  keys: {
    firstPage: "Erste Seite",
    lastPage: "Letzte Seite",
    goToPage: "Zu einer Seite gehen",
    thumbnails: "Zwischen Miniaturen und Seiten wechseln",
    text: "Zwischen Text und Seiten wechseln",
    table: "Zwischen Tabelle und Seiten wechseln",
    hits: "Liste der Treffer",
    help: "Diese Tastenkürzel zeigen",
    previousHit: "Vorheriger Treffer, im Suchfeld",
    close: "Notiz oder Seitenleiste schließen",
  },

  search: "Suchen",
  searchHere: "In diesem Dokument suchen",
  searchRegion: "In diesem Dokument",
  previousHit: "Vorheriger Treffer",
  nextHit: "Nächster Treffer",
  listHits: " Treffer, auflisten",
  listPages: " Seiten mit Treffern, auflisten",
  searchForWords: "Suchen Sie nach Wörtern, um die Seiten aufzulisten, auf denen sie stehen.",
  searchFailed: "Die Suche ist fehlgeschlagen",
  searchInvalid: "Diese Suchanfrage ist ungültig",
  nothingFound: "Nichts gefunden",
  hits: (hits, pages) =>
    `${formats.plural(hits, { one: "1 Treffer", other: "# Treffer" })} auf ${formats.plural(pages, { one: "1 Seite", other: "# Seiten" })}`,
  hitsOnPages: (pages) =>
    formats.plural(pages, { one: "Treffer auf 1 Seite", other: "Treffer auf # Seiten" }),
  hit: (number, count, page) =>
    `Treffer ${formats.number(number)} von ${formats.number(count)}, Seite ${page}`,
  hitPage: (page, number, count) =>
    `Seite ${page}, ${formats.number(number)} von ${formats.number(count)} Seiten mit Treffern`,
  nextHitNotLoaded: "Der nächste Treffer konnte nicht geladen werden",
  earlierPages: "Frühere Seiten",
  morePages: "Weitere Seiten",

  noPagesYet: "Dieses Dokument hat noch keine Seiten.",
  noImage: "Von dieser Seite gibt es kein Bild.",
  noText: "Diese Seite hat keinen Text.",
  endOfDocument: "Ende des Dokuments",
  history: "Verlauf",
  editSections: "Abschnitte bearbeiten",
  noSections: "Dieses Dokument hat keine Abschnitte.",
  contentsOfPdf: "Inhalt der PDF-Datei",
  sections: "Abschnitte",
  sectionPage: (page) => ` Seite ${page}`,

  selectedWords: "Markierte Wörter",
  copyLink: "Link kopieren",
  copyQuotation: "Zitat kopieren",
  linkCopied: "Link kopiert",
  quotationCopied: "Zitat kopiert",
  noCopying: "Ihr Browser erlaubt das Kopieren nicht",
  quotation: (text, title, page) => `„${text}“\n— ${title}, Seite ${page}`,

  shareDocument: "Das Dokument",
  shareNote: "Die geöffnete Notiz",
  link: "Link",
  embedCode: "Code zum Einbetten",
  copyEmbedCode: "Code kopieren",
  copyByHand: "Markieren Sie den Text und kopieren Sie ihn",

  note: "Notiz",
  noteTitled: (title) => `Notiz: ${title}`,
  closeNote: "Notiz schließen",
  change: "Ändern",
  delete: "Löschen",
  addNote: "Notiz hinzufügen",
  noNotes: "Zu diesem Dokument gibt es keine Notizen.",
  privateNote: "Private Notiz",
  sharedNote: "Geteilte Notiz",

  sheets: "Tabellenblätter",
  row: "Zeile",
  rowNumber: (row) => `Zeile ${row}`,
  column: (letters) => `Spalte ${letters}`,
  loadingRows: "Alle Zeilen werden geladen",
  rowsNotLoaded: "Es konnten nicht alle Zeilen geladen werden",
  sortedAsInFile: "Sortiert wie in der Datei",
  ascending: (title) => `Aufsteigend sortiert nach ${title}`,
  descending: (title) => `Absteigend sortiert nach ${title}`,
  firstRows: (count) =>
    `Die ersten ${formats.number(count)} Zeilen. Laden Sie die Datei herunter, um den Rest zu sehen`,
  rows: (count) => formats.plural(count, { one: "1 Zeile", other: "# Zeilen" }),
  rowsSoFar: (count, max) =>
    `bisher ${formats.plural(count, { one: "1 Zeile", other: "# Zeilen" })}, von höchstens ${formats.number(max)}`,
  tableNotLoaded: "Die Tabelle konnte nicht geladen werden.",
  originalMissing: "Die Originaldatei fehlt.",
  tableUnreadable: (reason) => `Die Tabelle lässt sich nicht lesen: ${reason}`,

  mailFields: { from: "Von", to: "An", cc: "Cc", bcc: "Bcc", subject: "Betreff", date: "Datum" },
  mailUnreadable: (reason) =>
    reason === null
      ? "Die Nachricht konnte nicht gelesen werden."
      : `Die Nachricht konnte nicht gelesen werden: ${reason}`,
  attachments: "Anhänge",
  noAttachments: "Keine",
  unnamed: "Ohne Namen",
  bytes: "Byte",
  attachmentHelp: "Sie sind in der Originaldatei enthalten, die Sie unter „Info“ herunterladen können.",
  allHeaders: "Alle Kopfzeilen",
}))();
