import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { copyText } from "./copy.ts";
import { addressOfSimilar, addressOfWords } from "./model/destination.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { px } from "./model/style-values.ts";
import { texts } from "./texts/texts.ts";

interface Selected {
  text: string;
  page: number;
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
  const address = addressOfWords(canonical_url, found.page, found.text);
  const copy = async (text: string, done: string): Promise<void> => {
    const isCopied = await copyText(text);
    viewer.announcement.value = isCopied ? done : texts.noCopying;
  };
  return (
    <div
      class="selection-tools button-group"
      role="group"
      aria-label={texts.selectedWords}
      style={{ left: px(found.left), top: px(found.top) }}
    >
      <button type="button" class="button small" onClick={() => void copy(address, texts.linkCopied)}>
        {texts.copyLink}
      </button>
      <button
        type="button"
        class="button small"
        onClick={() => void copy(quotation(found.text, title, found.page, address), texts.quotationCopied)}
      >
        {texts.copyQuotation}
      </button>
      <a class="button small" href={addressOfSimilar(canonical_url, found.text)} target="_top">
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
  const box = selection.getRangeAt(0).getBoundingClientRect();
  return {
    text,
    page: Number(page.dataset["page"]),
    left: Math.max(8, Math.min(box.left, innerWidth - 380)),
    top: box.bottom + 50 > innerHeight ? Math.max(8, box.top - 44) : box.bottom + 8,
  };
}
