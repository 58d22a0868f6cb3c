import type { ComponentType } from "preact";
import type { Note } from "./model/api.ts";
import type { Reading } from "./model/reading.ts";

/*
 * What only people who write need. It is not part of the script that every reader loads: each of these functions loads
 * its chunk first.
 */

/** Opens the form for a new note, or for changing one. */
export async function openNoteForm(reading: Reading, note: Note | null): Promise<void> {
  const { openNoteForm: open } = (await loaded(reading, import("./editing/note-form.tsx"))) ?? {};
  open?.(reading, note);
}

/** Deletes a note, after asking. */
export async function askToDeleteNote(reading: Reading, note: Note): Promise<void> {
  const { askToDeleteNote: ask } = (await loaded(reading, import("./editing/note-form.tsx"))) ?? {};
  ask?.(reading, note);
}

/** The component that edits the sections; null if it cannot be loaded. */
export async function findSectionEditor(
  reading: Reading,
): Promise<ComponentType<{ reading: Reading }> | null> {
  return (await loaded(reading, import("./editing/section-editor.tsx")))?.SectionEditor ?? null;
}

/** Waits for a chunk; null if it cannot be loaded, which the reader is told. */
export async function loaded<Module>(reading: Reading, chunk: Promise<Module>): Promise<Module | null> {
  try {
    return await chunk;
  } catch {
    reading.announcement.value =
      "This part of the page could not be loaded. Check the connection and try again.";
    return null;
  }
}
