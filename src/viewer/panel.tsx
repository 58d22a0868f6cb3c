import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { OutlineEntry } from "../contract/document.ts";
import { HitList } from "./hit-list.tsx";
import { MailPanel } from "./mail.tsx";
import { closeWhereNarrow } from "./model/narrow.ts";
import { NoteList } from "./notes.tsx";
import type { ViewerState } from "./state/viewer-state.ts";
import { findSectionEditor } from "./tools.ts";
import { texts } from "./texts/texts.ts";

/** The panel beside the pages: hits, contents, notes, the headers of a message, or the facts about the document. */
export function Panel({ viewer, about }: { viewer: ViewerState; about: HTMLElement | null }) {
  const name = viewer.panel.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element | null>(null);
  useEffect(() => {
    if (name === null) {
      // A tool that was beside the panel keeps the focus.
      const isInTool = Boolean(document.activeElement?.closest(".viewer-tool"));
      if (!isInTool) (opener.current as HTMLElement | null)?.focus();
      opener.current = null;
      return;
    }
    opener.current ??= document.activeElement;
    // During a search, the focus stays in the search box.
    if (name !== "search") heading.current?.focus();
  }, [name]);
  if (name === null) return null;
  return (
    <aside class="viewer-panel" id="viewer-panel" aria-label={texts.panels[name]}>
      <div class="panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {texts.panels[name]}
        </h2>
        <button type="button" class="button small" onClick={() => (viewer.panel.value = null)}>
          {texts.close}
        </button>
      </div>
      {name === "search" && <HitList viewer={viewer} />}
      {name === "contents" && <EditableContents viewer={viewer} />}
      {name === "notes" && <NoteList viewer={viewer} />}
      {name === "mail" && <MailPanel viewer={viewer} />}
      {name === "about" && <Adopted element={about} />}
    </aside>
  );
}

/** Shows a part of the page that the server rendered, so that it is the same with and without scripts. */
function Adopted({ element }: { element: HTMLElement | null }) {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (element !== null) container.current?.append(element);
    return () => element?.remove();
  }, [element]);
  return <div ref={container} />;
}

/** The contents and, for people who may change the document, the editor of its sections. */
function EditableContents({ viewer }: { viewer: ViewerState }) {
  const [Editor, setEditor] = useState<ComponentType<{ viewer: ViewerState }> | null>(null);
  const { edit_access: mayEdit, page_count: pageCount } = viewer.record.value;
  if (!viewer.api.mayWrite || !mayEdit || pageCount === 0) return <Contents viewer={viewer} />;
  const toggle = async (): Promise<void> => {
    const next = Editor === null ? await findSectionEditor(viewer) : null;
    setEditor(() => next);
  };
  return (
    <>
      <p class="buttons panel-actions">
        <button
          type="button"
          class="button small"
          aria-pressed={Editor !== null}
          onClick={() => void toggle()}
        >
          {texts.editSections}
        </button>
      </p>
      {Editor === null ? <Contents viewer={viewer} /> : <Editor viewer={viewer} />}
    </>
  );
}

/** The sections of the document or, if it has none, the outline of its PDF. */
function Contents({ viewer }: { viewer: ViewerState }) {
  const { sections } = viewer.record.value;
  const outline = useOutline(viewer, sections.length === 0);
  if (sections.length === 0) {
    if (outline === null) return <p class="quiet">{texts.loading}</p>;
    if (outline.length === 0) return <p class="quiet">{texts.noSections}</p>;
    return <ContentsList viewer={viewer} label={texts.contentsOfPdf} entries={outline} />;
  }
  const entries = sections
    .toSorted((left, right) => left.page_number - right.page_number)
    .map(({ title, page_number }) => ({ title, page_number, level: 0 }));
  return <ContentsList viewer={viewer} label={texts.sections} entries={entries} />;
}

/** The outline of the PDF; null until it is loaded, and empty if it cannot be: the pages can be read without it. */
function useOutline(viewer: ViewerState, isWanted: boolean): OutlineEntry[] | null {
  const [outline, setOutline] = useState<OutlineEntry[] | null>(null);
  useEffect(() => {
    if (isWanted) viewer.api.outline().then(setOutline, () => setOutline([]));
  }, [isWanted]);
  return outline;
}

function ContentsList({
  viewer,
  label,
  entries,
}: {
  viewer: ViewerState;
  label: string;
  entries: readonly OutlineEntry[];
}) {
  const current = entries.findLast(
    ({ page_number }) => page_number !== null && page_number + 1 <= viewer.scrolling.page.value,
  );
  return (
    <nav aria-label={label}>
      <ol class="section-list">
        {entries.map((entry, index) => (
          <li key={index} style={{ paddingInlineStart: `${Math.min(entry.level, 6)}rem` }}>
            {entry.page_number === null ? (
              <span dir="auto">{entry.title}</span>
            ) : entry.page_number >= viewer.record.value.page_count ? (
              <>
                <span dir="auto">{entry.title}</span>
                <span class="quiet"> {texts.pageNotThere(entry.page_number + 1)}</span>
              </>
            ) : (
              <PageLink
                viewer={viewer}
                page={entry.page_number + 1}
                isCurrent={entry === current}
                label={
                  <>
                    <span dir="auto">{entry.title}</span>
                    <span class="quiet">{texts.sectionPage(entry.page_number + 1)}</span>
                  </>
                }
              />
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function PageLink({
  viewer,
  page,
  label,
  isCurrent = false,
}: {
  viewer: ViewerState;
  page: number;
  label: preact.ComponentChildren;
  isCurrent?: boolean;
}) {
  return (
    <a
      href={`#document/p${page}`}
      aria-current={isCurrent ? "true" : undefined}
      onClick={(event) => {
        event.preventDefault();
        viewer.scrolling.goTo(page);
        closeWhereNarrow(viewer);
      }}
    >
      {label}
    </a>
  );
}
