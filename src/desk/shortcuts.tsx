import { useEffect, useMemo } from "preact/hooks";
import { type Command, isTaken, isTyping, runCommand } from "../viewer/shortcuts.tsx";
import type { DeskDocument } from "./model/desk-api.ts";
import type { DocumentList } from "./model/document-list.ts";
import { texts } from "./model/texts.ts";
import { saveNameId } from "./saved-searches.tsx";
import { searchBoxId } from "./document-search.tsx";

interface Actions {
  onEdit: (document: DeskDocument) => void;
  onHelp: () => void;
}

/** The shortcuts of the list. They work wherever the focus is, except in fields. */
export function useShortcuts(list: DocumentList, actions: Actions): readonly Command[] {
  const commands = useMemo(() => commandsOf(list, actions), [list]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isTaken(event) && !isTyping(event)) runCommand(event, commands);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [commands]);
  return commands;
}

function commandsOf(list: DocumentList, { onEdit, onHelp }: Actions): Command[] {
  /** Runs an action on the document whose row has the focus. */
  const onFocused = (run: (document: DeskDocument) => void) => (): void => {
    const focused = focusedRow();
    const found = list.documents.peek().find(({ id }) => String(id) === focused?.dataset["document"]);
    if (found !== undefined) run(found);
  };
  const { keys } = texts;
  return [
    { keys: ["/"], label: keys.search, run: () => document.getElementById(searchBoxId)?.focus() },
    { keys: ["f"], label: keys.filters, run: () => unfold("facets")?.focus() },
    { keys: ["s"], label: keys.saved, run: () => focusIn("saved", saveNameId) },
    { keys: ["j"], label: keys.next, run: () => step(1) },
    { keys: ["k"], label: keys.previous, run: () => step(-1) },
    { keys: ["x"], label: keys.select, run: onFocused((document) => list.toggle(document)) },
    { keys: ["o"], label: keys.open, run: onFocused(({ canonical_url }) => location.assign(canonical_url)) },
    {
      keys: ["e"],
      label: keys.edit,
      run: onFocused((document) => {
        if (document.edit_access) onEdit(document);
      }),
    },
    { keys: ["a"], label: keys.selectPage, run: () => list.togglePage() },
    { keys: ["u"], label: keys.deselect, run: () => list.deselect() },
    {
      keys: ["c"],
      label: keys.change,
      run: () => document.querySelector<HTMLElement>(".bulk select")?.focus(),
    },
    { keys: ["n"], label: keys.nextPage, run: () => void list.turnPage(1) },
    { keys: ["p"], label: keys.previousPage, run: () => void list.turnPage(-1) },
    { keys: ["?"], label: keys.help, run: onHelp },
  ];
}

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>(".document-row") ?? null;
}

/** Moves the focus to the checkbox of the next or previous document; to the first one if none has it. */
function step(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(".document-row")];
  const focused = focusedRow();
  const index = focused === null ? 0 : rows.indexOf(focused) + by;
  rows[Math.min(Math.max(index, 0), rows.length - 1)]?.querySelector("input")?.focus();
}

/** Opens a part that can be folded up, and returns its heading. */
function unfold(id: string): HTMLElement | null {
  const part = document.getElementById(id) as HTMLDetailsElement | null;
  if (part !== null) part.open = true;
  return part?.querySelector("summary") ?? null;
}

function focusIn(id: string, field: string): void {
  unfold(id);
  document.getElementById(field)?.focus();
}
