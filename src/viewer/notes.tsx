import type { Note } from "../contract/note.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { askToDeleteNote, openNoteForm } from "./tools.ts";
import { texts } from "./texts/texts.ts";

/** The text of a note, below its place on the page. `top` is in fractions of the page. */
export function NoteCard({ viewer, note, top }: { viewer: ViewerState; note: Note; top: number }) {
  const isLow = top > 0.7;
  const position = isLow ? { bottom: `${(1 - (note.y1 ?? top)) * 100}%` } : { top: `${top * 100}%` };
  return (
    <div
      class="note-card"
      role="group"
      aria-label={note.title === "" ? texts.note : note.title}
      style={position}
    >
      <NoteText note={note} />
      <p class="buttons">
        <button type="button" class="button small" onClick={() => (viewer.openNote.value = null)}>
          {texts.closeNote}
        </button>
        <NoteActions viewer={viewer} note={note} />
      </p>
    </div>
  );
}

/** What people who may change the note can do with it. */
function NoteActions({ viewer, note }: { viewer: ViewerState; note: Note }) {
  if (!viewer.api.mayWrite || !note.edit_access) return null;
  return (
    <>
      <button type="button" class="button small" onClick={() => void openNoteForm(viewer, note)}>
        {texts.change}
      </button>
      <button type="button" class="button small" onClick={() => void askToDeleteNote(viewer, note)}>
        {texts.delete}
      </button>
    </>
  );
}

/** The open note, beside or above the pages of an embedded document, where a note card would cover its own place. */
export function NoteStrip({ viewer }: { viewer: ViewerState }) {
  const note = viewer.noteById.value.get(viewer.openNote.value ?? -1);
  if (note === undefined) return null;
  return (
    <section class="note-strip" aria-label={note.title === "" ? texts.note : note.title} tabIndex={0}>
      <button
        type="button"
        class="button small"
        aria-label={texts.closeNote}
        onClick={() => (viewer.openNote.value = null)}
      >
        ✕
      </button>
      <NoteText note={note} />
    </section>
  );
}

function NoteText({ note }: { note: Note }) {
  return (
    <>
      <h2 dir="auto">{note.title === "" ? texts.untitled : note.title}</h2>
      {note.access !== "public" && (
        <p class="note-access">{note.access === "private" ? texts.privateNote : texts.sharedNote}</p>
      )}
      {/* The server has sanitised it. */}
      <div
        // The lines of a note without markup stay as they were typed.
        class={note.content_html.includes("<") ? "note-content" : "note-content plain"}
        dir="auto"
        dangerouslySetInnerHTML={{ __html: note.content_html }}
      />
    </>
  );
}

/** All notes of the document. */
export function NoteList({ viewer }: { viewer: ViewerState }) {
  const notes = viewer.record.value.notes.toSorted(
    (left, right) => left.page_number - right.page_number || (left.y1 ?? 0) - (right.y1 ?? 0),
  );
  return (
    <>
      {viewer.api.mayWrite && viewer.record.value.page_count > 0 && (
        <p class="buttons panel-actions">
          <button type="button" class="button small" onClick={() => void openNoteForm(viewer, null)}>
            {texts.addNote}
          </button>
        </p>
      )}
      {notes.length === 0 && <p class="quiet">{texts.noNotes}</p>}
      <ol class="note-list">
        {notes.map((note) => (
          <li key={note.id}>
            {note.page_number < viewer.record.value.page_count ? (
              <a
                href={`#document/p${note.page_number + 1}/a${note.id}`}
                aria-current={viewer.openNote.value === note.id ? "true" : undefined}
                onClick={(event) => {
                  event.preventDefault();
                  viewer.showNote(note);
                }}
              >
                {texts.page(note.page_number + 1)}
              </a>
            ) : (
              <span class="quiet">{texts.pageNotThere(note.page_number + 1)}</span>
            )}
            <NoteText note={note} />
            <p class="buttons">
              <NoteActions viewer={viewer} note={note} />
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
