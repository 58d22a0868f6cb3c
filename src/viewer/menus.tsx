import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useRef } from "preact/hooks";
import { isTable } from "./model/api.ts";
import type { ViewName, ViewerState } from "./state/viewer-state.ts";
import { texts } from "./texts/texts.ts";
import { openTool } from "./tools.ts";

export interface MenuAction {
  label: string;
  /** For an action that switches something: whether that is on. */
  isOn?: boolean;
  run: () => void;
}

/** Shows the pages, or the document in another way, and says so. */
export function show(reading: ViewerState, view: ViewName): void {
  reading.view.value = view;
  reading.announcement.value = texts.views[view];
}

export function ViewMenu({
  reading,
  label = texts.view,
  more = [],
}: {
  reading: ViewerState;
  label?: string;
  more?: readonly MenuAction[];
}) {
  const { scrolling } = reading;
  const view = reading.view.value;
  const zoom = scrolling.zoom.value;
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
          { label: texts.zoomIn, run: () => scrolling.zoomBy(1) },
          { label: texts.zoomOut, run: () => scrolling.zoomBy(-1) },
          { label: texts.fitWidth, isOn: zoom === "width", run: () => scrolling.setZoom("width") },
          { label: texts.fitPage, isOn: zoom === "page", run: () => scrolling.setZoom("page") },
          { label: texts.readableWidth, isOn: zoom === "auto", run: () => scrolling.setZoom("auto") },
        ],
        [
          {
            label: texts.twoPages,
            isOn: scrolling.isTwoUp.value,
            run: () => scrolling.toggleTwoUp(),
          },
          { label: texts.rotate, run: () => reading.rotate() },
        ],
        more,
      ]}
    />
  );
}

/** What people who may change the document do with it. */
export function EditMenu({ reading }: { reading: ViewerState }) {
  const { record, api } = reading;
  if (!api.mayWrite || !record.value.edit_access) return null;
  // Without an image type, there is no PDF here.
  const tools =
    api.imageType === null
      ? []
      : [
          { label: texts.redact, run: () => void openTool("redaction", reading) },
          { label: texts.arrangePages, run: () => void openTool("arrangement", reading) },
        ];
  const about = [
    { label: texts.editDetails, run: () => void openTool("documentForm", reading) },
    { label: texts.history, run: () => void openTool("history", reading) },
  ];
  const { id, status } = record.value;
  const ofFile = [
    ...(["success", "error"].includes(status)
      ? [{ label: texts.processAgain, run: () => void openTool("processAgain", reading) }]
      : []),
    { label: texts.replaceFile, run: () => location.assign(api.pageAddress(`upload/?replace=${id}`)) },
  ];
  return <Menu id="viewer-edit-menu" label={texts.edit} groups={[about, tools, ofFile]} />;
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
