import type { ComponentType } from "preact";
import type { Note } from "../contract/note.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";

/*
 * What only people who write need. It is not part of the script that every reader loads: each entry loads its chunk
 * first, and has the function that opens the tool.
 */
const tools = {
  documentForm: async () => (await import("./editing/document-form.tsx")).openDocumentForm,
  /** Who changed what in the document, and when. */
  history: async () => (await import("./editing/document-history.tsx")).openHistory,
  redaction: async () => (await import("./editing/redact-tool.tsx")).openRedaction,
  processAgain: async () => (await import("./editing/file-trouble.tsx")).processAgain,
  arrangement: async () => (await import("./editing/arrange-tool.tsx")).openArrangement,
};

export async function openTool(name: keyof typeof tools, reading: ViewerState): Promise<void> {
  (await loaded(reading, tools[name]()))?.(reading);
}

/** Opens the form for a note, or for a new one with null. */
export async function openNoteForm(reading: ViewerState, note: Note | null): Promise<void> {
  (await loaded(reading, import("./editing/note-form.tsx")))?.openNoteForm(reading, note);
}

export async function askToDeleteNote(reading: ViewerState, note: Note): Promise<void> {
  (await loaded(reading, import("./editing/note-form.tsx")))?.askToDeleteNote(reading, note);
}

/** The component that edits the sections; null if it cannot be loaded. */
export async function findSectionEditor(
  reading: ViewerState,
): Promise<ComponentType<{ reading: ViewerState }> | null> {
  return (await loaded(reading, import("./editing/section-editor.tsx")))?.SectionEditor ?? null;
}

/** The component that stands where the pages would be, for people who write; null if it cannot be loaded. */
export async function findWithoutPages(
  reading: ViewerState,
): Promise<ComponentType<{ reading: ViewerState }> | null> {
  return (await loaded(reading, import("./editing/file-trouble.tsx")))?.WithoutPages ?? null;
}

/** Waits for a chunk; null if it cannot be loaded, which the reader is told. */
async function loaded<Module>(reading: ViewerState, chunk: Promise<Module>): Promise<Module | null> {
  try {
    return await chunk;
  } catch {
    reading.announcement.value = texts.partNotLoaded;
    return null;
  }
}
