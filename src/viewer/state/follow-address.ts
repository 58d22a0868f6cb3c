import { effect } from "@preact/signals";
import { formatFragment, readFragment } from "../model/destination.ts";
import type { ViewerState } from "./viewer-state.ts";

/** Keeps the viewer and the address of the page in step. Returns a function that stops this. */
export function followAddress(state: ViewerState): () => void {
  const onHashChange = ({ newURL }: HashChangeEvent): void => {
    // location.hash may have been rewritten since the event.
    const destination = readFragment(new URL(newURL).hash);
    if (destination !== null) state.goTo(destination);
  };
  addEventListener("hashchange", onHashChange);
  // Nobody sees the address of a frame, so it is not updated.
  if (state.isEmbedded) return () => removeEventListener("hashchange", onHashChange);
  let writing: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  const stop = effect(() => {
    const page = state.scrolling.page.value;
    const query = state.search.current.value?.query ?? null;
    const open = state.openNote.value;
    if (isFirst) {
      isFirst = false;
      return;
    }
    clearTimeout(writing);
    // Waits, since browsers refuse more than a hundred changes in half a minute.
    writing = setTimeout(() => {
      const note = open === null ? undefined : state.noteById.peek().get(open);
      const isOnPage = note !== undefined && note.page_number + 1 === page;
      const address = new URL(location.href);
      if (query === null) address.searchParams.delete("q");
      else address.searchParams.set("q", query);
      address.searchParams.delete("page");
      address.hash = formatFragment({ page, note: isOnPage ? note.id : null });
      if (address.href !== location.href) history.replaceState(history.state, "", address);
    }, 350);
  });
  return () => {
    stop();
    clearTimeout(writing);
    removeEventListener("hashchange", onHashChange);
  };
}
