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
export function show(viewer: ViewerState, view: ViewName): void {
  viewer.view.value = view;
  viewer.announcement.value = texts.views[view];
}

export function ViewMenu({
  viewer,
  label = texts.view,
  more = [],
}: {
  viewer: ViewerState;
  label?: string;
  more?: readonly MenuAction[];
}) {
  const { scrolling } = viewer;
  const view = viewer.view.value;
  const zoom = scrolling.zoom.value;
  return (
    <Menu
      id="viewer-view-menu"
      label={label}
      groups={[
        [
          { label: texts.views.pages, isOn: view === "pages", run: () => show(viewer, "pages") },
          { label: texts.views.grid, isOn: view === "grid", run: () => show(viewer, "grid") },
          { label: texts.views.text, isOn: view === "text", run: () => show(viewer, "text") },
          ...(isTable(viewer.record.value)
            ? [{ label: texts.views.table, isOn: view === "table", run: () => show(viewer, "table") }]
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
          { label: texts.rotate, run: () => viewer.rotate() },
        ],
        more,
      ]}
    />
  );
}

/** What people who may change the document do with it. */
export function EditMenu({ viewer }: { viewer: ViewerState }) {
  const { record, api } = viewer;
  if (!api.mayWrite || !record.value.edit_access) return null;
  // Without an image type, there is no PDF here.
  const tools =
    api.imageType === null
      ? []
      : [
          { label: texts.redact, run: () => void openTool("redaction", viewer) },
          { label: texts.arrangePages, run: () => void openTool("arrangement", viewer) },
        ];
  const about = [
    { label: texts.editDetails, run: () => void openTool("documentForm", viewer) },
    { label: texts.history, run: () => void openTool("history", viewer) },
  ];
  const { id, status } = record.value;
  const ofFile = [
    ...(["success", "error"].includes(status)
      ? [{ label: texts.processAgain, run: () => void openTool("processAgain", viewer) }]
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
          const anchor = button.current?.getBoundingClientRect();
          if (!isOpen.value || anchor === undefined) return;
          const { style, offsetWidth } = event.currentTarget;
          style.top = `${anchor.bottom + 4}px`;
          style.left = `${Math.max(4, Math.min(anchor.left, innerWidth - offsetWidth - 4))}px`;
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
