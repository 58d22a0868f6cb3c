import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { sectionLimits } from "../../contract/limits.ts";
import type { Section } from "../../contract/document.ts";
import { Draft } from "../form/draft.ts";
import { TextField } from "../form/field.tsx";
import { Form } from "../form/form.tsx";
import { type FieldName, changedIn, recordAt } from "../form/merge.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** A section as people type it. The names are those of the API, whose messages appear at the fields. */
interface SectionValues {
  title: string;
  /** Counting from 1. */
  page_number: string;
}

/** The form of a section; `section` is null for a new one. `onDone` leaves the form of an existing one. */
export function SectionForm({
  viewer,
  section,
  onDone,
}: {
  viewer: ViewerState;
  section: Section | null;
  onDone?: () => void;
}) {
  const [draft] = useState(() => draftOf(viewer, section));
  const added = useSignal(0);
  const { api } = viewer;
  const folder = `${api.path}sections/`;
  const onSaved = (saved: Section): void => {
    replaceSection(viewer, saved.id, saved);
    viewer.announcement.value = texts.section.saved;
  };
  const add = async (): Promise<void> => {
    const isAdded = await draft.submit(async (values) =>
      onSaved((await api.send("POST", folder, membersOf(values))) as Section),
    );
    if (!isAdded) return;
    draft.reset({ ...draft.values.peek(), title: "" });
    added.value += 1;
  };
  const change = async ({ id }: Section): Promise<void> => {
    if (await draft.save(recordAt(api, `${folder}${id}/`, { valuesOf, changesOf }), onSaved)) onDone?.();
  };
  return (
    <Form
      draft={draft}
      send={() => void (section === null ? add() : change(section))}
      submit={section === null ? texts.section.addNow : texts.section.save}
      onCancel={onDone}
      isSmall
    >
      <TextField
        key={added.value}
        field={draft.field("title")}
        label={viewerTexts.title}
        isRequired
        takesFocus={section !== null || added.value > 0}
      />
      <TextField
        field={draft.field("page_number")}
        label={texts.section.beginsOnPage}
        type="number"
        min={1}
        max={viewer.record.value.page_count}
      />
    </Form>
  );
}

function draftOf(viewer: ViewerState, section: Section | null): Draft<SectionValues> {
  const values =
    section === null ? { title: "", page_number: String(viewer.scrolling.page.peek()) } : valuesOf(section);
  return new Draft(values, {
    limits: sectionLimits,
    gone: texts.section.gone,
    check: (typed) => faultsOf(viewer, section, typed),
  });
}

function* faultsOf(
  viewer: ViewerState,
  section: Section | null,
  { title, page_number: page }: SectionValues,
): Iterable<[FieldName<SectionValues>, string]> {
  const { page_count: count, sections } = viewer.record.peek();
  const number = Number(page);
  const other = sections.find((one) => one.page_number === number - 1 && one.id !== section?.id);
  if (title.trim() === "") yield ["title", texts.section.needsTitle];
  if (!Number.isInteger(number) || number < 1 || number > count)
    yield ["page_number", texts.section.choosePage(count)];
  else if (other !== undefined) yield ["page_number", texts.section.taken(other.title, number)];
}

const valuesOf = ({ title, page_number: page }: Section): SectionValues => ({
  title,
  page_number: String(page + 1),
});

/** The values as the API takes them. */
const membersOf = ({ page_number: page, ...others }: Partial<SectionValues>): Partial<Section> => ({
  ...others,
  ...(page !== undefined && { page_number: Number(page) - 1 }),
});

const changesOf = (from: SectionValues, to: SectionValues): Partial<Section> =>
  membersOf(changedIn(from, to));

/** Replaces a section of the record, adds it, or removes it (null). */
export function replaceSection(viewer: ViewerState, id: number, section: Section | null): void {
  const record = viewer.record.value;
  const others = record.sections.filter((one) => one.id !== id);
  viewer.record.value = { ...record, sections: section === null ? others : [...others, section] };
}
