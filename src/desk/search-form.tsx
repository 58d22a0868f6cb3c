import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { maxQueryLength } from "../contract/limits.ts";
import { ChoiceField } from "../viewer/form/field.tsx";
import type { DocumentList } from "./model/document-list.ts";
import { byScore } from "./model/list-query.ts";
import { texts } from "./model/texts.ts";

/** The id of the search box. */
export const searchBoxId = "desk-search";

/** The search box with examples of the query language, and the order of the list. */
export function SearchForm({ list }: { list: DocumentList }) {
  const { q, sort } = list.query.value;
  const typed = useSignal(q);
  const box = useRef<HTMLInputElement>(null);
  // The query also changes when the person goes back, or opens a saved search.
  useEffect(() => {
    typed.value = q;
  }, [q, typed]);
  const orders = Object.entries(texts.orders).filter(([name]) => name !== byScore || q.trim() !== "");
  const choices = orders.some(([name]) => name === sort) ? orders : [...orders, [sort, sort] as const];
  return (
    <form
      class="form columns search-form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void list.search(typed.value);
      }}
    >
      <p class="field search-field">
        <label for={searchBoxId}>{texts.search}</label>
        <span class="with-button">
          <input
            ref={box}
            id={searchBoxId}
            type="search"
            maxLength={maxQueryLength}
            value={typed.value}
            onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
          />
          <button class="button">{texts.show}</button>
        </span>
      </p>
      <ChoiceField
        field={{ value: sort, set: (chosen) => void list.show({ sort: chosen }) }}
        label={texts.order}
        choices={choices}
      />
      <details class="search-help">
        <summary>{texts.howToSearch}</summary>
        <dl>
          {texts.examples.map(([query, meaning]) => (
            <div key={query}>
              <dt>
                <button
                  type="button"
                  class="example"
                  aria-label={texts.tryExample(query)}
                  onClick={() => {
                    typed.value = query;
                    box.current?.focus();
                  }}
                >
                  <code>{query}</code>
                </button>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </form>
  );
}
