import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { SearchForm } from "../viewer/form/search-form.tsx";
import type { DocumentList } from "./model/document-list.ts";
import { texts } from "./model/texts.ts";

/** The id of the search box. */
export const searchBoxId = "desk-search";

/** The search box, with examples of the query language. */
export function DocumentSearch({ list }: { list: DocumentList }) {
  const { q } = list.query.value;
  const typed = useSignal(q);
  // The query also changes when the person goes back, or opens a saved search.
  useEffect(() => {
    typed.value = q;
  }, [q, typed]);
  const tryExample = (query: string): void => {
    typed.value = query;
    document.getElementById(searchBoxId)?.focus();
  };
  return (
    <SearchForm
      query={typed}
      id={searchBoxId}
      label={texts.search}
      submit={texts.show}
      class="search-form"
      isLabelHidden
      send={() => list.search(typed.value)}
    >
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
                  onClick={() => tryExample(query)}
                >
                  <code>{query}</code>
                </button>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </SearchForm>
  );
}
