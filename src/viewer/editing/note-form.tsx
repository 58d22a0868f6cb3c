import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { noteLimits } from "../../contract/limits.ts";
import { addBoxInView, useBoxDrawing } from "./box-layer.tsx";
import type { Note, NoteAccess } from "../../contract/note.ts";
import type { Box } from "../model/boxes.ts";
import type { Reading } from "../model/reading.ts";
import { type NoteDraft, conflictsInWords, mergeNote, noteChanges } from "./note-draft.ts";
import { RefusedError, exchange, sendJson } from "../model/send.ts";
import { Tool, useLeavingWarning } from "./tool.tsx";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** The levels of access of a note, as the API names them, and what each means. */
const levels = Object.entries(texts.note.levels).map(([access, { name, meaning }]) => ({
  access: access as NoteAccess,
  name,
  meaning,
}));

/** Opens the form for a new note, or for changing one. */
export function openNoteForm(reading: Reading, note: Note | null): void {
  reading.openTool(() => <NoteForm reading={reading} note={note} />);
}

/** Asks whether to delete a note. */
export function askToDeleteNote(reading: Reading, note: Note): void {
  reading.openTool(() => <NoteDeletion reading={reading} note={note} />);
}

function NoteForm({ reading, note }: { reading: Reading; note: Note | null }) {
  const id = useId();
  const drawing = useBoxDrawing(reading, { name: texts.note.boxName, isSingle: true });
  const title = useSignal(note?.title ?? "");
  const content = useSignal(note?.content ?? "");
  const access = useSignal(note?.access ?? "private");
  const page = useSignal(note === null ? reading.page.peek() : note.page_number + 1);
  const problem = useSignal("");
  const isSaving = useSignal(false);
  const isAsking = useSignal(false);
  const titleField = useRef<HTMLInputElement>(null);
  /** The note that the draft started from. */
  const base = useRef(note);
  const [drawn] = drawing.boxes.value;

  useEffect(() => {
    reading.changedNote.value = note?.id ?? null;
    const box = note === null ? null : boxOf(note);
    if (note === null) drawing.isOn.value = true;
    else if (box !== null) drawing.add(note.page_number + 1, box);
    if (note !== null) reading.goTo(note.page_number + 1, box === null ? null : box.y1);
    return () => {
      reading.changedNote.value = null;
    };
  }, []);
  // A box that is drawn on another page takes the note there.
  useEffect(() => {
    if (drawn !== undefined) page.value = drawn.page;
  }, [drawn]);

  const draft: NoteDraft = {
    title: title.value,
    content: content.value,
    access: access.value,
    page_number: page.value - 1,
    ...(drawn?.box ?? { x1: null, x2: null, y1: null, y2: null }),
  };
  const changes = base.current === null ? draft : noteChanges(base.current, draft);
  const isUnsaved =
    note === null
      ? title.value !== "" || content.value !== "" || drawn !== undefined
      : Object.keys(changes).length > 0;
  useLeavingWarning(isUnsaved);

  /** Saves the changes to the note, unless somebody else has changed the same parts of it: then returns null. */
  const saveChanges = async (address: string, shown: Note): Promise<Note | null> => {
    for (;;) {
      const { body, etag } = await exchange("GET", address, reading.csrfToken ?? "");
      const current = body as Note;
      const { draft: merged, conflicts } = mergeNote(shown, draft, current);
      if (conflicts.length > 0) {
        base.current = current;
        take(merged);
        problem.value = conflictsInWords(conflicts, current);
        return null;
      }
      try {
        const options = { value: noteChanges(current, merged), ifMatch: etag };
        return (await exchange("PATCH", address, reading.csrfToken ?? "", options)).body as Note;
      } catch (error) {
        // Somebody has changed it since the line above.
        if (!(error instanceof RefusedError && error.status === 412)) throw error;
      }
    }
  };
  const take = (merged: NoteDraft): void => {
    title.value = merged.title;
    content.value = merged.content;
    access.value = merged.access;
    const box = boxOf(merged);
    drawing.clear();
    page.value = merged.page_number + 1;
    if (box !== null) drawing.add(merged.page_number + 1, box);
  };
  const save = async (): Promise<void> => {
    if (isSaving.value) return;
    if (title.value.trim() === "") {
      problem.value = texts.note.needsTitle;
      titleField.current?.focus();
      return;
    }
    isSaving.value = true;
    problem.value = "";
    try {
      const address = `${reading.api.address}notes/`;
      const saved =
        base.current === null
          ? ((await sendJson("POST", address, reading.csrfToken ?? "", changes)) as Note)
          : await saveChanges(`${address}${base.current.id}/`, base.current);
      if (saved === null) {
        isSaving.value = false;
        return;
      }
      reading.putNote(saved);
      reading.closeTool();
      reading.showNote(saved);
      reading.announcement.value = texts.note.saved;
    } catch (error) {
      isSaving.value = false;
      problem.value = messageOf(error);
    }
  };
  const cancel = (): void => {
    if (isUnsaved && !isAsking.value) isAsking.value = true;
    else reading.closeTool();
  };
  const { page_count: pageCount, edit_access: mayEdit } = reading.record.value;
  const offered = levels.filter(
    (level) => mayEdit || level.access === "private" || level.access === note?.access,
  );

  return (
    <Tool title={note === null ? texts.note.add : texts.note.change}>
      <form
        class="note-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p class="quiet">
          {drawn === undefined
            ? drawing.isOn.value
              ? texts.note.drag(page.value)
              : texts.note.wholePage(page.value)
            : texts.note.dragBox}
        </p>
        <p class="buttons">
          <button
            type="button"
            class="button small"
            aria-pressed={drawing.isOn.value}
            onClick={() => (drawing.isOn.value = !drawing.isOn.value)}
          >
            {drawn === undefined ? texts.note.draw : texts.note.drawAnother}
          </button>
          {drawn === undefined ? (
            <button type="button" class="button small" onClick={() => addBoxInView(reading, drawing)}>
              {texts.note.placeByKeyboard}
            </button>
          ) : (
            <button type="button" class="button small" onClick={() => drawing.clear()}>
              {texts.note.removeBox}
            </button>
          )}
        </p>
        <p class="field">
          <label for={`${id}-page`}>{texts.note.page}</label>
          <input
            id={`${id}-page`}
            type="number"
            min={1}
            max={pageCount}
            value={page.value}
            onChange={({ currentTarget }) => {
              const wanted = Math.max(1, Math.min(pageCount, Math.trunc(Number(currentTarget.value)) || 1));
              currentTarget.value = String(wanted);
              page.value = wanted;
              if (drawn !== undefined) drawing.change(drawn.id, { page: wanted });
              reading.goTo(wanted, drawn?.box.y1 ?? null);
            }}
          />
        </p>
        <p class="field">
          <label for={`${id}-title`}>{texts.title}</label>
          <input
            id={`${id}-title`}
            ref={titleField}
            maxLength={noteLimits.title}
            required
            dir="auto"
            autocomplete="off"
            value={title.value}
            onInput={({ currentTarget }) => (title.value = currentTarget.value)}
          />
        </p>
        <p class="field">
          <label for={`${id}-content`}>{texts.note.text}</label>
          <textarea
            id={`${id}-content`}
            rows={5}
            maxLength={noteLimits.content}
            dir="auto"
            value={content.value}
            onInput={({ currentTarget }) => (content.value = currentTarget.value)}
          />
        </p>
        <fieldset class="choices">
          <legend>{texts.note.whoSees}</legend>
          {offered.map((level) => (
            <label key={level.access} class="check">
              <input
                type="radio"
                name={`${id}-access`}
                checked={access.value === level.access}
                onChange={() => (access.value = level.access)}
              />
              <span>
                <strong>{level.name}.</strong> {level.meaning}
              </span>
            </label>
          ))}
          {!mayEdit && <p class="quiet">{texts.note.onlyEditors}</p>}
        </fieldset>
        {problem.value !== "" && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        {isAsking.value && <p role="alert">{texts.note.unsaved}</p>}
        <p class="buttons">
          <button class="button primary" aria-disabled={isSaving.value || undefined}>
            {isSaving.value ? texts.saving : texts.note.save}
          </button>
          <button type="button" class="button" onClick={cancel}>
            {isAsking.value ? texts.discard : texts.cancel}
          </button>
        </p>
      </form>
    </Tool>
  );
}

function NoteDeletion({ reading, note }: { reading: Reading; note: Note }) {
  const problem = useSignal("");
  const remove = async (): Promise<void> => {
    problem.value = "";
    try {
      await sendJson("DELETE", `${reading.api.address}notes/${note.id}/`, reading.csrfToken ?? "");
    } catch (error) {
      // Someone else may have deleted it first.
      if (!(error instanceof RefusedError && error.status === 404)) {
        problem.value = error instanceof RefusedError ? error.message : viewerTexts.noAnswer;
        return;
      }
    }
    reading.dropNote(note);
    reading.closeTool();
    reading.announcement.value = texts.note.deleted;
  };
  return (
    <Tool title={texts.note.delete}>
      <p>
        <strong dir="auto">{note.title}</strong>
        {texts.note.deletionMeans(note.page_number + 1)}
      </p>
      {problem.value !== "" && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <p class="buttons">
        <button type="button" class="button primary" onClick={() => void remove()}>
          {texts.note.delete}
        </button>
        <button type="button" class="button" onClick={() => reading.closeTool()}>
          {texts.keep}
        </button>
      </p>
    </Tool>
  );
}

function boxOf({ x1, x2, y1, y2 }: NoteDraft): Box | null {
  return x1 === null || x2 === null || y1 === null || y2 === null ? null : { x1, x2, y1, y2 };
}

function messageOf(error: unknown): string {
  if (!(error instanceof RefusedError)) return viewerTexts.noAnswer;
  if (error.status === 404) return texts.note.gone;
  return texts.note.notSaved(error.message);
}
