import { fieldsGerman } from "../../texts/fields-german.ts";
import { Formats } from "../../texts/formats.ts";
import type { Audience, editingEnglish } from "./editing-english.ts";
import { count, redactingGerman } from "./redacting-german.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("de");

function audience({ isPublic, organization, projects, until, isReady }: Audience): string {
  const soon = isReady ? "" : ", sobald es bereit ist";
  if (isPublic) return `Alle werden es sehen, ohne sich anzumelden${soon}.`;
  const titles = projects.length === 0 ? "" : ` (${projects.join(", ")})`;
  const shared = `die Mitglieder der Projekte, mit denen es geteilt ist${titles},`;
  const some =
    organization === null
      ? `nur die Person, der es gehört, und ${shared}`
      : `alle Mitglieder von ${organization} und ${shared}`;
  if (until === "") return `${some.slice(0, 1).toUpperCase()}${some.slice(1)} werden es sehen.`;
  return `Bis ${until} werden es ${some} sehen. Danach werden alle es sehen, ohne sich anzumelden${soon}.`;
}

/** The texts of the tools for people who write, in German. */
export const editingGerman: typeof editingEnglish = /* @__PURE__ */ (() => ({
  ...redactingGerman,
  describing: fieldsGerman,
  pageCount: count,
  back: "Zurück",
  keep: "Behalten",
  show: "Zeigen",
  oneMoment: "Einen Moment",
  mayClose: "Sie können diese Seite schließen: Die Arbeit geht ohne sie weiter.",

  box: {
    drawingCancelled: "Zeichnen abgebrochen",
    added: (name, place) => `${name} hinzugefügt, ${place}`,
    changed: (name, place) => `${name}: ${place}`,
    removed: (name) => `${name} entfernt`,
    onPage: (name, page) => `${name} auf Seite ${page}`,
    help: "Die Pfeiltasten verschieben ihn. Mit der Umschalttaste ändern sie seine Größe. Entf entfernt ihn.",
    place: (left, top, width, height) =>
      `${left} % von links, ${top} % von oben, ${width} % breit, ${height} % hoch`,
    placeOnPage: (page, place) => `Seite ${page}, ${place}`,
  },

  note: {
    add: "Notiz hinzufügen",
    change: "Notiz ändern",
    boxName: "Kasten der Notiz",
    levels: {
      private: { name: "Privat", meaning: "Nur Sie sehen sie." },
      organization: {
        name: "Geteilt",
        meaning: "Sie und alle, die dieses Dokument bearbeiten dürfen, sehen sie.",
      },
      public: { name: "Öffentlich", meaning: "Alle, die dieses Dokument sehen, sehen sie." },
    },
    drag: (page) =>
      `Ziehen Sie auf der Seite einen Kasten um die Stelle, um die es in der Notiz geht. Ohne Kasten gilt die Notiz für die ganze Seite ${page}.`,
    wholePage: (page) => `Die Notiz gilt für die ganze Seite ${page}.`,
    dragBox: "Ziehen Sie am Kasten, um ihn zu verschieben, oder an seinen Rändern, um seine Größe zu ändern.",
    draw: "Kasten zeichnen",
    drawAnother: "Anderen Kasten zeichnen",
    placeByKeyboard: "Kasten mit der Tastatur setzen",
    removeBox: "Kasten entfernen",
    page: "Seite",
    text: "Text",
    whoSees: "Wer sie sieht",
    onlyEditors: "Nur wer das Dokument bearbeiten darf, kann Notizen teilen oder veröffentlichen.",
    save: "Notiz speichern",
    saved: "Die Notiz ist gespeichert",
    needsTitle: "Eine Notiz braucht einen Titel.",
    boxOn: (page) => `eine andere Stelle, auf Seite ${page}`,
    gone: "Die Notiz oder ihr Dokument ist nicht mehr da, oder Sie dürfen sie nicht mehr sehen.",
    delete: "Notiz löschen",
    deleted: "Die Notiz ist gelöscht",
    deletionMeans: (page) => ` auf Seite ${page} lässt sich nicht zurückholen.`,
  },

  section: {
    add: "Abschnitt hinzufügen",
    addNow: "Hinzufügen",
    save: "Abschnitt speichern",
    saved: "Der Abschnitt ist gespeichert",
    delete: "Abschnitt löschen",
    deleted: "Der Abschnitt ist gelöscht",
    change: "Ändern",
    deleteShort: "Löschen",
    changeOf: (title) => `${title} ändern`,
    deleteOf: (title) => `${title} löschen`,
    beginsOnPage: "Beginnt auf Seite",
    needsTitle: "Ein Abschnitt braucht einen Titel.",
    choosePage: (last) => `Wählen Sie eine Seite von 1 bis ${last}.`,
    taken: (title, page) => `„${title}“ beginnt schon auf Seite ${page}.`,
    gone: "Der Abschnitt oder sein Dokument ist nicht mehr da.",
  },

  form: {
    heading: "Dokument bearbeiten",
    language: "Sprache",
    access: "Wer es sehen kann",
    levels: { private: "Privat", organization: "Organisation", public: "Öffentlich" },
    publishAt: "Öffentlich machen am",
    tags: "Schlagwörter",
    tag: (number) => `Schlagwort ${number}`,
    removeTag: (number) => `Schlagwort ${number} entfernen`,
    addTag: "Schlagwort hinzufügen",
    data: "Daten",
    key: "Schlüssel",
    keyNumber: (number) => `Schlüssel ${number}`,
    value: "Wert",
    valueNumber: (number) => `Wert ${number}`,
    removeValue: (number) => `Wert ${number} entfernen`,
    addData: "Schlüssel und Wert hinzufügen",
    saved: "Das Dokument ist gespeichert",
    needsTitle: "Ein Dokument braucht einen Titel.",
    momentPassed:
      "Dieser Zeitpunkt ist vorbei. Um das Dokument jetzt zu veröffentlichen, wählen Sie oben „Öffentlich“.",
    wrongKey:
      "Ein Schlüssel besteht aus 1 bis 50 Buchstaben ohne Akzente und Umlaute, Ziffern sowie - und _.",
    tagsElsewhere: "Geben Sie Schlagwörter unter „Schlagwörter“ ein.",
    audience,
  },

  history: {
    heading: "Verlauf",
    nothing: "Bisher wurde nichts aufgezeichnet.",
    earlier: "Frühere Änderungen",
    somebody: "Jemand",
    someOwner: "jemand",
    otherOrganization: "eine andere Organisation",
    aProject: "ein Projekt",
    project: (title) => `das Projekt „${title}“`,
    created: "hat das Dokument hinzugefügt",
    published: "hat es wie geplant öffentlich gemacht",
    shared: (project) => `hat es in ${project} aufgenommen`,
    unshared: (project) => `hat es entfernt, und zwar aus: ${project}`,
    redacted: (pages) => `hat geschwärzt: ${pages}`,
    somePages: "Seiten",
    modified: "hat die Seiten geändert",
    replaced: "hat die Datei ersetzt",
    fileKind: (to, from) => `eine Datei vom Typ ${to} statt ${from}`,
    deleted: "hat es gelöscht",
    restored: "hat es aus dem Papierkorb zurückgeholt",
    removed: "hat es endgültig gelöscht",
    changed: "hat es geändert",
    changedSeveral: "hat mehrere Felder geändert",
    changedText: (pages) => `hat den Text geändert: ${pages}`,
    removedField: (field, value) => `hat ${field} entfernt (bisher ${value})`,
    setField: (field, value) => `hat ${field} eingetragen: ${value}`,
    changedField: (field, from, to) => `hat ${field} geändert, von ${from} zu ${to}`,
    initial: (field, value) => `${field}: ${value}`,
    quoted: (text) => `„${text}“`,
    on: "„ein“",
    off: "„aus“",
    pageCounts: (to, from) => `${to} Seiten statt ${from}`,
    tags: "die Schlagwörter",
    data: (key) => `die Daten „${key}“`,
    labels: { title: "Titel", access: "Zugriff", publish_at: "Zeitpunkt der Veröffentlichung" },
    fields: {
      title: "den Titel",
      language: "die Sprache",
      publish_at: "den Zeitpunkt der Veröffentlichung",
      user: "die Person, der es gehört,",
      organization: "die Organisation",
      noindex: "die Einstellung für Suchmaschinen",
      original_extension: "den Dateityp",
    },
    access: {
      private: "privat",
      organization: "Organisation",
      public: "öffentlich",
      invisible: "unsichtbar",
    },
    madeIt: {
      private: "hat es privat gemacht",
      organization: "hat es der Organisation gezeigt",
      public: "hat es öffentlich gemacht",
      invisible: "hat es unsichtbar gemacht",
    },
  },

  arrange: {
    heading: "Seiten anordnen",
    help: "Wählen Sie Seiten aus, um sie zu verschieben, zu drehen oder zu entfernen, oder ziehen Sie sie mit der Maus. Auch Alt und eine Pfeiltaste verschieben eine Seite. Geändert wird erst etwas, wenn Sie es anwenden.",
    asItWas: "Das Dokument ist unverändert, und Ihre neue Reihenfolge ist noch da.",
    selectedPages: "Ausgewählte Seiten",
    selectAll: "Alle auswählen",
    selectNone: "Auswahl aufheben",
    turnLeft: "Nach links drehen",
    turnRight: "Nach rechts drehen",
    moveEarlier: "Nach vorn",
    moveLater: "Nach hinten",
    moveToBeginning: "An den Anfang",
    moveToEnd: "Ans Ende",
    insert: "Seiten einfügen…",
    selectFirst: "Wählen Sie zuerst Seiten aus.",
    needsPage: "Ein Dokument braucht mindestens eine Seite.",
    removed: (pages) => `${count(pages)} entfernt`,
    working: "Die neue Datei wird geschrieben. Sie können diese Seite schließen.",
    ask: "Seiten ändern?",
    willHave: (pages) => `Das Dokument wird ${count(pages)} haben:`,
    consequences:
      "Notizen und Abschnitte bleiben bei ihren Seiten. Entfernte Seiten sind endgültig gelöscht. Wenn es misslingt, bleibt das Dokument unverändert.",
    change: "Seiten ändern",
    apply: "Anwenden…",
    nothingChanged: "Nichts ist geändert.",
    newOrder: "Seiten in der neuen Reihenfolge",
    formerPage: (page) => `Bisherige Seite ${page}`,
    pageOf: (page, title) => `${title}, Seite ${page}`,
    isNow: (name, place) => `${name} steht jetzt an Stelle ${place}`,
    was: (page) => `bisher ${page}`,
    insertedFrom: (page, title) => `Seite ${page} von ${title}`,
    turns: ["", "90° rechts", "180°", "90° links"],
    order: "Reihenfolge geändert",
    turned: (pages) => `${pages} gedreht`,
    removedPages: (pages) => `${pages} entfernt`,
    copied: (pages) => `${count(pages)} kopiert`,
    inserted: (pages, title) => `${count(pages)} aus „${title}“ eingefügt`,
    summary: (pages, changes) => `${count(pages)}: ${changes}`,
    done: (changes) => `Fertig: ${changes}.`,
    stopped: "Die Arbeit wurde abgebrochen.",
  },

  insert: {
    heading: "Seiten eines anderen Dokuments einfügen",
    find: "Dokument suchen",
    search: "Suchen",
    nothing: "Es wurde kein Dokument mit Seiten gefunden",
    pages: "Seiten",
    allPages: "Alle Seiten",
    pagesHelp: "Zum Beispiel 1-3, 7. Ohne Angabe sind es alle Seiten.",
    where: "Wo",
    atEnd: "Am Ende",
    atBeginning: "Am Anfang",
    before: (page) => `Vor der ausgewählten Seite ${page}`,
    insert: "Einfügen",
    chooseFirst: "Wählen Sie zuerst ein Dokument.",
    wrongPages: (last) => `Geben Sie Seitenzahlen von 1 bis ${last} an, zum Beispiel 1-3, 7.`,
    tooMany: (max) => `Ein Dokument hat höchstens ${formats.number(max)} Seiten.`,
  },
}))();
