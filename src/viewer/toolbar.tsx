import { useSignal, useSignalEffect } from "@preact/signals";
import { Fragment } from "preact";
import { useRef } from "preact/hooks";
import { maxQueryLength } from "../contract/limits.ts";
import { hasRoomForPanel } from "./model/narrow.ts";
import { isMail, isTable } from "./model/api.ts";
import type { PanelName, ViewerState, ViewName } from "./state/viewer-state.ts";
import { openArrangement, openRedaction } from "./tools.ts";
import { texts } from "./texts/texts.ts";

/** The controls above the pages. */
export function Toolbar({ reading, onShare, onKeys }: ToolbarProps) {
  const hasPages = reading.record.value.page_count > 0;
  if (reading.isEmbedded) return <SmallToolbar reading={reading} onShare={onShare} onKeys={onKeys} />;
  return (
    <div class="toolbar" role="toolbar" aria-label={texts.document}>
      {hasPages && <SearchBox reading={reading} />}
      <div class="tool-row">
        {hasPages && <PageChoice reading={reading} />}
        {hasPages && <ZoomButtons reading={reading} />}
        {hasPages && <ViewMenu reading={reading} />}
        {hasPages && <EditMenu reading={reading} />}
        {isTable(reading.record.value) && <TableButton reading={reading} />}
        {isMail(reading.record.value) && <PanelButton reading={reading} name="mail" />}
        <PanelButton reading={reading} name="contents" />
        <PanelButton reading={reading} name="notes" count={reading.record.value.notes.length} />
        <PanelButton reading={reading} name="about" />
        <button type="button" class="button small" onClick={onShare} aria-haspopup="dialog">
          {texts.share}
        </button>
        <button
          type="button"
          class="button small keys-button"
          onClick={onKeys}
          aria-haspopup="dialog"
          aria-label={texts.shortcuts}
        >
          ?
        </button>
      </div>
    </div>
  );
}

/** The toolbar of an embedded document: one row with the most-used controls, and a menu with the rest. */
function SmallToolbar({ reading, onShare, onKeys }: ToolbarProps) {
  if (reading.record.value.page_count === 0) return null;
  const panel = (name: PanelName): MenuAction => ({
    label: texts.panels[name],
    run: () => (reading.panel.value = name),
  });
  const hasNotes = reading.record.value.notes.length > 0;
  const more = [
    panel("contents"),
    ...(hasNotes ? [panel("notes")] : []),
    ...(isMail(reading.record.value) ? [panel("mail")] : []),
    { label: texts.share, run: onShare },
    { label: texts.shortcuts, run: onKeys },
  ];
  return (
    <div class="toolbar" role="toolbar" aria-label={texts.document}>
      <PageChoice reading={reading} />
      <SearchBox reading={reading} />
      <ViewMenu reading={reading} label={texts.menu} more={more} />
    </div>
  );
}

interface MenuAction {
  label: string;
  /** For an action that switches something: whether that is on. */
  isOn?: boolean;
  run: () => void;
}

interface ToolbarProps {
  reading: ViewerState;
  onShare: () => void;
  onKeys: () => void;
}

function PanelButton({
  reading,
  name,
  count = 0,
}: {
  reading: ViewerState;
  name: PanelName;
  count?: number;
}) {
  const isOpen = reading.panel.value === name;
  return (
    <button
      type="button"
      class="button small"
      aria-expanded={isOpen}
      aria-controls="viewer-panel"
      onClick={() => (reading.panel.value = isOpen ? null : name)}
    >
      {texts.panels[name]}
      {count > 0 && <span class="badge">{texts.formats.number(count)}</span>}
    </button>
  );
}

/** Switches between the pages and the original table. */
function TableButton({ reading }: { reading: ViewerState }) {
  const isOn = reading.view.value === "table";
  return (
    <button
      type="button"
      class="button small"
      aria-pressed={isOn}
      onClick={() => show(reading, isOn ? "pages" : "table")}
    >
      {texts.views.table}
    </button>
  );
}

function PageChoice({ reading }: { reading: ViewerState }) {
  const input = useRef<HTMLInputElement>(null);
  const page = reading.scrolling.page.value;
  const count = reading.record.value.page_count;
  // While the reader is typing, the field keeps its text.
  const isTyping = useRef(false);
  if (input.current !== null && !isTyping.current) input.current.value = String(page);
  const go = (): void => {
    isTyping.current = false;
    const wanted = Number(input.current?.value);
    if (Number.isInteger(wanted) && wanted > 0) reading.scrolling.goTo(wanted);
    if (input.current !== null) input.current.value = String(reading.scrolling.page.value);
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
        onClick={() => reading.scrolling.turn(-1)}
      >
        ‹
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
        onClick={() => reading.scrolling.turn(1)}
      >
        ›
      </button>
    </form>
  );
}

function ZoomButtons({ reading }: { reading: ViewerState }) {
  return (
    <div class="button-group zoom-buttons" role="group" aria-label={texts.zoom}>
      <button
        type="button"
        class="button small"
        aria-label={texts.zoomOut}
        onClick={() => reading.scrolling.zoomBy(-1)}
      >
        −
      </button>
      <button
        type="button"
        class="button small zoom-value"
        aria-label={texts.zoomValue(Math.round(reading.scrolling.currentZoom() * 100))}
        onClick={() => reading.scrolling.setZoom("auto")}
      >
        {Math.round(reading.scrolling.currentZoom() * 100)} %
      </button>
      <button
        type="button"
        class="button small"
        aria-label={texts.zoomIn}
        onClick={() => reading.scrolling.zoomBy(1)}
      >
        +
      </button>
    </div>
  );
}

function ViewMenu({
  reading,
  label = texts.view,
  more = [],
}: {
  reading: ViewerState;
  label?: string;
  more?: readonly MenuAction[];
}) {
  const view = reading.view.value;
  const zoom = reading.scrolling.zoom.value;
  return (
    <Menu
      id="viewer-view-menu"
      label={label}
      groups={[
        [
          { label: texts.views.pages, isOn: view === "pages", run: () => show(reading, "pages") },
          { label: texts.views.grid, isOn: view === "grid", run: () => show(reading, "grid") },
          { label: texts.views.text, isOn: view === "text", run: () => show(reading, "text") },
          ...(isTable(reading.record.value)
            ? [{ label: texts.views.table, isOn: view === "table", run: () => show(reading, "table") }]
            : []),
        ],
        [
          { label: texts.zoomIn, run: () => reading.scrolling.zoomBy(1) },
          { label: texts.zoomOut, run: () => reading.scrolling.zoomBy(-1) },
          { label: texts.fitWidth, isOn: zoom === "width", run: () => reading.scrolling.setZoom("width") },
          { label: texts.fitPage, isOn: zoom === "page", run: () => reading.scrolling.setZoom("page") },
          { label: texts.readableWidth, isOn: zoom === "auto", run: () => reading.scrolling.setZoom("auto") },
        ],
        [
          {
            label: texts.twoPages,
            isOn: reading.scrolling.isTwoUp.value,
            run: () => reading.scrolling.toggleTwoUp(),
          },
          { label: texts.rotate, run: () => reading.rotate() },
        ],
        more,
      ]}
    />
  );
}

/** What people who may change the document's file do with it. */
function EditMenu({ reading }: { reading: ViewerState }) {
  const { record, api } = reading;
  if (!api.mayWrite || !record.value.edit_access) return null;
  // Without an image type, there is no PDF here.
  const tools =
    api.imageType === null
      ? []
      : [
          { label: texts.redact, run: () => void openRedaction(reading) },
          { label: texts.arrangePages, run: () => void openArrangement(reading) },
        ];
  const replace = {
    label: texts.replaceFile,
    run: () => location.assign(api.pageAddress(`upload/?replace=${record.value.id}`)),
  };
  return <Menu id="viewer-edit-menu" label={texts.edit} groups={[tools, [replace]]} />;
}

/** A button that opens a list of actions, in groups. */
function Menu({
  id,
  label,
  groups,
}: {
  id: string;
  label: string;
  groups: readonly (readonly MenuAction[])[];
}) {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const isOpen = useSignal(false);
  return (
    <>
      <button ref={button} type="button" class="button small" popovertarget={id} aria-expanded={isOpen.value}>
        {label}
      </button>
      <div
        id={id}
        ref={menu}
        popover="auto"
        class="menu"
        role="group"
        aria-label={label}
        onToggle={(event) => {
          isOpen.value = event.newState === "open";
          const place = button.current?.getBoundingClientRect();
          if (!isOpen.value || place === undefined) return;
          const { style, offsetWidth } = event.currentTarget;
          style.top = `${place.bottom + 4}px`;
          style.left = `${Math.max(4, Math.min(place.left, innerWidth - offsetWidth - 4))}px`;
        }}
      >
        {groups
          .filter((actions) => actions.length > 0)
          .map((actions, index) => (
            <Fragment key={index}>
              {index > 0 && <hr />}
              {actions.map(({ label: name, isOn, run }) => (
                <button
                  key={name}
                  type="button"
                  class="menu-item"
                  aria-pressed={isOn}
                  onClick={() => {
                    run();
                    menu.current?.hidePopover();
                  }}
                >
                  {name}
                </button>
              ))}
            </Fragment>
          ))}
      </div>
    </>
  );
}

export function show(reading: ViewerState, view: ViewName): void {
  reading.view.value = view;
  reading.announcement.value = texts.views[view];
}

function SearchBox({ reading }: { reading: ViewerState }) {
  const input = useRef<HTMLInputElement>(null);
  const search = reading.search.current.value;
  // The box also shows a search that started elsewhere, such as one from the address.
  useSignalEffect(() => {
    const query = reading.search.current.value?.query;
    if (query !== undefined && input.current !== null && document.activeElement !== input.current)
      input.current.value = query;
  });
  const hasHits = (search?.found?.count ?? 0) > 0;
  const run = (): void => {
    const query = input.current?.value ?? "";
    if (query === search?.query && hasHits) void reading.search.step(1);
    else void searchFor(reading, query);
  };
  return (
    <form
      class="viewer-search"
      role="search"
      aria-label={texts.searchRegion}
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <input
        id="viewer-search"
        ref={input}
        type="search"
        maxLength={maxQueryLength}
        autocomplete="off"
        enterkeyhint="search"
        aria-label={texts.searchHere}
        placeholder={texts.searchHere}
        defaultValue={search?.query ?? ""}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          if (event.shiftKey && hasHits) void reading.search.step(-1);
          else run();
        }}
        onInput={(event) => {
          if (event.currentTarget.value === "") void reading.search.find("");
        }}
      />
      <button type="button" class="button small search-button" onClick={run}>
        {texts.search}
      </button>
      {search !== null && (
        <button
          type="button"
          class="button small hit-count"
          aria-expanded={reading.panel.value === "search"}
          aria-controls="viewer-panel"
          onClick={() => (reading.panel.value = reading.panel.value === "search" ? null : "search")}
        >
          {countInWords(reading)}
          <span class="visually-hidden">
            {search.found !== null && search.found.hitCount === null ? texts.listPages : texts.listHits}
          </span>
        </button>
      )}
      {hasHits && (
        <span class="button-group">
          <button
            type="button"
            class="button small"
            aria-label={texts.previousHit}
            onClick={() => void reading.search.step(-1)}
          >
            ↑
          </button>
          <button
            type="button"
            class="button small"
            aria-label={texts.nextHit}
            onClick={() => void reading.search.step(1)}
          >
            ↓
          </button>
        </span>
      )}
    </form>
  );
}

/** Searches, and opens the list of hits beside the pages if there is room. */
export async function searchFor(reading: ViewerState, query: string, fromPage?: number): Promise<void> {
  await reading.search.find(query, fromPage);
  const hasRoom = matchMedia(hasRoomForPanel).matches && !reading.isEmbedded;
  const { search, panel } = reading;
  if (search.current.value === null && panel.value === "search") panel.value = null;
  else if (search.current.value !== null && hasRoom) panel.value = "search";
}

function countInWords(reading: ViewerState): string {
  const search = reading.search.current.value;
  if (search === null || search.state === "running") return "…";
  const { found } = search;
  const { formats } = texts;
  if (found === null) return "0 / 0";
  if (found.hitCount !== null)
    return `${formats.number(reading.search.hitNumber.value)} / ${formats.number(found.hitCount)}`;
  return `${formats.number(reading.search.hitPageNumber.value)} / ${formats.number(found.count)}`;
}
