import { batch, useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Note, NoteAccess } from "../../contract/note.ts";
import type { Draft } from "../form/draft.ts";
import { RadioField, TextField } from "../form/field.tsx";
import { Form } from "../form/form.tsx";
import { recordAt } from "../form/merge.ts";
import type { BoxDrawing } from "../model/box-drawing.ts";
import type { PageBox } from "../model/boxes.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { RefusedError } from "../model/send.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";
import { addBoxInView, useBoxDrawing } from "./box-layer.tsx";
import { type NoteValues, boxOf, noteDraft, noteLocation, locationOf, valuesOf } from "./note-draft.ts";
import { Tool } from "./tool.tsx";

/** Opens the form for a new note, which is about `start` if that is given, or for changing one. */
export function openNoteForm(viewer: ViewerState, note: Note | null, start: PageBox | null = null): void {
  viewer.openTool(() => <NoteForm viewer={viewer} note={note} start={start} />);
}

/** Asks whether to delete a note. */
export function askToDeleteNote(viewer: ViewerState, note: Note): void {
  viewer.openTool(() => <NoteDeletion viewer={viewer} note={note} />);
}

function NoteForm({
  viewer,
  note,
  start,
}: {
  viewer: ViewerState;
  note: Note | null;
  start: PageBox | null;
}) {
  const [draft] = useState(() => noteDraft(note, viewer.scrolling.page.peek() - 1));
  const drawing = useNoteBox(viewer, draft, { note, start });
  const { api } = viewer;
  const folder = `${api.path}notes/`;
  const onSaved = (saved: Note): void => {
    viewer.putNote(saved);
    viewer.closeTool();
    viewer.showNote(saved);
    viewer.announcement.value = texts.note.saved;
  };
  const save = (): Promise<boolean> =>
    note === null
      ? draft.submit(async (values) => onSaved((await api.send("POST", folder, values)) as Note))
      : draft.save(
          recordAt<NoteValues, Note>(api, `${folder}${note.id}/`, { valuesOf, together: noteLocation }),
          onSaved,
        );
  const { edit_access: mayEdit } = viewer.record.value;
  const levels = (Object.keys(texts.note.levels) as NoteAccess[]).filter(
    (level) => mayEdit || level === "private" || level === note?.access,
  );
  return (
    <Tool title={note === null ? texts.note.add : texts.note.change}>
      <Form draft={draft} send={save} submit={texts.note.save} onCancel={() => viewer.closeTool()}>
        <BoxButtons viewer={viewer} drawing={drawing} page={draft.values.value.page_number + 1} />
        <PageField viewer={viewer} drawing={drawing} draft={draft} />
        <TextField field={draft.field("title")} label={viewerTexts.title} isRequired />
        <TextField field={draft.field("content")} label={texts.note.text} rows={5} />
        <RadioField
          field={draft.field("access")}
          label={texts.note.whoSees}
          choices={levels.map((level) => {
            const { name, meaning } = texts.note.levels[level];
            return [
              level,
              <>
                <strong>{name}.</strong> {meaning}
              </>,
            ];
          })}
          {...(!mayEdit && { help: texts.note.onlyEditors })}
        />
      </Form>
    </Tool>
  );
}

/** The box of a note on the pages, which follows the draft, and which the draft follows. */
function useNoteBox(
  viewer: ViewerState,
  draft: Draft<NoteValues>,
  { note, start }: { note: Note | null; start: PageBox | null },
): BoxDrawing {
  const drawing = useBoxDrawing(viewer, { name: texts.note.boxName, isSingle: true });
  const base = draft.base.value.values;
  useEffect(() => {
    viewer.changedNote.value = note?.id ?? null;
    if (start === null) drawing.isOn.value = note === null;
    else drawing.add(start.page, start.box);
    if (note !== null) viewer.scrolling.goTo(note.page_number + 1, note.y1);
    return () => {
      viewer.changedNote.value = null;
    };
  }, []);
  // The box on the page is that of the draft, which others may have moved.
  useEffect(() => {
    const { page_number: page } = draft.values.peek();
    const box = boxOf(draft.values.peek());
    const isOn = drawing.isOn.peek();
    batch(() => {
      drawing.clear();
      if (box !== null) drawing.add(page + 1, box);
      drawing.isOn.value = isOn;
    });
    return drawing.boxes.subscribe(([drawn]) => draft.set(locationOf(drawn, draft.values.peek())));
  }, [base]);
  return drawing;
}

/** What the note is about, and buttons that change it. */
function BoxButtons({ viewer, drawing, page }: { viewer: ViewerState; drawing: BoxDrawing; page: number }) {
  const isDrawn = drawing.boxes.value.length > 0;
  const isOn = drawing.isOn.value;
  return (
    <>
      <p class="quiet">
        {isDrawn ? texts.note.dragBox : isOn ? texts.note.drag(page) : texts.note.wholePage(page)}
      </p>
      <p class="buttons">
        <button
          type="button"
          class="button small"
          aria-pressed={isOn}
          onClick={() => (drawing.isOn.value = !isOn)}
        >
          {isDrawn ? texts.note.drawAnother : texts.note.draw}
        </button>
        {isDrawn ? (
          <button type="button" class="button small" onClick={() => drawing.clear()}>
            {texts.note.removeBox}
          </button>
        ) : (
          <button type="button" class="button small" onClick={() => addBoxInView(viewer, drawing)}>
            {texts.note.drawByKeyboard}
          </button>
        )}
      </p>
    </>
  );
}

/** The page of the note, which takes its box along. */
function PageField({
  viewer,
  drawing,
  draft,
}: {
  viewer: ViewerState;
  drawing: BoxDrawing;
  draft: Draft<NoteValues>;
}) {
  const { value, fault = "" } = draft.field("page_number");
  const { page_count: max } = viewer.record.value;
  return (
    <TextField
      field={{ value: String(value + 1), fault, set: () => undefined }}
      label={texts.note.page}
      type="number"
      min={1}
      max={max}
      onCommit={(input) => {
        const page = Math.max(1, Math.min(max, Math.trunc(Number(input.value)) || 1));
        input.value = String(page);
        const [drawn] = drawing.boxes.peek();
        if (drawn === undefined) draft.set({ page_number: page - 1 });
        else drawing.change(drawn.id, { page });
        viewer.scrolling.goTo(page, drawn?.box.y1 ?? null);
      }}
    />
  );
}

function NoteDeletion({ viewer, note }: { viewer: ViewerState; note: Note }) {
  const problem = useSignal("");
  const remove = async (): Promise<void> => {
    problem.value = "";
    try {
      await viewer.api.send("DELETE", `${viewer.api.path}notes/${note.id}/`);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      // Someone else may have deleted it first.
      if (error.status !== 404) {
        problem.value = error.message;
        return;
      }
    }
    viewer.dropNote(note);
    viewer.closeTool();
    viewer.announcement.value = texts.note.deleted;
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
        <button type="button" class="button" onClick={() => viewer.closeTool()}>
          {texts.keep}
        </button>
      </p>
    </Tool>
  );
}
