import type { ComponentType } from "preact";
import type { Note } from "../contract/note.ts";
import type { DocumentActionName } from "./actions/document-actions.tsx";
import type { PageBox } from "./model/boxes.ts";
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

export async function openTool(name: keyof typeof tools, viewer: ViewerState): Promise<void> {
  (await loaded(viewer, tools[name]()))?.(viewer);
}

/** Opens a form or a question about the document as a whole. */
export async function openDocumentAction(name: DocumentActionName, viewer: ViewerState): Promise<void> {
  (await loaded(viewer, import("./actions/document-actions.tsx")))?.openDocumentAction(name, viewer);
}

/** Opens the tool that redacts, with every place of these words. */
export async function redactWords(viewer: ViewerState, words: string): Promise<void> {
  (await loaded(viewer, import("./editing/redact-tool.tsx")))?.openRedaction(viewer, words);
}

/** Opens the form for a note, or for a new one with null, about a place if one is given. */
export async function openNoteForm(
  viewer: ViewerState,
  note: Note | null,
  start: PageBox | null = null,
): Promise<void> {
  (await loaded(viewer, import("./editing/note-form.tsx")))?.openNoteForm(viewer, note, start);
}

export async function askToDeleteNote(viewer: ViewerState, note: Note): Promise<void> {
  (await loaded(viewer, import("./editing/note-form.tsx")))?.askToDeleteNote(viewer, note);
}

/** The component that edits the sections; null if it cannot be loaded. */
export async function findSectionEditor(
  viewer: ViewerState,
): Promise<ComponentType<{ viewer: ViewerState }> | null> {
  return (await loaded(viewer, import("./editing/section-editor.tsx")))?.SectionEditor ?? null;
}

/** The component that stands where the pages would be, for people who write; null if it cannot be loaded. */
export async function findWithoutPages(
  viewer: ViewerState,
): Promise<ComponentType<{ viewer: ViewerState }> | null> {
  return (await loaded(viewer, import("./editing/file-trouble.tsx")))?.WithoutPages ?? null;
}

/** Waits for a chunk; null if it cannot be loaded, which the reader is told. */
async function loaded<Module>(viewer: ViewerState, chunk: Promise<Module>): Promise<Module | null> {
  try {
    return await chunk;
  } catch {
    viewer.announcement.value = texts.partNotLoaded;
    return null;
  }
}
