import type { ComponentType } from "preact";
import type { Note } from "../contract/note.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";

/*
 * What only people who write need. It is not part of the script that every reader loads: each of these functions loads
 * its chunk first.
 */

/** Opens the form for a new note, or for changing one. */
export async function openNoteForm(reading: ViewerState, note: Note | null): Promise<void> {
  const { openNoteForm: open } = (await loaded(reading, import("./editing/note-form.tsx"))) ?? {};
  open?.(reading, note);
}

/** Deletes a note, after asking. */
export async function askToDeleteNote(reading: ViewerState, note: Note): Promise<void> {
  const { askToDeleteNote: ask } = (await loaded(reading, import("./editing/note-form.tsx"))) ?? {};
  ask?.(reading, note);
}

/** Opens the form in which people edit the document's record. */
export async function openDocumentForm(reading: ViewerState): Promise<void> {
  const { openDocumentForm: open } = (await loaded(reading, import("./editing/document-form.tsx"))) ?? {};
  open?.(reading);
}

/** Shows who changed what in the document, and when. */
export async function openHistory(reading: ViewerState): Promise<void> {
  const { openHistory: open } = (await loaded(reading, import("./editing/document-history.tsx"))) ?? {};
  open?.(reading);
}

/** The component that edits the sections; null if it cannot be loaded. */
export async function findSectionEditor(
  reading: ViewerState,
): Promise<ComponentType<{ reading: ViewerState }> | null> {
  return (await loaded(reading, import("./editing/section-editor.tsx")))?.SectionEditor ?? null;
}

/** Opens the tool that redacts places of the document. */
export async function openRedaction(reading: ViewerState): Promise<void> {
  const { openRedaction: open } = (await loaded(reading, import("./editing/redact-tool.tsx"))) ?? {};
  open?.(reading);
}

/** Opens the tool that arranges the pages. */
export async function openArrangement(reading: ViewerState): Promise<void> {
  const { openArrangement: open } = (await loaded(reading, import("./editing/arrange-tool.tsx"))) ?? {};
  open?.(reading);
}

/** Waits for a chunk; null if it cannot be loaded, which the reader is told. */
export async function loaded<Module>(reading: ViewerState, chunk: Promise<Module>): Promise<Module | null> {
  try {
    return await chunk;
  } catch {
    reading.announcement.value = texts.partNotLoaded;
    return null;
  }
}
