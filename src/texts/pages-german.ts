import { commonGerman } from "./common-german.ts";
import { accountGerman } from "./account-german.ts";
import { documentGerman } from "./document-german.ts";
import { fieldsGerman } from "./fields-german.ts";
import { Formats } from "./formats.ts";
import { mailsGerman } from "./mails-german.ts";
import type { Catalogue } from "./pages-english.ts";

const formats = new Formats("de");

export const german: Catalogue = {
  formats,
  ...commonGerman,
  describing: fieldsGerman,

  skip: "Zum Inhalt springen",
  site: "Website",
  projects: "Projekte",
  notes: "Notizen",
  upload: "Hochladen",
  manage: "Verwalten",
  manageDocuments: "Dokumente verwalten",
  admin: "Admin",
  sharedWithYou: "Mit Ihnen geteilt",
  signIn: "Anmelden",
  signOut: "Abmelden",
  signedInAs: "Angemeldet als",
  servedBy: "Bereitgestellt von Quire: Dokumente für Menschen und Programme.",
  apiDocumentation: "Dokumentation der API",
  pages: "Seiten",

  search: "Suchen",
  searchDocuments: "In den Dokumenten suchen",
  noDocumentsHere: "Auf dieser Seite sind keine Dokumente.",
  noDocumentsYet: "Es gibt noch keine Dokumente",
  noteOnPage: (page) => `Notiz auf Seite ${page}`,
  morePages: (count) => formats.plural(count, { one: "Und 1 weitere Seite", other: "Und # weitere Seiten" }),
  nothingFound: "Nichts gefunden.",
  documentsFound: (count) => formats.plural(count, { one: "Ein Dokument.", other: "# Dokumente." }),
  pageCount: (count) => formats.plural(count, { one: "1 Seite", other: "# Seiten" }),
  queryEscaped: "Ein Teil der Suchanfrage ist ungültig und wurde als einfacher Text gesucht.",
  wildcardsIgnored:
    "Die Platzhalter *, ? und ~ wurden nicht verwendet: Nur angemeldete Personen können mit ihnen suchen.",
  leftOut: "Weggelassene Wörter, jedes mit einer Suche, die es verlangt:",
  demandWord: (word: string) => `Mit „${word}“ suchen`,
  roughOrder:
    "Die Wörter älterer Dokumente werden noch gezählt. Bis dahin wird alles gefunden, aber grob sortiert.",
  didYouMean: "Meinten Sie",
  redactWords: "Wörter in diesen Dokumenten schwärzen",
  redactWordsTitle: "Wörter schwärzen",
  notesOnThese: "Notizen zu diesen Dokumenten",
  narrow: "Ergebnisse eingrenzen",
  showAllOf: (name) => `Alle anzeigen: ${name}`,
  facets: {
    year: "Jahr",
    language: "Sprache",
    original_extension: "Dateityp",
    organization: "Organisation",
    project: "Projekt",
    access: "Zugriff",
  },
  access: {
    public: "Öffentlich",
    organization: "Nur die eigene Organisation",
    private: "Privat",
    invisible: "Unsichtbar",
  },
  statuses: {
    success: "Bereit",
    readable: "Lesbar, wird noch verarbeitet",
    pending: "Wird verarbeitet",
    error: "Konnte nicht verarbeitet werden",
    nofile: "Wartet auf die Datei",
  },
  bytes: "Byte",

  noProjects: "Es gibt keine Projekte, die Sie sehen dürfen.",
  noProjectsHere: "Auf dieser Seite sind keine Projekte.",
  private: "Privat",
  pinned: "Angeheftet",
  projectGroups: {
    pinned: "Angeheftet",
    own: "Ihre Projekte",
    shared: "Mit Ihnen geteilt",
    public: "Öffentlich",
  },
  allInGroup: (group) => `Alle Projekte: ${group}`,
  projectTitle: "Titel",
  description: "Beschreibung",
  whoSeesProject: "Wer es sehen kann",
  createProject: "Projekt anlegen",
  emptyProject: "In diesem Projekt sind keine Dokumente, die Sie sehen dürfen.",
  allDocuments: "Alle Dokumente des Projekts",
  openInQuire: "In Quire öffnen",

  nothingShared:
    "Mit Ihnen hat noch niemand etwas geteilt. Wenn jemand Sie in ein Projekt aufnimmt, erscheint es hier.",
  sharedBy: (name, day) => `Geteilt von ${name} am ${day}`,
  sharedOn: (day) => `Geteilt am ${day}`,
  rights: {
    view: "Sie können die geteilten Dokumente lesen",
    edit: "Sie können die geteilten Dokumente ändern sowie Dokumente hinzufügen und entfernen",
    admin: "Sie verwalten es",
  },
  documentsOfOthers: "Dokumente anderer in diesen Projekten",

  noteList: {
    filter: "Notizen filtern",
    matching: "Zu Dokumenten, die dazu passen",
    project: "Im Projekt",
    anyProject: "Alle Projekte",
    author: "Von",
    anyone: "Allen",
    me: "Mir",
    seenBy: "Sichtbar für",
    access: {
      private: "Privat: nur wer sie geschrieben hat",
      organization: "Geteilt: wer das Dokument bearbeiten darf",
      public: "Öffentlich: alle, die das Dokument sehen",
    },
    show: "Anzeigen",
    noMatch: "Keine Notiz passt dazu.",
    nothing: "Es gibt keine Notizen, die Sie sehen dürfen.",
    downloadCsv: "Alle als CSV herunterladen",
    downloadJson: "Alle als JSON herunterladen",
    pageOf: (page) => `Seite ${page} von`,
    isPrivate: "Privat",
    isShared: "Geteilt",
  },

  needsScript: "Diese Seite braucht JavaScript.",
  trashHelp: (days) =>
    days === 0
      ? "Gelöschte Dokumente werden sofort entfernt und lassen sich nicht zurückholen."
      : `Gelöschte Dokumente lassen sich ${formats.plural(days, { one: "einen Tag", other: "# Tage" })} lang zurückholen. Danach sind sie endgültig gelöscht.`,
  plainUpload: {
    access: "Wer es sehen kann",
    levels: {
      private: "Privat: Sie und die Projekte des Dokuments",
      organization: "Organisation: alle ihre Mitglieder",
      public: "Öffentlich: alle",
    },
    file: "Datei",
    upload: "Datei hochladen",
    newFileOf: (id) => `Die neue Datei von Dokument ${id}`,
    orAddress: "Oder ihre Webadresse",
    messages: {
      "No file was submitted.": "Wählen Sie eine Datei.",
      "The file is empty.": "Die Datei ist leer.",
      "Enter a valid URL.": "Das ist keine Webadresse.",
      "Send either a file or its address, not both.":
        "Wählen Sie eine Datei oder geben Sie eine Adresse ein, nicht beides.",
      "Files of this type cannot be uploaded.": "Dateien dieser Art können nicht hochgeladen werden.",
      "The file is larger than this server accepts.": "Die Datei ist größer, als dieser Server annimmt.",
      "There is no room for more files. Nothing was kept of this one.":
        "Es ist kein Platz für weitere Dateien. Von dieser wurde nichts gespeichert.",
    },
  },
  adminPages: {
    "": "Administration",
    people: "Personen",
    organizations: "Organisationen",
    queue: "Warteschlange",
    storage: "Speicher",
    checks: "Prüfungen",
    "sign-ins": "Anmeldungen",
    settings: "Einstellungen",
    mail: "E-Mail",
  },

  howToImport:
    "Die Administration dieses Servers importiert Dokumente in einem Terminal, im Ordner von Quire:",
  fileOrFolder: "DATEI-ODER-ORDNER",
  whatCanBeImported:
    "Importieren lassen sich PDF-Dateien, Office-Dateien und Bilder, ebenso die Dokumente eines anderen Servers.",

  errors: {
    signInFirst: "Wenn Sie ein Konto haben, melden Sie sich an: Dann dürfen Sie vielleicht mehr.",
    allDocuments: "Alle Dokumente",
    titles: {
      400: "Ungültige Anfrage",
      403: "Kein Zugriff",
      404: "Seite nicht gefunden",
      405: "Methode nicht erlaubt",
      409: "Konflikt",
      413: "Zu viele Daten",
      429: "Zu viele Anfragen",
      500: "Fehler auf dem Server",
      503: "Zurzeit nicht verfügbar",
    },
    notFound: "Diese Seite gibt es nicht, oder Sie dürfen sie nicht sehen.",
    internal: "Auf diesem Server ist etwas schiefgegangen. Der Fehler wurde aufgezeichnet.",
    notUnderstood: "Die Anfrage war nicht zu verstehen.",
    messages: {
      "You do not have permission to perform this action.": "Sie haben nicht das Recht dazu.",
      "Authentication credentials were not provided.": "Melden Sie sich an, um diese Seite zu sehen.",
      "You do not belong to an organization, so you cannot upload documents.":
        "Sie gehören zu keiner Organisation und können deshalb keine Dokumente hochladen.",
    },
  },

  account: accountGerman,
  document: documentGerman,
  mails: mailsGerman,
};
