import { useRef } from "preact/hooks";
import {
  chevronLeftIcon,
  chevronRightIcon,
  minusIcon,
  pencilIcon,
  plusIcon,
  share2Icon,
  stickyNoteIcon,
  tableIcon,
} from "../contract/icons.ts";
import { Icon } from "./form/icon.tsx";
import type { MenuAction } from "./form/menu.tsx";
import { DocumentMenu, ViewMenu, show } from "./menus.tsx";
import { isMail, isTable } from "./model/api.ts";
import { SearchBox } from "./search-box.tsx";
import type { PanelName, ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";
import { openTool } from "./tools.ts";

/** The controls above the pages. */
export function Toolbar({ viewer, onShare, onKeys }: ToolbarProps) {
  const hasPages = viewer.record.value.page_count > 0;
  if (viewer.isEmbedded) return <SmallToolbar viewer={viewer} onShare={onShare} onKeys={onKeys} />;
  return (
    <div class="toolbar" role="toolbar" aria-label={texts.document}>
      {hasPages && <SearchBox viewer={viewer} />}
      <div class="tool-row">
        {hasPages && <PageChoice viewer={viewer} />}
        {hasPages && <ZoomButtons viewer={viewer} />}
        {hasPages && <ViewMenu viewer={viewer} />}
        {isTable(viewer.record.value) && <TableButton viewer={viewer} />}
        <span class="panel-buttons">
          {isMail(viewer.record.value) && <PanelButton viewer={viewer} name="mail" />}
          <PanelButton viewer={viewer} name="contents" />
          <PanelButton viewer={viewer} name="notes" count={viewer.record.value.notes.length} />
          <PanelButton viewer={viewer} name="about" />
        </span>
        {viewer.mayEdit && (
          <button
            type="button"
            class="button small wide-only"
            onClick={() => void openTool("documentForm", viewer)}
          >
            <Icon of={pencilIcon} />
            {texts.edit}
          </button>
        )}
        <button type="button" class="button small primary" onClick={onShare} aria-haspopup="dialog">
          <Icon of={share2Icon} />
          <span class="word">{texts.share}</span>
        </button>
        <DocumentMenu viewer={viewer} onShare={onShare} onKeys={onKeys} />
      </div>
    </div>
  );
}

/** The toolbar of an embedded document: one row with the most-used controls, and a menu with the rest. */
function SmallToolbar({ viewer, onShare, onKeys }: ToolbarProps) {
  if (viewer.record.value.page_count === 0) return null;
  const panel = (name: PanelName): MenuAction => ({
    label: texts.panels[name],
    run: () => (viewer.panel.value = name),
  });
  const hasNotes = viewer.record.value.notes.length > 0;
  const more = [
    panel("contents"),
    ...(hasNotes ? [panel("notes")] : []),
    ...(isMail(viewer.record.value) ? [panel("mail")] : []),
    { label: texts.share, run: onShare },
    { label: texts.shortcuts, run: onKeys },
  ];
  return (
    <div class="toolbar" role="toolbar" aria-label={texts.document}>
      <PageChoice viewer={viewer} />
      <SearchBox viewer={viewer} />
      <ViewMenu viewer={viewer} label={texts.menu} more={more} />
    </div>
  );
}

interface ToolbarProps {
  viewer: ViewerState;
  onShare: () => void;
  onKeys: () => void;
}

function PanelButton({ viewer, name, count = 0 }: { viewer: ViewerState; name: PanelName; count?: number }) {
  const isOpen = viewer.panel.value === name;
  return (
    <button
      type="button"
      class="button small bare"
      data-panel={name}
      aria-expanded={isOpen}
      aria-controls="viewer-panel"
      onClick={() => (viewer.panel.value = isOpen ? null : name)}
    >
      {name === "notes" && <Icon of={stickyNoteIcon} kind="narrow-icon" />}
      <span class="word">{texts.panels[name]}</span>
      {count > 0 && <span class="badge">{texts.formats.number(count)}</span>}
    </button>
  );
}

/** Switches between the pages and the original table. */
function TableButton({ viewer }: { viewer: ViewerState }) {
  const isOn = viewer.view.value === "table";
  return (
    <button
      type="button"
      class="button small table-button"
      aria-pressed={isOn}
      onClick={() => show(viewer, isOn ? "pages" : "table")}
    >
      <Icon of={tableIcon} kind="narrow-icon" />
      <span class="word">{texts.views.table}</span>
    </button>
  );
}

function PageChoice({ viewer }: { viewer: ViewerState }) {
  const { scrolling } = viewer;
  const input = useRef<HTMLInputElement>(null);
  const page = scrolling.page.value;
  const count = viewer.record.value.page_count;
  // While the reader is typing, the field keeps its text. Before, what is typed replaces the number.
  const isTyping = useRef(false);
  const field = input.current;
  if (field !== null && !isTyping.current && field.value !== String(page)) {
    field.value = String(page);
    if (document.activeElement === field) field.select();
  }
  const go = (): void => {
    isTyping.current = false;
    const wanted = Number(input.current?.value);
    if (Number.isInteger(wanted) && wanted > 0) scrolling.goTo(wanted);
    if (input.current !== null) input.current.value = String(scrolling.page.value);
  };
  // A sandboxed frame may not submit forms, so the keys and buttons do not rely on submission.
  return (
    <form
      class="page-choice"
      onSubmit={(event) => {
        event.preventDefault();
        go();
      }}
    >
      <button
        type="button"
        class="button small"
        aria-label={texts.previousPage}
        aria-disabled={page <= 1 || undefined}
        onClick={() => scrolling.turn(-1)}
      >
        <Icon of={chevronLeftIcon} kind="turns" />
      </button>
      <label>
        <span class="visually-hidden">{texts.pageNumber}</span>
        <input
          id="viewer-page"
          ref={input}
          type="text"
          inputMode="numeric"
          autocomplete="off"
          defaultValue={String(page)}
          size={Math.max(2, String(count).length)}
          onFocus={(event) => event.currentTarget.select()}
          onInput={() => (isTyping.current = true)}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            go();
          }}
          onChange={go}
        />
      </label>
      <span class="page-count">{texts.ofPages(count)}</span>
      <button
        type="button"
        class="button small"
        aria-label={texts.nextPage}
        aria-disabled={page >= count || undefined}
        onClick={() => scrolling.turn(1)}
      >
        <Icon of={chevronRightIcon} kind="turns" />
      </button>
    </form>
  );
}

function ZoomButtons({ viewer }: { viewer: ViewerState }) {
  const { scrolling } = viewer;
  return (
    <div class="button-group zoom-buttons" role="group" aria-label={texts.zoom}>
      <button
        type="button"
        class="button small"
        aria-label={texts.zoomOut}
        onClick={() => scrolling.zoomBy(-1)}
      >
        <Icon of={minusIcon} />
      </button>
      <button
        type="button"
        class="button small zoom-value"
        aria-label={texts.zoomValue(Math.round(scrolling.currentZoom() * 100))}
        onClick={() => scrolling.setZoom("auto")}
      >
        {Math.round(scrolling.currentZoom() * 100)} %
      </button>
      <button
        type="button"
        class="button small"
        aria-label={texts.zoomIn}
        onClick={() => scrolling.zoomBy(1)}
      >
        <Icon of={plusIcon} />
      </button>
    </div>
  );
}
