import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { savedSearchLimits } from "../contract/limits.ts";
import { Dialog } from "../viewer/dialog.tsx";
import type { SavedSearch } from "../contract/search.ts";
import type { DocumentList } from "./model/document-list.ts";
import { addressOf, readText } from "./model/list-query.ts";
import type { SavedSearches } from "./model/saved-searches.ts";
import { texts } from "./model/texts.ts";

/** The id of the field for the name of a new saved search. */
export const saveNameId = "save-search";

/** The person's saved searches, and a form that saves the current one. */
export function SavedSearchList({ saved, list }: { saved: SavedSearches; list: DocumentList }) {
  const name = useSignal("");
  const all = saved.all.value;
  const { text, isProblem } = saved.message.value;
  return (
    <details class="saved" id="saved">
      <summary>
        {texts.savedSearches} {all.length > 0 && <span class="help">({all.length})</span>}
      </summary>
      <ul>
        {all.map((search) => (
          <SavedSearchItem key={search.uuid} search={search} saved={saved} list={list} />
        ))}
      </ul>
      <form
        class="save-form"
        onSubmit={(event) => {
          event.preventDefault();
          void onDone(saved.save(name.value.trim(), list.query.value), () => {
            name.value = "";
          });
        }}
      >
        <p class="field">
          <label for={saveNameId}>{texts.saveName}</label>
          <span class="with-button">
            <input
              id={saveNameId}
              required
              maxLength={savedSearchLimits.name}
              value={name.value}
              onInput={({ currentTarget }) => (name.value = currentTarget.value)}
            />
            <button class="button">{texts.saveSearch}</button>
          </span>
        </p>
      </form>
      <p class={isProblem ? "problem" : "help"} role="status">
        {text}
      </p>
    </details>
  );
}

async function onDone(isDone: Promise<boolean>, run: () => void): Promise<void> {
  if (await isDone) run();
}

function SavedSearchItem({
  search,
  saved,
  list,
}: {
  search: SavedSearch;
  saved: SavedSearches;
  list: DocumentList;
}) {
  const id = useId();
  const newName = useSignal<string | null>(null);
  const isAsking = useSignal(false);
  const query = readText(search.query);
  return (
    <li>
      {newName.value === null ? (
        <>
          <a
            href={addressOf(query)}
            dir="auto"
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              void list.show(query);
            }}
          >
            {search.name}
          </a>
          <button
            type="button"
            class="button small"
            aria-label={texts.of(texts.rename, search.name)}
            onClick={() => (newName.value = search.name)}
          >
            {texts.rename}
          </button>
          <button
            type="button"
            class="button small"
            aria-label={texts.of(texts.actions.delete, search.name)}
            onClick={() => (isAsking.value = true)}
          >
            {texts.actions.delete}
          </button>
        </>
      ) : (
        <form
          class="save-form"
          onSubmit={(event) => {
            event.preventDefault();
            void onDone(saved.rename(search, newName.value?.trim() ?? ""), () => {
              newName.value = null;
            });
          }}
        >
          <p class="field">
            <label for={`${id}-name`}>{texts.of(texts.newName, search.name)}</label>
            <span class="with-button">
              <input
                id={`${id}-name`}
                required
                maxLength={savedSearchLimits.name}
                value={newName.value}
                onInput={({ currentTarget }) => (newName.value = currentTarget.value)}
              />
              <button class="button">{texts.save}</button>
              <button type="button" class="button" onClick={() => (newName.value = null)}>
                {texts.cancel}
              </button>
            </span>
          </p>
        </form>
      )}
      {isAsking.value && (
        <Dialog title={texts.askRemove(search.name)} onClose={() => (isAsking.value = false)}>
          <p>{texts.keepsDocuments}</p>
          <p class="buttons">
            <button
              type="button"
              class="button danger"
              onClick={() => {
                isAsking.value = false;
                void saved.remove(search);
              }}
            >
              {texts.deleteSearch}
            </button>
          </p>
        </Dialog>
      )}
    </li>
  );
}
