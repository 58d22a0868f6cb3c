import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { savedSearchLimits } from "../contract/limits.ts";
import type { SavedSearch } from "../contract/search.ts";
import { Ask } from "../viewer/dialog.tsx";
import { Draft } from "../viewer/form/draft.ts";
import { TextField } from "../viewer/form/field.tsx";
import { Form } from "../viewer/form/form.tsx";
import { texts as viewerTexts } from "../viewer/texts/texts.ts";
import type { DocumentList } from "./model/document-list.ts";
import { addressOf, readText } from "./model/list-query.ts";
import type { SavedSearches } from "./model/saved-searches.ts";
import { texts } from "./model/texts.ts";

/** The id of the field for the name of a new saved search. */
export const saveNameId = "save-search";

/** The person's saved searches, and a form that saves the current one. */
export function SavedSearchList({ saved, list }: { saved: SavedSearches; list: DocumentList }) {
  const all = saved.all.value;
  const { text, isProblem } = saved.message.value;
  const news = all.reduce((sum, search) => sum + (search.new ?? 0), 0);
  return (
    <details class="saved" id="saved">
      <summary>
        {texts.savedSearches} {all.length > 0 && <span class="help">({all.length})</span>}{" "}
        <News count={news} />
      </summary>
      <ul>
        {all.map((search) => (
          <SavedSearchItem key={search.uuid} search={search} saved={saved} list={list} />
        ))}
      </ul>
      <NameForm
        id={saveNameId}
        label={texts.saveName}
        submit={texts.saveSearch}
        save={(name) => saved.save(name, list.query.value)}
      />
      <p class={isProblem ? "problem" : "help"} role="status">
        {text}
      </p>
    </details>
  );
}

/** Asks for the name of a search. A form that can be left takes the focus, and is left once the name is saved. */
function NameForm({
  id,
  label,
  name = "",
  submit,
  save,
  onClose,
}: {
  id?: string;
  label: string;
  name?: string;
  submit: string;
  save: (name: string) => Promise<void>;
  onClose?: () => void;
}) {
  const [draft] = useState(
    () =>
      new Draft(
        { name },
        {
          limits: savedSearchLimits,
          check: (values) => (values.name.trim() === "" ? [["name", viewerTexts.form.needed]] : []),
        },
      ),
  );
  const send = async (): Promise<void> => {
    if (!(await draft.submit((values) => save(values.name.trim())))) return;
    draft.reset();
    onClose?.();
  };
  return (
    <Form draft={draft} send={send} class="save-form">
      <TextField
        {...(id !== undefined && { id })}
        field={draft.field("name")}
        label={label}
        isRequired
        takesFocus={onClose !== undefined}
      >
        <button class="button">{submit}</button>
        {onClose !== undefined && (
          <button type="button" class="button" onClick={() => draft.leave(onClose)}>
            {viewerTexts.cancel}
          </button>
        )}
      </TextField>
    </Form>
  );
}

/** How many documents are new; nothing without any. */
function News({ count, href }: { count: number; href?: string }) {
  if (count === 0) return null;
  const words = texts.newFinds(count);
  return href === undefined ? (
    <span class="badge">{words}</span>
  ) : (
    <a class="badge" href={href}>
      {words}
    </a>
  );
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
  const state = useSignal<"shown" | "renamed" | "deleted">("shown");
  const show = (): void => {
    state.value = "shown";
  };
  if (state.value === "renamed")
    return (
      <li>
        <NameForm
          label={texts.of(texts.newName, search.name)}
          name={search.name}
          submit={viewerTexts.save}
          save={(name) => saved.rename(search, name)}
          onClose={show}
        />
      </li>
    );
  const query = readText(search.query);
  return (
    <li>
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
      <News count={search.new ?? 0} href={saved.pageOf(search)} />
      <button
        type="button"
        class="button small"
        aria-label={texts.of(texts.rename, search.name)}
        onClick={() => (state.value = "renamed")}
      >
        {texts.rename}
      </button>
      <button
        type="button"
        class="button small"
        aria-label={texts.of(texts.actions.delete, search.name)}
        onClick={() => (state.value = "deleted")}
      >
        {texts.actions.delete}
      </button>
      {state.value === "deleted" && (
        <Ask
          title={texts.askRemove(search.name)}
          answer={texts.deleteSearch}
          onClose={show}
          onAnswer={() => saved.remove(search)}
        >
          <p>{texts.keepsDocuments}</p>
        </Ask>
      )}
    </li>
  );
}
