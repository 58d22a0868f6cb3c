import { fieldsGerman } from "../../texts/fields-german.ts";
import { Formats } from "../../texts/formats.ts";
import type { Audience, editingEnglish } from "./editing-english.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("de");

const count = (pages: number): string => formats.plural(pages, { one: "1 Seite", other: "# Seiten" });
const places = (number: number, pages: number): string =>
  `${formats.plural(number, { one: "1 Stelle", other: "# Stellen" })} auf ${count(pages)}`;

/** "Seite 3", "Seiten 1, 2 und 5". These never change with the case, so they stand in brackets or after a colon. */
const named = (pages: readonly string[]): string =>
  `${formats.plural(pages.length, { one: "Seite", other: "Seiten" })} ${formats.list(pages)}`;
const rest = (more: number): string => `${formats.number(more)} weitere`;

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
export const editingGerman: typeof editingEnglish = {
  describing: fieldsGerman,
  pages: (pages, more) => named(more === 0 ? pages : [...pages, rest(more)]),
  pageCount: count,
  places,
  back: "Zurück",
  keep: "Behalten",
  show: "Zeigen",
  remove: "Entfernen",
  preview: "Vorschau",
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
    undo: "Rückgängig",
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
    documents: "Dokumente",
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
      "Wenn eine Prüfung fehlschlägt, wird das Dokument privat.",
    ],
    confirm: "Endgültig schwärzen",
    nothingMarked: "Nichts ist markiert.",
    marked: (number, pages) => `Markiert: ${places(number, pages)}`,
    tooMany: (number, max) =>
      `Das sind ${formats.number(number)} Kästen. Höchstens ${formats.number(max)} können auf einmal geschwärzt werden: Wählen Sie einige ab, wenden Sie die übrigen an und schwärzen Sie diese danach.`,
    apply: "Schwärzen…",
    words: "Wörter, die überall geschwärzt werden",
    wordsHelp:
      "Ein Name oder eine Wortfolge, auch über das Zeilenende hinweg. Großschreibung und Akzente spielen keine Rolle; hollow* findet auch Holloway.",
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
      `„${words}“ steht noch ${formats.plural(times, { one: "einmal", other: "#-mal" })} im Text (${named(more === 0 ? pages : [...pages, rest(more)])}), aber die Position auf der Seite ist unbekannt. Sehen Sie dort nach und zeichnen Sie Kästen.`,
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
    nothing: "Es gab nichts zu schwärzen.",
    done: (words, pages) =>
      `Geschwärzt (${pages}): ${words === 0 ? "kein Wort" : formats.plural(words, { one: "1 Wort", other: "# Wörter" })} unter den Kästen.`,
    seen: (pages) => `Geschwärzte Wörter sind noch zu sehen: ${pages}.`,
    seenAdvice: "Sehen Sie sich diese Stellen an, und schwärzen Sie auch sie, wenn niemand sie sehen soll.",
    unseen: (pages) => `Geschwärzte Wörter stehen noch in Text, der nicht zu sehen ist: ${pages}.`,
    unseenAdvice: "Schwärzen Sie auch diese Seiten.",
    unread: (pages, reason) => `Der übrige Text konnte nicht erkannt werden (${pages}): ${reason}.`,
    unreadAdvice: "Dort ist nichts Verborgenes übrig, aber die Suche findet die anderen Wörter nicht.",
    checks: {
      pdf: "Die geschwärzten Seiten der neuen Datei haben keine Textebene, und keiner ihrer Texte, Namen, Kommentare und Anhänge enthält ein verborgenes Wort.",
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
