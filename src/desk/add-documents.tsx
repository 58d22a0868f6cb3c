import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { Dialog } from "../viewer/dialog.tsx";
import { DocumentChoice } from "./document-choice.tsx";
import { type DeskApi, type DeskDocument, reasonOf } from "./model/desk-api.ts";
import { type ProjectWorkplace, documentsPath } from "./model/project.ts";
import { texts } from "./model/texts.ts";

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
  const id = useId();
  const q = useSignal("");
  const isOnlyMine = useSignal(true);
  const path = useSignal("");
  const found = useSignal<{ documents: readonly DeskDocument[]; next: string | null; count: number | null }>({
    documents: [],
    next: null,
    count: null,
  });
  const chosen = useSignal<ReadonlySet<number>>(new Set());
  const problem = useSignal("");
  const search = async (): Promise<void> => {
    const asked = documentsPath({ query: q.value, ...(isOnlyMine.value && { user: api.options.user }) });
    path.value = asked;
    try {
      const page = await workplace.documentsAt(asked);
      if (path.value !== asked) return;
      found.value = page;
      chosen.value = new Set();
      problem.value = "";
    } catch (error) {
      problem.value = reasonOf(error);
    }
  };
  const showMore = async (next: string): Promise<void> => {
    const before = found.value;
    try {
      const page = await workplace.documentsAt(next);
      if (found.value !== before) return;
      found.value = { ...page, documents: [...before.documents, ...page.documents] };
      problem.value = "";
    } catch (error) {
      problem.value = reasonOf(error);
    }
  };
  const add = (act: Promise<boolean>): void => {
    void act;
    onClose();
  };
  useEffect(() => void search(), []);
  const { documents, next, count } = found.value;
  return (
    <Dialog title={words.addTitle} onClose={onClose}>
      <form
        class="desk dialog-fields"
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <p class="help">{words.sharedWithCollaborators}</p>
        <p class="field">
          <label for={`${id}-q`}>{words.findDocuments}</label>
          <span class="with-button">
            <input
              id={`${id}-q`}
              type="search"
              value={q.value}
              onInput={({ currentTarget }) => (q.value = currentTarget.value)}
            />
            <button class="button">{words.find}</button>
          </span>
        </p>
        <p class="check">
          <input
            id={`${id}-mine`}
            type="checkbox"
            checked={isOnlyMine.value}
            onChange={({ currentTarget }) => {
              isOnlyMine.value = currentTarget.checked;
              void search();
            }}
          />
          <label for={`${id}-mine`}>{words.onlyMine}</label>
        </p>
        <p role="status">{count === null ? "" : words.found(count)}</p>
        <p class="problem" role="alert">
          {problem.value}
        </p>
        {documents.length === 0 ? (
          <p>{texts.noDocuments}</p>
        ) : (
          <ul class="document-rows choices">
            {documents.map((document) => (
              <DocumentChoice
                key={document.id}
                api={api}
                document={document}
                isSelected={chosen.value.has(document.id)}
                onToggle={() => {
                  const ids = new Set(chosen.value);
                  if (!ids.delete(document.id)) ids.add(document.id);
                  chosen.value = ids;
                }}
              />
            ))}
          </ul>
        )}
        <p class="buttons">
          {next !== null && (
            <button type="button" class="button" onClick={() => void showMore(next)}>
              {words.more}
            </button>
          )}
          {count !== null && count > 0 && (
            <button type="button" class="button" onClick={() => add(workplace.addFound(path.value))}>
              {words.addAllFound(count)}
            </button>
          )}
          <button
            type="button"
            class="button primary"
            disabled={chosen.value.size === 0}
            onClick={() => add(workplace.add([...chosen.value]))}
          >
            {words.addSelected(chosen.value.size)}
          </button>
        </p>
      </form>
    </Dialog>
  );
}
