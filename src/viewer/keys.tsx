import { useEffect, useRef } from "preact/hooks";
import { isMail, isTable } from "./model/api.ts";
import type { PanelName, ViewerState, ViewName } from "./state/viewer-state.ts";
import { type Command, ShortcutSheet, isTaken, isTyping, runCommand } from "./shortcuts.tsx";
import { show } from "./menus.tsx";
import { texts } from "./texts/texts.ts";

function commandsOf(viewer: ViewerState, { onKeys, onShare }: Dialogs): Command[] {
  const { scrolling } = viewer;
  const openPanel = (name: PanelName): void => {
    viewer.panel.value = viewer.panel.value === name ? null : name;
  };
  return [
    { keys: ["/", "f"], label: texts.searchHere, run: () => focus("viewer-search") },
    { keys: ["n"], label: texts.nextHit, run: () => void viewer.search.step(1) },
    { keys: ["p", "N"], label: texts.previousHit, run: () => void viewer.search.step(-1) },
    { keys: ["ArrowRight", "j"], label: texts.nextPage, run: () => scrolling.turn(1) },
    { keys: ["ArrowLeft", "k"], label: texts.previousPage, run: () => scrolling.turn(-1) },
    { keys: ["Home"], label: texts.keys.firstPage, run: () => scrolling.goTo(1) },
    {
      keys: ["End"],
      label: texts.keys.lastPage,
      run: () => scrolling.goTo(viewer.record.value.page_count),
    },
    { keys: ["g"], label: texts.keys.goToPage, run: () => focus("viewer-page") },
    { keys: ["+", "="], label: texts.zoomIn, run: () => scrolling.zoomBy(1) },
    { keys: ["-"], label: texts.zoomOut, run: () => scrolling.zoomBy(-1) },
    { keys: ["0"], label: texts.readableWidth, run: () => scrolling.setZoom("auto") },
    { keys: ["w"], label: texts.fitWidth, run: () => scrolling.setZoom("width") },
    { keys: ["h"], label: texts.fitPage, run: () => scrolling.setZoom("page") },
    { keys: ["r"], label: texts.rotate, run: () => viewer.rotate() },
    { keys: ["d"], label: texts.twoPages, run: () => scrolling.toggleTwoUp() },
    { keys: ["t"], label: texts.keys.thumbnails, run: () => toggleView(viewer, "grid") },
    { keys: ["x"], label: texts.keys.text, run: () => toggleView(viewer, "text") },
    ...(isTable(viewer.record.value)
      ? [{ keys: ["b"], label: texts.keys.table, run: () => toggleView(viewer, "table") }]
      : []),
    ...(isMail(viewer.record.value)
      ? [{ keys: ["m"], label: texts.panels.mail, run: () => openPanel("mail") }]
      : []),
    { keys: ["c"], label: texts.panels.contents, run: () => openPanel("contents") },
    { keys: ["o"], label: texts.panels.notes, run: () => openPanel("notes") },
    ...(viewer.isEmbedded ? [] : [{ keys: ["i"], label: texts.panels.about, run: () => openPanel("about") }]),
    { keys: ["l"], label: texts.keys.hits, run: () => openPanel("search") },
    { keys: ["s"], label: texts.share, run: onShare },
    { keys: ["?"], label: texts.keys.help, run: onKeys },
  ];
}

function focus(id: string): void {
  document.getElementById(id)?.focus();
}

function toggleView(viewer: ViewerState, view: ViewName): void {
  show(viewer, viewer.view.value === view ? "pages" : view);
}

interface Dialogs {
  onKeys: () => void;
  onShare: () => void;
}

/** Handles keys wherever the focus is, except in controls for typing or choosing. */
export function useKeys(viewer: ViewerState, dialogs: Dialogs): void {
  useEffect(() => {
    const commands = commandsOf(viewer, dialogs);
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isTaken(event)) return;
      if (event.key === "Escape") closeOne(viewer);
      if (isTyping(event) || scrollsPages(event)) return;
      runCommand(event, commands);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [viewer]);
}

function closeOne(viewer: ViewerState): void {
  if (viewer.openNote.value !== null) viewer.openNote.value = null;
  else if (viewer.panel.value !== null) viewer.panel.value = null;
}

/** When nothing has the focus, the keys that usually scroll the window scroll the pages instead. */
function scrollsPages(event: KeyboardEvent): boolean {
  const isNowhere = event.target === document.body || event.target === document.documentElement;
  const pages = document.querySelector<HTMLElement>(".pages, .thumbnails, .text-view, .table-scroll");
  if (!isNowhere || pages === null) return false;
  const height = pages.clientHeight * 0.9;
  const distance = { ArrowDown: 60, ArrowUp: -60, PageDown: height, PageUp: -height, " ": height }[event.key];
  if (distance === undefined) return false;
  event.preventDefault();
  pages.scrollBy(0, event.key === " " && event.shiftKey ? -distance : distance);
  return true;
}

const nothing = (): void => {};

/** The list of all shortcuts. */
export function KeySheet({ viewer, onClose }: { viewer: ViewerState; onClose: () => void }) {
  const commands = useRef(commandsOf(viewer, { onKeys: nothing, onShare: nothing }));
  return (
    <ShortcutSheet commands={commands.current} onClose={onClose}>
      <div>
        <dt>
          <kbd>{texts.keyNames["Shift"]}</kbd> <kbd>{texts.keyNames["Enter"]}</kbd>
        </dt>
        <dd>{texts.keys.previousHit}</dd>
      </div>
      <div>
        <dt>
          <kbd>{texts.keyNames["Escape"]}</kbd>
        </dt>
        <dd>{texts.keys.close}</dd>
      </div>
    </ShortcutSheet>
  );
}
