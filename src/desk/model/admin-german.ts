import { Formats } from "../../texts/formats.ts";
import type { adminEnglish } from "./admin-texts.ts";

// Marked as pure, so that the script in another language leaves it out.
const formats = /* @__PURE__ */ new Formats("de");

/** The texts of the pages for administrators in German. */
export const adminGerman: typeof adminEnglish = {
  label: "Administration",
  pages: {
    "": "Übersicht",
    people: "Personen",
    organizations: "Organisationen",
    queue: "Warteschlange",
    storage: "Speicher",
    checks: "Prüfungen",
    "sign-ins": "Anmeldungen",
    settings: "Einstellungen",
    mail: "E-Mail",
  },
  nothing: "Nichts anzuzeigen.",
  notFound:
    "Das wurde nicht gefunden. Vielleicht gibt es das nicht mehr, oder Sie sind abgemeldet: Dann melden Sie sich in einem anderen Tab wieder an.",
  more: "Weiter",
  back: "Zurück",

  people: {
    invite: "Jemanden einladen",
    inviteNow: "Konto anlegen",
    username: "Benutzername",
    usernameHelp: "Buchstaben (a bis z), Ziffern und @ . + - _",
    name: "Name",
    email: "E-Mail-Adresse",
    organization: "Organisation",
    organizationHelp: "Ihr Name. Wenn es sie noch nicht gibt, wird sie angelegt.",
    administrator: "Administration",
    administratorHelp:
      "Dieses Recht erlaubt, diese Seiten zu benutzen und alles zu ändern und zu löschen, was für die Person sichtbar ist. Sie sieht damit nicht mehr Dokumente als andere.",
    find: "Personen suchen",
    list: "Personen",
    disabled: "Gesperrt",
    waiting: "Hat noch kein Passwort gewählt",
    active: "Aktiv",
    signedIn: (at) => `Letzte Anmeldung ${at}`,
    neverSignedIn: "Hat sich nicht mit einem Passwort angemeldet",
    edit: "Bearbeiten",
    link: "Neuer Passwort-Link",
    disable: "Sperren",
    enable: "Entsperren",
    disableTitle: (name) => `${name} sperren?`,
    disableHelp:
      "Die Person wird überall abgemeldet und kann sich erst wieder anmelden, wenn Sie das Konto entsperren. Ihre Dokumente bleiben.",
    saved: (name) => `${name} wurde gespeichert.`,
    disabledNow: (name) => `${name} ist gesperrt.`,
    enabledNow: (name) => `${name} ist entsperrt.`,
    linkTitle: (name) => `Passwort-Link für ${name}`,
    linkHelp: (until) =>
      `Schicken Sie der Person diesen Link. Er gilt einmal, bis ${until}, und wird nicht wieder angezeigt.`,
    sendMail: "Link per E-Mail senden",
    sendMailHelp: "Ohne E-Mail-Adresse wird der Link hier angezeigt, damit Sie ihn kopieren können.",
    mailed: (name) => `Eine E-Mail mit einem Link ist unterwegs an ${name}.`,
    linkLabel: "Link",
    copy: "Link kopieren",
    copied: "Der Link wurde kopiert.",
  },

  organizations: {
    name: "Name",
    create: "Organisation anlegen",
    add: "Neue Organisation",
    list: "Organisationen",
    members: (count) => formats.plural(count, { one: "1 Mitglied", other: "# Mitglieder" }),
    edit: "Bearbeiten",
    picture: "Bild",
    pictureHelp: "Die Webadresse eines Bildes, oder nichts.",
    manage: "Mitglieder",
    membersOf: (name) => `Mitglieder von ${name}`,
    admin: "Verwaltung",
    member: "Mitglied",
    makeAdmin: "Verwaltung übertragen",
    makeMember: "Verwaltung entziehen",
    remove: "Entfernen",
    addMember: "Mitglied hinzufügen",
    username: "Benutzername",
    unknownUser: (name) => `Es gibt kein Konto mit dem Benutzernamen ${name}.`,
    added: (name) => `${name} ist jetzt Mitglied.`,
    removed: (name) => `${name} ist kein Mitglied mehr.`,
    created: (name) => `${name} wurde angelegt.`,
    saved: (name) => `${name} wurde gespeichert.`,
  },

  overview: {
    health: "Zustand",
    database: "Datenbank",
    engines: { sqlite: "SQLite", postgres: "PostgreSQL" },
    files: "Dateien",
    disk: "Frei auf dem Datenträger des Datenordners",
    diskOf: (free, total) => `${free} von ${total}`,
    queue: "Warteschlange",
    oldest: "So lange wartet der älteste fällige Auftrag",
    noneDue: "Kein Auftrag wartet",
    failed: "Dokumente, die nicht verarbeitet werden konnten",
    node: "Node.js",
  },

  queue: {
    summary: "Zurzeit",
    empty: "Kein Auftrag läuft oder wartet.",
    left: (time) =>
      `Die Dokumente in der Warteschlange brauchen etwa ${time}, wenn es so weitergeht wie bei den letzten.`,
    counts: (counts) =>
      [
        counts.running > 0 && formats.plural(counts.running, { one: "1 läuft", other: "# laufen" }),
        counts.waiting > 0 && formats.plural(counts.waiting, { one: "1 wartet", other: "# warten" }),
        counts.retrying > 0 &&
          formats.plural(counts.retrying, {
            one: "1 wird erneut versucht",
            other: "# werden erneut versucht",
          }),
      ]
        .filter((part) => part !== false)
        .join(", "),
    kinds: {
      "fetch document": "Datei herunterladen",
      "process document": "Dokument verarbeiten",
      "redact document": "Dokument schwärzen",
      "modify document": "Seiten eines Dokuments ändern",
      "fetch replacement of file": "Datei herunterladen, die eine andere ersetzt",
      "replace file of document": "Datei eines Dokuments ersetzen",
      "index documents": "Dokumente in den Suchindex aufnehmen",
      "count words": "Wörter zählen",
      "store records": "Datensätze speichern",
      "remove files of what is gone": "Dateien gelöschter Dokumente entfernen",
      "discard document without file": "Dokument ohne Datei entfernen",
      examine: "Server prüfen",
      "measure storage": "Speicher messen",
      "send mail": "E-Mail senden",
    },
    jobs: "Aufträge",
    state: "Stand",
    states: { all: "Alle", running: "Laufen", waiting: "Warten", retrying: "Werden erneut versucht" },
    document: (id) => `Dokument ${id}`,
    ofOwner: (name) => `für ${name}`,
    since: (at) => `Eingereiht ${at}`,
    nextAt: (at) => `Nächster Versuch ${at}`,
    attempts: (count) => formats.plural(count, { one: "1 Versuch", other: "# Versuche" }),
    progress: (done, total) => `${formats.number(done)} von ${formats.number(total)} Seiten`,
    runNow: "Jetzt ausführen",
    cancel: "Abbrechen",
    isRun: "Der Auftrag läuft, sobald ein Worker frei ist.",
    isCancelled: "Der Auftrag wurde abgebrochen.",
    reasons: {
      cancelled: "Die Verarbeitung wurde abgebrochen.",
      worker: "Der Prozess, der daran arbeitete, endete, bevor er fertig war.",
      room: "Es war kein Platz zum Speichern.",
      store: "Die Dateien waren nicht erreichbar.",
      address: "Die Datei konnte nicht von ihrer Adresse geholt werden.",
      password: "Die Datei ist verschlüsselt und braucht ein Passwort.",
      install: "Dem Server fehlt ein Programm, oder es fehlen ihm Daten, die die Datei braucht.",
      limits: "Die Datei braucht mehr Zeit oder Speicher, als die Einstellungen erlauben.",
      size: "Die Datei ist zu groß oder zu lang.",
      upload: "Die Datei fehlt oder ist leer.",
      broken: "Die Datei ist beschädigt oder von anderer Art, als ihr Name sagt.",
    },
    message: "Meldung",
    failures: "Dokumente, die nicht verarbeitet werden konnten",
    documents: (count) => formats.plural(count, { one: "1 Dokument", other: "# Dokumente" }),
    which: (ids, more) =>
      `${ids.length + more === 1 ? "Nummer" : "Nummern"} ${ids.join(", ")}${more > 0 ? ` und ${formats.number(more)} weitere` : ""}`,
    retry: "Erneut verarbeiten",
    retryAll: "Alle erneut verarbeiten",
    restarted: (count) =>
      count === 0
        ? "Keines dieser Dokumente hat eine Datei, die verarbeitet werden könnte."
        : formats.plural(count, {
            one: "1 Dokument wird erneut verarbeitet.",
            other: "# Dokumente werden erneut verarbeitet.",
          }),
  },

  storage: {
    measured: (at) => `Gemessen ${at}.`,
    notMeasured: "Der Speicher wurde noch nicht gemessen.",
    measuring: "Er wird gerade gemessen.",
    measure: "Jetzt messen",
    isRequested: "Die Messung ist angefordert.",
    help: "Die Größen sind die der hochgeladenen Dateien, ohne Seitenbilder und Texte. Ein Dokument in mehreren Projekten zählt in jedem.",
    total: "Alle Dokumente",
    users: "Nach Personen",
    projects: "Nach Projekten",
    pages: (count) => formats.plural(count, { one: "1 Seite", other: "# Seiten" }),
  },

  checks: {
    intro:
      "Vergleicht die Datenbank mit den gespeicherten Dateien und dem Suchindex. Bei vielen Dokumenten dauert das Stunden; der Server arbeitet währenddessen weiter.",
    hashes: "Auch jede PDF-Datei lesen und mit ihrem Hash vergleichen",
    check: "Prüfen",
    repair: "Prüfen und reparieren",
    isRequested: "Die Prüfung ist angefordert.",
    never: "Es gab noch keine Prüfung.",
    running: (examined, documents) =>
      `Eine Prüfung läuft: ${formats.number(examined)} von ${formats.number(documents)} Dokumenten.`,
    ended: (at) => `Die letzte Prüfung endete ${at}.`,
    givenUp: (reason) => `Die letzte Prüfung wurde nicht abgeschlossen: ${reason}.`,
    nothing: "Es gibt keine Abweichungen.",
    found: (found, mended) =>
      `${formats.plural(found, { one: "1 Abweichung", other: "# Abweichungen" })}, ${formats.number(mended)} repariert.`,
    findings: "Befunde",
    outcomes: {
      repairable: "Kann repariert werden",
      "not repairable": "Kann von hier aus nicht repariert werden",
      mended: "Repariert",
      failed: "Die Reparatur ist fehlgeschlagen",
    },
  },

  signIns: {
    list: "Letzte Anmeldungen und Ablehnungen",
    help: "Die letzten 30 Tage. Quire speichert weder die Adresse noch die Eingabe: Ein Netz hat einen kurzen Namen, der immer derselbe ist.",
    kind: "Anzeigen",
    all: "Alles",
    kinds: {
      "signed in": "Angemeldet",
      "wrong password": "Falsches Passwort",
      "unknown user": "Unbekannter Benutzername",
      disabled: "Gesperrtes Konto",
      "too many attempts": "Zu viele Versuche",
      "password set": "Passwort über einen Link gewählt",
    },
    somebody: "Unbekannter Benutzername",
    known: "Bekanntes Netz",
    unknown: "Neues Netz",
    network: (name) => `Netz ${name}`,
    times: (count) => formats.plural(count, { one: "einmal", other: "#-mal" }),
  },

  mail: {
    list: "E-Mails",
    help: "E-Mails der letzten 30 Tage.",
    notSetUp:
      "Es ist kein Mailserver eingerichtet: siehe QUIRE_MAIL_URL. Links zum Wählen eines Passworts werden Ihnen stattdessen zum Kopieren angezeigt.",
    kinds: {
      invitation: "Einladung",
      reset: "Neues Passwort",
      "shared project": "Ein Projekt wurde geteilt",
      "failed documents": "Dokumente konnten nicht verarbeitet werden",
    },
    states: { waiting: "Wartet", sent: "Gesendet", failed: "Nicht gesendet" },
    queued: (at) => `Eingereiht ${at}`,
    sent: (at) => `Gesendet ${at}`,
    again: "Erneut senden",
    remove: "Entfernen",
    isQueued: "Die E-Mail wird gesendet, sobald ein Worker frei ist.",
    isRemoved: "Die E-Mail wurde entfernt.",
  },

  settings: {
    list: "Einstellungen",
    help: "Einstellungen sind Umgebungsvariablen des Servers. Starten Sie ihn nach einer Änderung neu.",
    onlyChanged: "Nur Einstellungen, die vom Standard abweichen",
    secret: "Gesetzt, wird nicht angezeigt",
    notSet: "Nicht gesetzt",
    isDefault: "Standard",
  },
};
