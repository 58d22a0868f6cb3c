import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Section } from "../../contract/document.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { RefusedError } from "../model/send.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";
import { SectionForm, replaceSection } from "./section-form.tsx";

/** Adds, renames, moves and deletes the sections of the document, in the panel that lists them. */
export function SectionEditor({ viewer }: { viewer: ViewerState }) {
  const sections = viewer.record.value.sections.toSorted(
    (left, right) => left.page_number - right.page_number,
  );
  return (
    <div class="section-editor">
      <ol class="section-list">
        {sections.map((section) => (
          <SectionRow key={section.id} viewer={viewer} section={section} />
        ))}
      </ol>
      <h3>{texts.section.add}</h3>
      <SectionForm viewer={viewer} section={null} />
    </div>
  );
}

function SectionRow({ viewer, section }: { viewer: ViewerState; section: Section }) {
  const state = useSignal<"shown" | "changed" | "deleted">("shown");
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
  if (state.value === "changed")
    return (
      <li>
        <SectionForm viewer={viewer} section={section} onDone={show} />
      </li>
    );
  const page = section.page_number + 1;
  return (
    <li>
      <span dir="auto">{section.title}</span>
      <span class="quiet">
        {page <= viewer.record.value.page_count
          ? viewerTexts.sectionPage(page)
          : ` ${viewerTexts.pageNotThere(page)}`}
      </span>
      {state.value === "deleted" ? (
        <Deletion viewer={viewer} section={section} onKeep={show} />
      ) : (
        <p class="buttons">
          <button
            ref={change}
            type="button"
            class="button small"
            aria-label={texts.section.changeOf(section.title)}
            onClick={() => (state.value = "changed")}
          >
            {viewerTexts.change}
          </button>
          <button
            type="button"
            class="button small"
            aria-label={texts.section.deleteOf(section.title)}
            onClick={() => (state.value = "deleted")}
          >
            {viewerTexts.delete}
          </button>
        </p>
      )}
    </li>
  );
}

/** Asks whether to delete a section. */
function Deletion({
  viewer,
  section: { id },
  onKeep,
}: {
  viewer: ViewerState;
  section: Section;
  onKeep: () => void;
}) {
  const problem = useSignal("");
  const confirm = useRef<HTMLButtonElement>(null);
  useEffect(() => confirm.current?.focus(), []);
  const remove = async (): Promise<void> => {
    try {
      await viewer.api.send("DELETE", `${viewer.api.path}sections/${id}/`);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      // Someone else may have deleted it first.
      if (error.status !== 404) {
        problem.value = error.message;
        return;
      }
    }
    document.querySelector<HTMLElement>("#viewer-panel h2")?.focus();
    replaceSection(viewer, id, null);
    viewer.announcement.value = texts.section.deleted;
  };
  return (
    <>
      {problem.value !== "" && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <p class="buttons">
        <button ref={confirm} type="button" class="button small primary" onClick={() => void remove()}>
          {texts.section.delete}
        </button>
        <button type="button" class="button small" onClick={onKeep}>
          {texts.keep}
        </button>
      </p>
    </>
  );
}
