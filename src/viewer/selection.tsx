import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { linkIcon, quoteIcon, squareDashedIcon, stickyNoteIcon } from "../contract/icons.ts";
import { copyText } from "./copy.ts";
import { Icon } from "./form/icon.tsx";
import { type PageBox, boxBetween, turnedBackBox } from "./model/boxes.ts";
import { addressOfSimilar, addressOfWords } from "./model/destination.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { px } from "./model/style-values.ts";
import { openNoteForm, redactWords } from "./tools.ts";
import { texts } from "./texts/texts.ts";

/** Of the tools, in pixels. On a narrower screen they begin at its edge. */
const maxWidth = 640;

interface Selected extends PageBox {
  text: string;
  left: number;
  top: number;
}

/** The actions on words that are selected on a page. */
export function SelectionTools({ viewer }: { viewer: ViewerState }) {
  const selected = useSignal<Selected | null>(null);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const onChange = (): void => {
      clearTimeout(waiting);
      waiting = setTimeout(() => (selected.value = readSelection()), 200);
    };
    document.addEventListener("selectionchange", onChange);
    return () => {
      clearTimeout(waiting);
      document.removeEventListener("selectionchange", onChange);
    };
  }, []);
  const found = selected.value;
  if (found === null) return null;
  const { title, canonical_url } = viewer.record.value;
  const { page, text } = found;
  const box = turnedBackBox(found.box, viewer.scrolling.quarterTurns.value);
  const address = addressOfWords(canonical_url, found.page, found.text);
  const copy = async (copied: string, done: string): Promise<void> => {
    const isCopied = await copyText(copied);
    viewer.announcement.value = isCopied ? done : texts.noCopying;
  };
  return (
    <div
      class="selection-tools"
      role="group"
      aria-label={texts.selectedWords}
      style={{ left: px(found.left), top: px(found.top) }}
    >
      {viewer.api.mayWrite && (
        <button
          type="button"
          class="button small bare"
          onClick={() => void openNoteForm(viewer, null, { page, box })}
        >
          <Icon of={stickyNoteIcon} />
          {texts.addNote}
        </button>
      )}
      {viewer.mayEdit && viewer.api.imageType !== null && (
        <button type="button" class="button small bare" onClick={() => void redactWords(viewer, text.trim())}>
          <Icon of={squareDashedIcon} />
          {texts.redact}
        </button>
      )}
      <button type="button" class="button small bare" onClick={() => void copy(address, texts.linkCopied)}>
        <Icon of={linkIcon} />
        {texts.copyLink}
      </button>
      <button
        type="button"
        class="button small bare"
        onClick={() => void copy(quotation(found.text, title, found.page, address), texts.quotationCopied)}
      >
        <Icon of={quoteIcon} />
        {texts.copyQuotation}
      </button>
      <a class="button small bare" href={addressOfSimilar(canonical_url, found.text)} target="_top">
        {texts.moreLikeThis}
      </a>
    </div>
  );
}

export function quotation(text: string, title: string, page: number, address: string): string {
  const quoted = texts.quotation(
    text.replaceAll(/\s+/g, " ").trim(),
    title === "" ? texts.untitled : title,
    page,
  );
  return `${quoted}\n${address}`;
}

function readSelection(): Selected | null {
  const selection = getSelection();
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
  const text = selection.toString();
  const start = selection.getRangeAt(0).startContainer;
  const element = start instanceof Element ? start : start.parentElement;
  const page = element?.closest(".text-layer")?.closest<HTMLElement>("[data-page]");
  if (text.trim() === "" || page === null || page === undefined) return null;
  const around = selection.getRangeAt(0).getBoundingClientRect();
  const sheet = page.getBoundingClientRect();
  const share = (x: number, y: number) => ({
    x: (x - sheet.left) / sheet.width,
    y: (y - sheet.top) / sheet.height,
  });
  return {
    text,
    page: Number(page.dataset["page"]),
    box: boxBetween(share(around.left, around.top), share(around.right, around.bottom)),
    left: Math.max(8, Math.min(around.left, innerWidth - maxWidth)),
    top: around.bottom + 60 > innerHeight ? Math.max(8, around.top - 52) : around.bottom + 8,
  };
}
