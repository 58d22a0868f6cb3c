import { useEffect, useRef } from "preact/hooks";
import { isMail, isTable } from "./model/api.ts";
import type { PanelName, ViewerState, ViewName } from "./state/viewer-state.ts";
import { type Command, ShortcutSheet, isTaken, isTyping, runCommand } from "./shortcuts.tsx";
import { show } from "./menus.tsx";
import { texts } from "./texts/texts.ts";

function commandsOf(reading: ViewerState, { onKeys, onShare }: Dialogs): Command[] {
  const { scrolling } = reading;
  const openPanel = (name: PanelName): void => {
    reading.panel.value = reading.panel.value === name ? null : name;
  };
  return [
    { keys: ["/", "f"], label: texts.searchHere, run: () => focus("viewer-search") },
    { keys: ["n"], label: texts.nextHit, run: () => void reading.search.step(1) },
    { keys: ["p", "N"], label: texts.previousHit, run: () => void reading.search.step(-1) },
    { keys: ["ArrowRight", "j"], label: texts.nextPage, run: () => scrolling.turn(1) },
    { keys: ["ArrowLeft", "k"], label: texts.previousPage, run: () => scrolling.turn(-1) },
    { keys: ["Home"], label: texts.keys.firstPage, run: () => scrolling.goTo(1) },
    {
      keys: ["End"],
      label: texts.keys.lastPage,
      run: () => scrolling.goTo(reading.record.value.page_count),
    },
    { keys: ["g"], label: texts.keys.goToPage, run: () => focus("viewer-page") },
    { keys: ["+", "="], label: texts.zoomIn, run: () => scrolling.zoomBy(1) },
    { keys: ["-"], label: texts.zoomOut, run: () => scrolling.zoomBy(-1) },
    { keys: ["0"], label: texts.readableWidth, run: () => scrolling.setZoom("auto") },
    { keys: ["w"], label: texts.fitWidth, run: () => scrolling.setZoom("width") },
    { keys: ["h"], label: texts.fitPage, run: () => scrolling.setZoom("page") },
    { keys: ["r"], label: texts.rotate, run: () => reading.rotate() },
    { keys: ["d"], label: texts.twoPages, run: () => scrolling.toggleTwoUp() },
    { keys: ["t"], label: texts.keys.thumbnails, run: () => toggleView(reading, "grid") },
    { keys: ["x"], label: texts.keys.text, run: () => toggleView(reading, "text") },
    ...(isTable(reading.record.value)
      ? [{ keys: ["b"], label: texts.keys.table, run: () => toggleView(reading, "table") }]
      : []),
    ...(isMail(reading.record.value)
      ? [{ keys: ["m"], label: texts.panels.mail, run: () => openPanel("mail") }]
      : []),
    { keys: ["c"], label: texts.panels.contents, run: () => openPanel("contents") },
    { keys: ["o"], label: texts.panels.notes, run: () => openPanel("notes") },
    ...(reading.isEmbedded
      ? []
      : [{ keys: ["i"], label: texts.panels.about, run: () => openPanel("about") }]),
    { keys: ["l"], label: texts.keys.hits, run: () => openPanel("search") },
    { keys: ["s"], label: texts.share, run: onShare },
    { keys: ["?"], label: texts.keys.help, run: onKeys },
  ];
}

function focus(id: string): void {
  document.getElementById(id)?.focus();
}

function toggleView(reading: ViewerState, view: ViewName): void {
  show(reading, reading.view.value === view ? "pages" : view);
}

interface Dialogs {
  onKeys: () => void;
  onShare: () => void;
}

/** Handles keys wherever the focus is, except in controls for typing or choosing. */
export function useKeys(reading: ViewerState, dialogs: Dialogs): void {
  useEffect(() => {
    const commands = commandsOf(reading, dialogs);
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isTaken(event)) return;
      if (event.key === "Escape") closeOne(reading);
      if (isTyping(event) || scrollsPages(event)) return;
      runCommand(event, commands);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [reading]);
}

function closeOne(reading: ViewerState): void {
  if (reading.openNote.value !== null) reading.openNote.value = null;
  else if (reading.panel.value !== null) reading.panel.value = null;
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
export function KeySheet({ reading, onClose }: { reading: ViewerState; onClose: () => void }) {
  const commands = useRef(commandsOf(reading, { onKeys: nothing, onShare: nothing }));
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
