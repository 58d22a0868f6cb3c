import type { commonEnglish } from "./common-english.ts";

/** The words of several catalogues, in German. */
export const commonGerman: typeof commonEnglish = {
  close: "Schließen",
  cancel: "Abbrechen",
  save: "Speichern",
  title: "Titel",
  tryAgain: "Erneut versuchen",
  untitled: "Ohne Titel",
  edit: "Bearbeiten",
  replaceFile: "Datei ersetzen",
  preview: "Vorschau",
  copied: "Kopiert",
  searching: "Suche läuft…",
  page: (page) => `Seite ${page}`,
  documents: "Dokumente",
  trash: "Papierkorb",
  next: "Weiter",
  previous: "Zurück",
  unknown: "Unbekannt",
  titleNeeded: "Geben Sie einen Titel ein.",
  newProject: "Neues Projekt",
  showAll: "Alle anzeigen",
  undo: "Rückgängig",
  remove: "Entfernen",
  embed: "Dieses Projekt einbetten",
  embedCode: "Code für Ihre Seite",
  embedHelp:
    "Fügen Sie diesen Code in die Seite einer anderen Website ein. " +
    "Wer sie liest, sieht die öffentlichen Dokumente des Projekts und kann in ihnen suchen.",
  searchProject: "In diesem Projekt suchen",
  notFoundInProject: "In diesem Projekt passt nichts dazu.",
  collaboratorsOnly: "Privat: nur wer daran mitarbeitet",
  everyone: "Öffentlich: alle",
};
