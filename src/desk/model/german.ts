import { commonGerman } from "../../texts/common-german.ts";
import { fieldsGerman } from "../../texts/fields-german.ts";
import { Formats } from "../../texts/formats.ts";
import { adminGerman } from "./admin-german.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("de");

/** The texts of the desk in German. */
export const german = /* @__PURE__ */ (() => ({
  formats,
  ...commonGerman,
  describing: fieldsGerman,

  access: {
    label: "Wer es sehen kann",
    levels: {
      private: "Privat: Sie und die Projekte des Dokuments",
      organization: "Organisation: alle ihre Mitglieder",
      public: "Öffentlich: alle",
    },
    means: {
      private: "Nur Sie und die Mitglieder ihrer Projekte werden sie sehen.",
      organization: "Alle Mitglieder ihrer Organisationen werden sie sehen.",
      public: "Alle werden sie sehen, ohne sich anzumelden.",
    },
  },
  project: {
    label: "Projekt",
    none: "Kein Projekt",
    choose: "Projekt wählen",
    noneYours: "Es gibt kein Projekt, zu dem Sie Dokumente hinzufügen dürfen.",
  },
  language: "Sprache",
  forceOcr: "Texterkennung (OCR) auf jeder Seite, auch auf Seiten mit Text",

  drop: "Ziehen Sie Dateien und Ordner irgendwo auf diese Seite",
  or: "oder",
  chooseFiles: "Dateien wählen",
  chooseFolder: "Ordner wählen",
  byAddress: "Über eine Webadresse",
  addresses: "Webadressen, eine in jeder Zeile",
  addAddresses: "Diese Adressen hinzufügen",
  notAddress: (line: string) => `Das ist keine Webadresse: ${line}`,
  limits: (size: string) => `PDF-Dateien, Office-Dateien, Bilder und E-Mails, jeweils bis ${size}.`,
  forAll: "Für alle Dateien",
  settingsOf: (name: string) => `Einstellungen für ${name}`,
  settings: "Einstellungen",
  list: "Dateien",
  upload: (count: number) =>
    count === 0
      ? "Hochladen"
      : formats.plural(count, { one: "1 Datei hochladen", other: "# Dateien hochladen" }),
  of: (action: string, name: string) => `${action}: ${name}`,
  open: (title: string) => `${title} öffnen`,
  clear: "Fertige Dateien aus der Liste nehmen",
  retryAll: "Alle fehlgeschlagenen Dateien erneut versuchen",
  cancelAll: "Alle abbrechen",
  leftOut: (count: number) =>
    formats.plural(count, {
      one: "1 versteckte Datei wurde ausgelassen.",
      other: "# versteckte Dateien wurden ausgelassen.",
    }),

  summary: (counts: { total: number; done: number; failed: number; wrong: number; size: string }) =>
    [
      formats.plural(counts.total, { one: "1 Datei", other: "# Dateien" }),
      counts.size,
      counts.done > 0 && `${formats.number(counts.done)} fertig`,
      counts.failed > 0 && `${formats.number(counts.failed)} fehlgeschlagen`,
      counts.wrong > 0 &&
        formats.plural(counts.wrong, {
          one: "1 kann nicht hochgeladen werden",
          other: "# können nicht hochgeladen werden",
        }),
    ]
      .filter((part) => part !== false && part !== "")
      .join(", "),
  allDone: (count: number) =>
    formats.plural(count, { one: "1 Datei ist fertig.", other: "Alle # Dateien sind fertig." }),

  checking: "Wird geprüft",
  ready: "Bereit zum Hochladen",
  waiting: "Wartet, bis sie an der Reihe ist",
  sending: (percent: number, speed: string) =>
    speed === "" ? `${percent} % gesendet` : `${percent} % gesendet, ${speed} pro Sekunde`,
  interrupted: "Die Verbindung ist unterbrochen. Das Hochladen geht von selbst weiter.",
  tooMany: "Sie laden schon zu viele Dateien hoch. Diese geht von selbst weiter.",
  fetching: "Der Server lädt sie herunter",
  queued: "Hochgeladen, wird bald gelesen",
  reading: (done: number, total: number) =>
    `Wird gelesen, ${formats.number(done)} von ${formats.number(total)} Seiten fertig`,
  opening: "Wird geöffnet",
  done: (pages: number) => formats.plural(pages, { one: "Fertig, 1 Seite", other: "Fertig, # Seiten" }),
  cancelled: "Abgebrochen",
  failed: (reason: string) => `Fehlgeschlagen: ${reason}`,
  noReason: "ohne Angabe eines Grundes",
  broken: (reason: string) =>
    `Die Datei ist nicht lesbar (${reason}). Speichern Sie sie in dem Programm neu, das sie erzeugt hat, und laden Sie die neue Datei hoch.`,
  resumed: (percent: number) =>
    `${percent} % davon wurden schon hochgeladen. Von dort geht es weiter, mit den damals gewählten Einstellungen.`,

  wrongKind: (extension: string) =>
    extension === ""
      ? "Sie kann nicht hochgeladen werden: Der Name hat keine Endung wie .pdf."
      : `Sie kann nicht hochgeladen werden: Dateien des Typs ${extension.toUpperCase()} werden nicht unterstützt.`,
  empty: "Sie kann nicht hochgeladen werden: Die Datei ist leer.",
  tooLarge: (limit: string) => `Sie kann nicht hochgeladen werden: Sie ist größer als ${limit}.`,
  notPdf: "Sie kann nicht hochgeladen werden: Der Name endet auf .pdf, aber es ist keine PDF-Datei.",
  unreadable: "Sie kann nicht hochgeladen werden: Der Browser kann sie nicht lesen.",

  duplicate: "Das haben Sie schon:",
  duplicateHere: (name: string) => `Es ist dieselbe Datei wie ${name} in dieser Liste.`,
  uploadAnyway: "Trotzdem hochladen",

  passwordWanted: "Diese PDF-Datei braucht ein Passwort.",
  passwordWrong: "Dieses Passwort ist falsch.",
  password: "Passwort",
  unlock: "PDF-Datei öffnen",

  replacement: {
    of: "Die Datei von",
    keeps: "Das Dokument behält Adresse, Titel, Zugriff, Daten, Projekte und Verlauf.",
    until:
      "Die alte Datei bleibt, bis die neue ganz gelesen ist. Danach ist die alte Datei endgültig gelöscht.",
    seenBy: {
      private:
        "Nur die Person, der das Dokument gehört, und die Mitglieder seiner Projekte sehen die neue Datei.",
      organization: "Alle Mitglieder der Organisation sehen die neue Datei.",
      public: "Alle sehen die neue Datei, auch ohne Anmeldung.",
    },
    parts: (count: number) =>
      formats.plural(count, {
        one: "Die Notiz oder der Abschnitt bleibt auf der Seite, was auch immer die neue Datei dort zeigt. Hat die neue Datei diese Seite nicht, bleibt er in der Liste.",
        other:
          "Die # Notizen und Abschnitte bleiben auf ihren Seiten, was auch immer die neue Datei dort zeigt. Auf Seiten, die der neuen Datei fehlen, bleiben sie in den Listen.",
      }),
    redactions: "Schwärzungen der alten Datei gelten nicht für die neue.",
    choose: "Neue Datei auswählen",
    address: "Webadresse der neuen Datei",
    useAddress: "Diese Adresse verwenden",
    drop: "Legen Sie die neue Datei irgendwo auf dieser Seite ab",
    limits: (size: string) => `Eine PDF-Datei, Office-Datei, E-Mail oder ein Bild, bis ${size}.`,
    onlyOne: "Wählen Sie eine einzige Datei: Ein Dokument hat nur eine.",
    notYours: "Sie dürfen dieses Dokument nicht ändern.",
    elsewhere:
      "Die Datei dieses Dokuments liegt auf einem anderen Server und kann hier nicht ersetzt werden.",
    anyway: "Trotzdem verwenden",
    done: (pages: number, beyond: number) =>
      [
        formats.plural(pages, {
          one: "Die Datei wurde ersetzt: 1 Seite.",
          other: "Die Datei wurde ersetzt: # Seiten.",
        }),
        beyond > 0 &&
          formats.plural(beyond, {
            one: "Eine Notiz oder ein Abschnitt hat jetzt keine Seite.",
            other: "# Notizen und Abschnitte haben jetzt keine Seite.",
          }),
      ]
        .filter((part) => part !== false)
        .join(" "),
    failed: (reason: string) =>
      `Die Datei wurde nicht ersetzt, und das Dokument hat noch seine alte Datei: ${reason}`,
  },

  unfinished: (count: number) =>
    formats.plural(count, {
      one: "Ein Hochladen wurde unterbrochen. Wählen Sie die Datei noch einmal, um dort weiterzumachen:",
      other: "# Dateien wurden unterbrochen. Wählen Sie sie noch einmal, um dort weiterzumachen:",
    }),
  forget: "Verwerfen",

  search: "Suche",
  show: "Anzeigen",
  statuses: {
    success: "Bereit",
    readable: "Wird gelesen",
    pending: "Wird verarbeitet",
    error: "Fehlgeschlagen",
    nofile: "Keine Datei",
  },
  order: "Sortieren nach",
  orders: {
    score: "Beste Treffer zuerst",
    created_at: "Neueste zuerst",
    "-created_at": "Älteste zuerst",
    title: "Titel",
    source: "Quelle",
    page_count: "Die meisten Seiten zuerst",
    updated_at: "Zuletzt geändert zuerst",
  },
  noDocuments: "Kein Dokument passt dazu.",
  noneYet: "Sie haben noch keine Dokumente.",
  uploadSome: "Dokumente hochladen",
  loading: "Wird geladen",
  pages: (count: number) => formats.plural(count, { one: "1 Seite", other: "# Seiten" }),
  accessShort: { private: "Privat", organization: "Organisation", public: "Öffentlich" },
  select: (title: string) => `${title} auswählen`,
  selectAll: "Alle auf dieser Seite auswählen",
  selected: (count: number) =>
    formats.plural(count, { one: "1 Dokument ausgewählt", other: "# Dokumente ausgewählt" }),
  withoutFile: (count: number) =>
    formats.plural(count, {
      one: "1 davon hat hier keine Datei und fehlt im Download.",
      other: "# davon haben hier keine Datei und fehlen im Download.",
    }),
  download: "Herunterladen (ZIP)",
  changeSelected: "Mit den ausgewählten Dokumenten",
  actions: {
    access: "Ändern, wer sie sehen kann",
    publish_at: "Veröffentlichung planen",
    project: "In ein Projekt aufnehmen",
    tag: "Schlagwort hinzufügen",
    data: "Daten hinzufügen",
    language: "Sprache setzen",
    process: "Erneut verarbeiten",
    redact: "Wörter darin schwärzen",
    delete: "Löschen",
  },
  publicAlready: (count: number) =>
    formats.plural(count, {
      one: "1 davon ist schon öffentlich und wird ausgelassen.",
      other: "# davon sind schon öffentlich und werden ausgelassen.",
    }),
  publishAt: "Öffentlich machen am",
  publishAtHelp: "Ohne Zeitpunkt ist keine Veröffentlichung geplant.",
  momentPassed:
    "Dieser Zeitpunkt ist vorbei. Um die Dokumente jetzt zu veröffentlichen, ändern Sie, wer sie sehen kann.",
  chooseLanguage: "Sprache wählen",
  languageHelp: "Damit ihr Text in dieser Sprache erkannt wird, verarbeiten Sie sie danach erneut.",
  emptyRemoves: "Wenn das Feld leer bleibt, wird der bisherige Inhalt entfernt.",
  apply: "Anwenden",
  tag: "Schlagwort",
  key: "Schlüssel",
  keyHelp: "Nur die Buchstaben a bis z und A bis Z, Ziffern, - und _",
  value: "Wert",
  askDelete: (count: number) =>
    formats.plural(count, { one: "1 Dokument löschen?", other: "# Dokumente löschen?" }),
  deletedForEver:
    "Auch ihre Dateien, Notizen und Texte werden gelöscht. Das lässt sich nicht rückgängig machen.",
  deleteThem: "Endgültig löschen",
  changing: (done: number, count: number) =>
    `${formats.number(done)} von ${formats.number(count)} Dokumenten sind bisher fertig.`,
  changed: (count: number) =>
    formats.plural(count, { one: "1 Dokument geändert.", other: "# Dokumente geändert." }),
  deleted: (count: number) =>
    formats.plural(count, { one: "1 Dokument gelöscht.", other: "# Dokumente gelöscht." }),
  partly: (done: number, count: number, reason: string) =>
    `Nach ${formats.number(done)} von ${formats.number(count)} abgebrochen: ${reason}`,
  keys: {
    button: "Tastenkürzel",
    search: "Suchen",
    filters: "Filter",
    saved: "Diese Suche speichern",
    next: "Nächstes Dokument",
    previous: "Vorheriges Dokument",
    select: "Dokument auswählen oder abwählen",
    open: "Dokument öffnen",
    edit: "Dokument bearbeiten",
    selectPage: "Alle auf dieser Seite auswählen oder abwählen",
    deselect: "Alle abwählen",
    change: "Die ausgewählten Dokumente ändern",
    nextPage: "Nächste Seite",
    previousPage: "Vorherige Seite",
    help: "Diese Tastenkürzel zeigen",
  },
  saved: (title: string) => `${title} wurde gespeichert.`,

  howToSearch: "So suchen Sie",
  examples: [
    ["harbour dredging", "eines der Wörter; Dokumente mit beiden kommen zuerst"],
    ["harbour AND dredging", "beide Wörter"],
    ["harbour -draft", "das erste Wort, aber nicht das zweite"],
    ['"harbour dredging"', "die Wörter nebeneinander"],
    ['"harbour cost"~5', "höchstens fünf Wörter zwischen den beiden"],
    ["harb*", "Wörter, die so beginnen"],
    ["harbor~", "Wörter, die fast so geschrieben werden"],
    ["title:harbour", "ein Wort im Titel; ebenso source: und description:"],
    ["(harbour OR port) AND dredging", "Klammern fassen zusammen"],
    ["created_at:[2020-01-01 TO *]", "Dokumente seit einem Tag"],
    ["page_count:[100 TO *]", "Dokumente mit vielen Seiten"],
  ] as readonly (readonly [query: string, meaning: string])[],
  tryExample: (query: string) => `${query} in das Suchfeld schreiben`,
  notAField: (name: string) => `Es gibt kein Feld „${name}“, deshalb wurde danach als Text gesucht.`,
  escaped: (explained: string) =>
    `Ein Teil der Suchanfrage ist ungültig und wurde als einfacher Text gesucht. Sie wurde verstanden als ${explained}.`,
  wildcardsIgnored: "Sie sind abgemeldet, deshalb galten *, ? und ~ als gewöhnliche Zeichen.",
  didYouMean: (query: string) => `Stattdessen nach „${query}“ suchen`,
  savedSearches: "Gespeicherte Suchen",
  saveName: "Name für diese Suche",
  saveSearch: "Diese Suche speichern",
  rename: "Umbenennen",
  newName: "Neuer Name",
  removed: (name: string) => `${name} wurde gelöscht.`,
  askRemove: (name: string) => `Die gespeicherte Suche ${name} löschen?`,
  keepsDocuments: "Ihre Dokumente bleiben.",
  deleteSearch: "Suche löschen",
  filters: "Filter",
  filtersChosen: (count: number) => formats.plural(count, { one: "1 gewählt", other: "# gewählt" }),
  chosenFilters: "Gewählte Filter",
  fields: {
    access: "Zugriff",
    status: "Status",
    user: "Von",
    organization: "Organisation",
    project: "Projekt",
    language: "Sprache",
    original_extension: "Dateityp",
    created_at: "Jahr",
    updated_at: "Geändert",
    page_count: "Seiten",
    id: "Dokument",
    slug: "Adresse",
    noindex: "Vor Suchmaschinen verborgen",
    data__tag: "Schlagwort",
  },
  filter: (field: string, value: string) => `${field}: ${value}`,
  removeFilter: (filter: string) => `Filter ${filter} entfernen`,
  removeFilters: "Alle Filter entfernen",
  you: (name: string) => `${name} (Sie)`,
  showValues: (count: number) => `Alle ${formats.number(count)} anzeigen`,
  showFewer: "Weniger anzeigen",
  moreValues: "Es gibt mehr. Suchen Sie, um sie einzugrenzen.",
  found: (count: number) => formats.plural(count, { one: "1 Dokument.", other: "# Dokumente." }),
  foundPart: (first: number, last: number, count: number) =>
    `${formats.number(first)} bis ${formats.number(last)} von ${formats.number(count)} Dokumenten.`,
  selectAllFound: (count: number) => `Alle ${formats.number(count)} passenden Dokumente auswählen`,
  selectFirst: (max: number) => `Die ersten ${formats.number(max)} passenden Dokumente auswählen`,
  deselect: "Auswahl aufheben",
  notChangeable: (count: number) =>
    formats.plural(count, {
      one: "Eines davon dürfen Sie nicht ändern; es wird ausgelassen.",
      other: "# davon dürfen Sie nicht ändern; sie werden ausgelassen.",
    }),
  deletedFor: (days: number) =>
    formats.plural(days, {
      one: "Sie können sie einen Tag lang aus dem Papierkorb zurückholen.",
      other: "Sie können sie # Tage lang aus dem Papierkorb zurückholen.",
    }),
  broughtBack: (count: number) =>
    formats.plural(count, { one: "1 Dokument ist wieder da.", other: "# Dokumente sind wieder da." }),
  deletedDocuments: "Gelöschte Dokumente",
  inTrash: (shown: number, count: number) => {
    if (count === 0) return "Der Papierkorb ist leer.";
    if (shown < count) return `${formats.number(shown)} von ${formats.number(count)} gelöschten Dokumenten.`;
    return formats.plural(count, { one: "1 gelöschtes Dokument.", other: "# gelöschte Dokumente." });
  },
  daysLeft: (days: number) => formats.plural(days, { one: "noch 1 Tag", other: "noch # Tage" }),
  byYou: "Ihnen",
  deletedBy: (name: string | undefined, on: string) =>
    name === undefined ? `Gelöscht am ${on}` : `Gelöscht von ${name} am ${on}`,
  restore: "Wiederherstellen",
  restored: (title: string) => `${title} ist wieder da.`,
  deleteForGood: "Endgültig löschen",
  askDeleteForGood: (title: string) => `${title} endgültig löschen?`,
  deletedForGood: (title: string) => `${title} wurde endgültig gelöscht.`,
  askDeleteAllForGood: (count: number) =>
    formats.plural(count, { one: "1 Dokument endgültig löschen?", other: "# Dokumente endgültig löschen?" }),
  allDeletedForGood: (count: number) =>
    formats.plural(count, {
      one: "1 Dokument wurde endgültig gelöscht.",
      other: "# Dokumente wurden endgültig gelöscht.",
    }),

  redact: {
    words: "Wörter, die in allen diesen Dokumenten geschwärzt werden",
    wordsHelp:
      "Ein Name oder eine Wortfolge, auch über das Zeilenende hinweg. Großschreibung und Akzente spielen keine Rolle; hollow* findet auch Holloway.",
    find: "Alle finden",
    searchedFor: "Wörter",
    documents: (count: number) =>
      count === 0
        ? "Kein Dokument, das Sie schwärzen dürfen."
        : formats.plural(count, { one: "1 Dokument", other: "# Dokumente" }),
    cut: (max: number) => `Nur die ersten ${formats.number(max)} Dokumente sind aufgeführt.`,
    notYours: (count: number) =>
      formats.plural(count, {
        one: "1 Dokument fehlt: Sie dürfen es nicht ändern.",
        other: "# Dokumente fehlen: Sie dürfen sie nicht ändern.",
      }),
    withoutPages: (count: number) =>
      formats.plural(count, {
        one: "1 Dokument fehlt: Es hat keine Seiten.",
        other: "# Dokumente fehlen: Sie haben keine Seiten.",
      }),
    nothingIn: "Nichts gefunden in",
    notCovered: "Nicht abgedeckt:",
    ticked: (places: number, documents: number) =>
      places === 0
        ? "Nichts ist angekreuzt."
        : `Angekreuzt: ${formats.plural(places, { one: "1 Stelle", other: "# Stellen" })} in ${formats.plural(documents, { one: "1 Dokument", other: "# Dokumenten" })}`,
    apply: "Schwärzen…",
    ask: (places: number, documents: number) =>
      `${formats.plural(places, { one: "1 Stelle", other: "# Stellen" })} in ${formats.plural(documents, { one: "1 Dokument", other: "# Dokumenten" })} schwärzen?`,
    consequences: [
      "Das lässt sich nicht rückgängig machen. Quire behält keine Kopie dessen, was verborgen wird.",
      "Jede Seite mit einem Kasten wird ein Bild mit schwarzen Kästen. Ihre anderen Wörter werden neu erkannt.",
      "Niemand sonst sieht ein Dokument, bevor sein Ergebnis geprüft ist.",
      "Wenn eine Prüfung fehlschlägt, bleibt dieses Dokument, wie es vorher war.",
    ],
    confirm: "Endgültig schwärzen",
    queued: "Eingereiht. Es wird geschwärzt und geprüft.",
    done: "Fertig.",
    failed: "Fehlgeschlagen.",
    refused: (reason: string) => `Abgelehnt: ${reason}`,
  },
  admin: adminGerman,

  projectPage: {
    description: "Beschreibung",
    whoSees: "Wer das Projekt sehen kann",
    isPrivate: "Privat",
    isPublic: "Öffentlich",
    editProject: "Titel und Beschreibung bearbeiten",
    savedProject: "Das Projekt wurde gespeichert.",
    pin: "Anheften",
    unpin: "Lösen",
    nowPinned: "Das Projekt ist angeheftet: Es steht in Ihrer Liste der Projekte ganz oben.",
    nowUnpinned: "Das Projekt ist nicht mehr angeheftet.",
    documents: "Dokumente des Projekts",
    find: "Suchen",
    empty: "In diesem Projekt sind noch keine Dokumente.",
    more: "Mehr anzeigen",
    add: "Dokumente hinzufügen",
    remove: (count: number) =>
      formats.plural(count, {
        one: "1 Dokument aus dem Projekt nehmen",
        other: "# Dokumente aus dem Projekt nehmen",
      }),
    removed: (count: number) =>
      formats.plural(count, {
        one: "1 Dokument ist nicht mehr im Projekt. Es wurde nicht gelöscht.",
        other: "# Dokumente sind nicht mehr im Projekt. Sie wurden nicht gelöscht.",
      }),
    added: (count: number) =>
      formats.plural(count, { one: "1 Dokument ist im Projekt.", other: "# Dokumente sind im Projekt." }),
    addTitle: "Dokumente in das Projekt aufnehmen",
    findDocuments: "Suchwörter",
    onlyMine: "Nur meine Dokumente",
    found: (count: number) =>
      formats.plural(count, { one: "1 Dokument gefunden", other: "# Dokumente gefunden" }),
    addSelected: (count: number) =>
      formats.plural(count, { one: "1 Dokument hinzufügen", other: "# Dokumente hinzufügen" }),
    addAllFound: (count: number) => `Alle ${formats.number(count)} gefundenen hinzufügen`,
    sharedWithCollaborators:
      "Wer am Projekt mitarbeitet, kann die Dokumente öffnen, die Sie hinzufügen, auch Ihre privaten.",
    collaborators: "Mitarbeit",
    person: "Name oder E-Mail-Adresse",
    right: "Rechte",
    rightOf: (name: string) => `Rechte von ${name}`,
    rights: { view: "Lesen", edit: "Bearbeiten", admin: "Verwalten" },
    meaning: {
      view: "heißt, die mit dem Projekt geteilten Dokumente zu lesen.",
      edit: "heißt außerdem, diese Dokumente zu ändern sowie Dokumente hinzuzufügen und zu entfernen.",
      admin: "heißt außerdem, das Projekt zu ändern und zu löschen und zu bestimmen, wer mitarbeitet.",
    },
    invite: "In das Projekt aufnehmen",
    invited: (name: string) => `${name} arbeitet jetzt mit und findet das Projekt unter „Mit Ihnen geteilt“.`,
    rightChanged: (name: string) => `Die Rechte von ${name} wurden geändert.`,
    dismiss: (name: string) => `${name} entfernen`,
    dismissed: (name: string) => `${name} arbeitet nicht mehr mit.`,
    choosePerson: "Mehrere Personen heißen so. Wählen Sie eine aus:",
    choose: (name: string, username: string) => `${name} (${username}) aufnehmen`,
    nobody: (text: string) =>
      `Sie teilen kein Projekt und keine Organisation mit jemandem, dessen Name mit „${text}“ beginnt. Verwenden Sie die E-Mail-Adresse des Kontos.`,
    you: "Sie",
    copy: "Code kopieren",
    copyByHand: "Markieren Sie den Code und kopieren Sie ihn",
    embedPrivate: "Ein privates Projekt lässt sich nicht einbetten. Machen Sie es zuerst öffentlich.",
    delete: "Projekt löschen",
    askDelete: (title: string) => `Das Projekt ${title} löschen?`,
    documentsStay:
      "Seine Dokumente bleiben. Wer mitarbeitet, verliert den Zugriff, den das Projekt gegeben hat. Das lässt sich nicht rückgängig machen.",
    deleteProject: "Projekt endgültig löschen",
  },
}))();
