import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Dialog } from "../viewer/dialog.tsx";
import { CheckField } from "../viewer/form/field.tsx";
import { SearchForm } from "../viewer/form/search-form.tsx";
import type { DeskApi, DeskDocument } from "./model/desk-api.ts";
import { type ProjectWorkplace, documentsPath } from "./model/project.ts";
import { SelectableList } from "./model/selectable-list.ts";
import { texts } from "./model/texts.ts";
import { FoundDocument } from "./project-documents.tsx";

const words = texts.projectPage;

/** Finds documents, and adds chosen ones or all that were found to the project. */
export function AddDocuments({
  api,
  workplace,
  onClose,
}: {
  api: DeskApi;
  workplace: ProjectWorkplace;
  onClose: () => void;
}) {
  const q = useSignal("");
  const isOnlyMine = useSignal(true);
  const found = useMemo(() => new SelectableList<DeskDocument>(api, ""), [api]);
  const search = (): Promise<void> => {
    found.deselect();
    found.notify("");
    return found.load(documentsPath({ query: q.value, ...(isOnlyMine.value && { user: api.options.user }) }));
  };
  useEffect(() => void search(), []);
  const documents = found.documents.value;
  const count = found.count.value;
  return (
    <Dialog title={words.addTitle} onClose={onClose}>
      <div class="desk form">
        <p class="help">{words.sharedWithCollaborators}</p>
        <SearchForm query={q} label={words.findDocuments} submit={words.find} send={search}>
          <CheckField
            field={{
              value: isOnlyMine.value,
              set: (value) => {
                isOnlyMine.value = value;
                void search();
              },
            }}
            label={words.onlyMine}
          />
        </SearchForm>
        <p role="status">{count === null ? "" : words.found(count)}</p>
        <p class="problem" role="alert">
          {found.message.value.text}
        </p>
        {documents.length === 0 ? (
          <p>{texts.noDocuments}</p>
        ) : (
          <ul class="documents choices">
            {documents.map((document) => (
              <FoundDocument key={document.id} api={api} document={document} list={found} />
            ))}
          </ul>
        )}
        <Buttons workplace={workplace} found={found} onClose={onClose} />
      </div>
    </Dialog>
  );
}

function Buttons({
  workplace,
  found,
  onClose,
}: {
  workplace: ProjectWorkplace;
  found: SelectableList<DeskDocument>;
  onClose: () => void;
}) {
  const count = found.count.value ?? 0;
  const selected = found.selected.value;
  const add = (act: Promise<unknown>): void => {
    void act;
    onClose();
  };
  return (
    <p class="buttons">
      {found.hasNext.value && (
        <button type="button" class="button" onClick={() => void found.loadMore()}>
          {words.more}
        </button>
      )}
      {count > 0 && (
        <button type="button" class="button" onClick={() => add(workplace.addAll(found))}>
          {words.addAllFound(count)}
        </button>
      )}
      <button
        type="button"
        class="button primary"
        disabled={selected.size === 0}
        onClick={() => add(workplace.add([...selected.keys()]))}
      >
        {words.addSelected(selected.size)}
      </button>
    </p>
  );
}
