import { useEffect, useRef } from "preact/hooks";
import { isMail, isTable } from "./model/api.ts";
import type { PanelName, Reading, ViewName } from "./model/reading.ts";
import { type Command, ShortcutSheet, isTaken, isTyping, runCommand } from "./shortcuts.tsx";
import { show } from "./toolbar.tsx";

function commandsOf(reading: Reading, { onKeys, onShare }: Dialogs): Command[] {
  const openPanel = (name: PanelName): void => {
    reading.panel.value = reading.panel.value === name ? null : name;
  };
  return [
    { keys: ["/", "f"], label: "Search in this document", run: () => focus("viewer-search") },
    { keys: ["n"], label: "Next hit", run: () => void reading.step(1) },
    { keys: ["p", "N"], label: "Previous hit", run: () => void reading.step(-1) },
    { keys: ["ArrowRight", "j"], label: "Next page", run: () => reading.turn(1) },
    { keys: ["ArrowLeft", "k"], label: "Previous page", run: () => reading.turn(-1) },
    { keys: ["Home"], label: "First page", run: () => reading.goTo(1) },
    { keys: ["End"], label: "Last page", run: () => reading.goTo(reading.record.value.page_count) },
    { keys: ["g"], label: "Go to a page", run: () => focus("viewer-page") },
    { keys: ["+", "="], label: "Zoom in", run: () => reading.zoomBy(1) },
    { keys: ["-"], label: "Zoom out", run: () => reading.zoomBy(-1) },
    { keys: ["0"], label: "Readable width", run: () => reading.setZoom("auto") },
    { keys: ["w"], label: "Fit width", run: () => reading.setZoom("width") },
    { keys: ["h"], label: "Fit page", run: () => reading.setZoom("page") },
    { keys: ["r"], label: "Rotate clockwise", run: () => reading.rotate() },
    { keys: ["d"], label: "Two pages side by side", run: () => reading.toggleTwoUp() },
    { keys: ["t"], label: "Switch between thumbnails and pages", run: () => toggleView(reading, "grid") },
    { keys: ["x"], label: "Switch between text and pages", run: () => toggleView(reading, "text") },
    ...(isTable(reading.record.value)
      ? [{ keys: ["b"], label: "Switch between table and pages", run: () => toggleView(reading, "table") }]
      : []),
    ...(isMail(reading.record.value) ? [{ keys: ["m"], label: "Mail", run: () => openPanel("mail") }] : []),
    { keys: ["c"], label: "Contents", run: () => openPanel("contents") },
    { keys: ["o"], label: "Notes", run: () => openPanel("notes") },
    ...(reading.isEmbedded ? [] : [{ keys: ["i"], label: "About", run: () => openPanel("about") }]),
    { keys: ["l"], label: "List of hits", run: () => openPanel("search") },
    { keys: ["s"], label: "Share", run: onShare },
    { keys: ["?"], label: "Show these shortcuts", run: onKeys },
  ];
}

function focus(id: string): void {
  document.getElementById(id)?.focus();
}

function toggleView(reading: Reading, view: ViewName): void {
  show(reading, reading.view.value === view ? "pages" : view);
}

interface Dialogs {
  onKeys: () => void;
  onShare: () => void;
}

/** Handles keys wherever the focus is, except in controls for typing or choosing. */
export function useKeys(reading: Reading, dialogs: Dialogs): void {
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

function closeOne(reading: Reading): void {
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
export function KeySheet({ reading, onClose }: { reading: Reading; onClose: () => void }) {
  const commands = useRef(commandsOf(reading, { onKeys: nothing, onShare: nothing }));
  return (
    <ShortcutSheet commands={commands.current} onClose={onClose}>
      <div>
        <dt>
          <kbd>Shift</kbd> <kbd>Enter</kbd>
        </dt>
        <dd>Previous hit, in the search box</dd>
      </div>
      <div>
        <dt>
          <kbd>Esc</kbd>
        </dt>
        <dd>Close the note or the panel</dd>
      </div>
    </ShortcutSheet>
  );
}
