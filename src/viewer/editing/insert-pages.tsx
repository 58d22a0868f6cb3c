import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Document } from "../../contract/document.ts";
import type { SearchResults } from "../../contract/search.ts";
import { Question } from "./question.tsx";
import { type Arrangement, type PageSource, maxPages, readPageNumbers } from "../model/arrangement.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { reasonOf } from "../model/send.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** Asks for pages of another document and a place for them, and inserts them. */
export function InsertPages({
  reading,
  arrangement,
  onClose,
}: {
  reading: ViewerState;
  arrangement: Arrangement;
  onClose: () => void;
}) {
  const id = useId();
  const query = useSignal("");
  const found = useSignal<readonly PageSource[] | null>(null);
  const source = useSignal<PageSource | null>(null);
  const numbers = useSignal("");
  const place = useSignal("end");
  const problem = useSignal("");
  const { api } = reading;
  const chosen = arrangement.pages.value.findIndex(({ key }) => arrangement.selected.value.has(key));
  const places = [
    ["end", texts.insert.atEnd],
    ["start", texts.insert.atBeginning],
    ...(chosen < 0 ? [] : [["before", texts.insert.before(chosen + 1)]]),
  ] as const;

  const find = async (): Promise<void> => {
    problem.value = "";
    const words = query.value.trim();
    try {
      const { results } = await api.get<SearchResults>(
        `documents/search/?q=${encodeURIComponent(words)}&status=success&per_page=10`,
      );
      found.value = results
        .map((one) => Object.assign(one, { id: Number(one.id) }))
        .filter(({ page_count }) => page_count > 0);
    } catch (error) {
      problem.value = reasonOf(error);
    }
  };
  const insert = async (): Promise<void> => {
    const from = source.value;
    if (from === null) {
      problem.value = texts.insert.chooseFirst;
      return;
    }
    const pages = readPageNumbers(numbers.value, from.page_count);
    if (pages === null) {
      problem.value = texts.insert.wrongPages(from.page_count);
      return;
    }
    try {
      // A search result lacks what the images of its pages need.
      const whole = await api.get<Document>(`documents/${from.id}/`);
      const index = { end: arrangement.pages.value.length, start: 0, before: chosen }[place.value] ?? 0;
      if (!arrangement.insert(whole, pages, index)) {
        problem.value = texts.insert.tooMany(maxPages);
        return;
      }
      onClose();
    } catch (error) {
      problem.value = reasonOf(error);
    }
  };
  return (
    <Question title={texts.insert.heading} onClose={onClose}>
      <form
        class="form"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          void find();
        }}
      >
        <p class="field">
          <label for={`${id}-q`}>{texts.insert.find}</label>
          <span class="with-button">
            <input
              id={`${id}-q`}
              type="search"
              required
              value={query.value}
              onInput={({ currentTarget }) => (query.value = currentTarget.value)}
            />
            <button class="button">{texts.insert.search}</button>
          </span>
        </p>
      </form>
      {found.value !== null && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void insert();
          }}
        >
          <fieldset class="insert-found">
            <legend>{found.value.length === 0 ? texts.insert.nothing : viewerTexts.documents}</legend>
            {found.value.map((one) => (
              <label key={one.id} class="check" dir="auto">
                <input
                  type="radio"
                  name={`${id}-source`}
                  checked={source.value?.id === one.id}
                  onChange={() => (source.value = one)}
                />
                <span>
                  {one.title === "" ? viewerTexts.untitled : one.title}{" "}
                  <span class="quiet">{texts.pageCount(one.page_count)}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <p class="field">
            <label for={`${id}-pages`}>{texts.insert.pages}</label>
            <input
              id={`${id}-pages`}
              inputMode="text"
              placeholder={texts.insert.allPages}
              aria-describedby={`${id}-help`}
              value={numbers.value}
              onInput={({ currentTarget }) => (numbers.value = currentTarget.value)}
            />
            <span class="help" id={`${id}-help`}>
              {texts.insert.pagesHelp}
            </span>
          </p>
          <p class="field">
            <label for={`${id}-place`}>{texts.insert.where}</label>
            <select
              id={`${id}-place`}
              value={place.value}
              onChange={({ currentTarget }) => (place.value = currentTarget.value)}
            >
              {places.map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </p>
          <p class="buttons">
            <button class="button primary">{texts.insert.insert}</button>
          </p>
        </form>
      )}
      <div role="alert">{problem.value !== "" && <p class="problem">{problem}</p>}</div>
    </Question>
  );
}
