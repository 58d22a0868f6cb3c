import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { sectionLimits } from "../../contract/limits.ts";
import type { Section } from "../../contract/section.ts";
import type { Reading } from "../model/reading.ts";
import { RefusedError, sendJson } from "../model/send.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** Adds, renames, moves and deletes the sections of the document, in the panel that lists them. */
export function SectionEditor({ reading }: { reading: Reading }) {
  const sections = reading.record.value.sections.toSorted(
    (left, right) => left.page_number - right.page_number,
  );
  return (
    <div class="section-editor">
      <ol class="section-list">
        {sections.map((section) => (
          <SectionRow key={section.id} reading={reading} section={section} />
        ))}
      </ol>
      <h3>{texts.section.add}</h3>
      <SectionForm reading={reading} section={null} onDone={null} />
    </div>
  );
}

function SectionRow({ reading, section }: { reading: Reading; section: Section }) {
  const state = useSignal<"shown" | "changed" | "deleted">("shown");
  const problem = useSignal("");
  const change = useRef<HTMLButtonElement>(null);
  const show = (): void => {
    state.value = "shown";
  };
  // The buttons come back with the focus where it was.
  const wasShown = useRef(true);
  useEffect(() => {
    const isShown = state.value === "shown";
    if (isShown && !wasShown.current) change.current?.focus();
    wasShown.current = isShown;
  }, [state.value]);
  const remove = async (): Promise<void> => {
    try {
      await sendJson("DELETE", `${addressOf(reading)}${section.id}/`, reading.csrfToken ?? "");
    } catch (error) {
      // Someone else may have deleted it first.
      if (!(error instanceof RefusedError && error.status === 404)) {
        problem.value = messageOf(error);
        return;
      }
    }
    document.querySelector<HTMLElement>("#viewer-panel h2")?.focus();
    replaceSection(reading, section.id, null);
    reading.announcement.value = texts.section.deleted;
  };
  if (state.value === "changed")
    return (
      <li>
        <SectionForm reading={reading} section={section} onDone={show} />
      </li>
    );
  return (
    <li>
      <span dir="auto">{section.title}</span>
      <span class="quiet">
        {section.page_number < reading.record.value.page_count
          ? viewerTexts.sectionPage(section.page_number + 1)
          : ` ${viewerTexts.pageNotThere(section.page_number + 1)}`}
      </span>
      {problem.value !== "" && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {state.value === "shown" ? (
        <p class="buttons">
          <button
            ref={change}
            type="button"
            class="button small"
            aria-label={texts.section.changeOf(section.title)}
            onClick={() => (state.value = "changed")}
          >
            {texts.section.change}
          </button>
          <button
            type="button"
            class="button small"
            aria-label={texts.section.deleteOf(section.title)}
            onClick={() => (state.value = "deleted")}
          >
            {texts.section.deleteShort}
          </button>
        </p>
      ) : (
        <p class="buttons">
          <Focused label={texts.section.delete} onClick={() => void remove()} />
          <button type="button" class="button small" onClick={show}>
            {texts.keep}
          </button>
        </p>
      )}
    </li>
  );
}

/** A button that takes the focus when it appears. */
function Focused({ label, onClick }: { label: string; onClick: () => void }) {
  const element = useRef<HTMLButtonElement>(null);
  useEffect(() => element.current?.focus(), []);
  return (
    <button ref={element} type="button" class="button small primary" onClick={onClick}>
      {label}
    </button>
  );
}

/** The form of a section; `section` is null for a new one. `onDone` leaves the form of an existing one. */
function SectionForm({
  reading,
  section,
  onDone,
}: {
  reading: Reading;
  section: Section | null;
  onDone: (() => void) | null;
}) {
  const id = useId();
  const title = useSignal(section?.title ?? "");
  const page = useSignal(String((section?.page_number ?? reading.page.peek() - 1) + 1));
  const problem = useSignal("");
  const titleField = useRef<HTMLInputElement>(null);
  const { page_count: pageCount, sections } = reading.record.value;
  useEffect(() => {
    if (section !== null) titleField.current?.focus();
  }, []);

  const problemBefore = (): string => {
    const number = Number(page.value);
    if (title.value.trim() === "") return texts.section.needsTitle;
    if (!Number.isInteger(number) || number < 1 || number > pageCount)
      return texts.section.choosePage(pageCount);
    const other = sections.find((one) => one.page_number === number - 1 && one.id !== section?.id);
    return other === undefined ? "" : texts.section.taken(other.title, number);
  };
  const save = async (): Promise<void> => {
    problem.value = problemBefore();
    if (problem.value !== "") return;
    const body = { title: title.value, page_number: Number(page.value) - 1 };
    try {
      const saved = (await (section === null
        ? sendJson("POST", addressOf(reading), reading.csrfToken ?? "", body)
        : sendJson(
            "PATCH",
            `${addressOf(reading)}${section.id}/`,
            reading.csrfToken ?? "",
            body,
          ))) as Section;
      replaceSection(reading, saved.id, saved);
      reading.announcement.value = texts.section.saved;
    } catch (error) {
      problem.value = messageOf(error);
      return;
    }
    onDone?.();
    if (section !== null) return;
    title.value = "";
    titleField.current?.focus();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <p class="field">
        <label for={`${id}-title`}>{texts.title}</label>
        <input
          id={`${id}-title`}
          ref={titleField}
          maxLength={sectionLimits.title}
          required
          dir="auto"
          autocomplete="off"
          value={title.value}
          onInput={({ currentTarget }) => (title.value = currentTarget.value)}
        />
      </p>
      <p class="field">
        <label for={`${id}-page`}>{texts.section.beginsOnPage}</label>
        <input
          id={`${id}-page`}
          type="number"
          min={1}
          max={pageCount}
          value={page.value}
          onInput={({ currentTarget }) => (page.value = currentTarget.value)}
        />
      </p>
      {problem.value !== "" && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <p class="buttons">
        <button class="button small primary">
          {section === null ? texts.section.addNow : texts.section.save}
        </button>
        {onDone !== null && (
          <button type="button" class="button small" onClick={onDone}>
            {texts.cancel}
          </button>
        )}
      </p>
    </form>
  );
}

const addressOf = (reading: Reading): string => `${reading.api.address}sections/`;

/** Replaces a section of the record, adds it, or removes it (null). */
function replaceSection(reading: Reading, id: number, section: Section | null): void {
  const record = reading.record.value;
  const others = record.sections.filter((one) => one.id !== id);
  reading.record.value = { ...record, sections: section === null ? others : [...others, section] };
}

function messageOf(error: unknown): string {
  if (!(error instanceof RefusedError)) return viewerTexts.noAnswer;
  if (error.status === 404) return texts.section.gone;
  return error.message;
}
