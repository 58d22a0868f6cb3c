import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Ask } from "../viewer/dialog.tsx";
import { dayInWords } from "../viewer/texts/moments.ts";
import { texts } from "./model/texts.ts";
import { DocumentRow } from "./parts/document-row.tsx";
import { ResultLine } from "./parts/result-line.tsx";
import { RowButton } from "./parts/row-button.tsx";
import { SelectableRows } from "./parts/selectable-rows.tsx";
import type { DeletedDocument } from "../contract/document.ts";
import type { DeskApi } from "./model/desk-api.ts";
import { Trash } from "./model/trash.ts";

/** The page that lists deleted documents, to bring them back or to remove them for good. */
export function trashPageOf(api: DeskApi) {
  return <TrashPage trash={new Trash(api)} />;
}

function TrashPage({ trash }: { trash: Trash }) {
  /** What a dialog asks about: one document, or the selected ones. */
  const asked = useSignal<DeletedDocument | "selected" | null>(null);
  useEffect(() => void trash.load(), [trash]);
  return (
    <div class="desk">
      <p class="list-summary" role="status">
        {trash.isLoading.value
          ? texts.loading
          : texts.inTrash(trash.documents.value.length, trash.count.value ?? 0)}
      </p>
      <div class="list-tools">
        <ResultLine result={trash.message} />
        {trash.selected.value.size > 0 && (
          <SelectedActions trash={trash} onRemove={() => (asked.value = "selected")} />
        )}
      </div>
      <SelectableRows list={trash} label={texts.deletedDocuments}>
        {(document) => (
          <DeletedRow
            key={document.id}
            document={document}
            trash={trash}
            onRemove={() => (asked.value = document)}
          />
        )}
      </SelectableRows>
      {asked.value !== null && (
        <RemoveDialog asked={asked.value} trash={trash} onClose={() => (asked.value = null)} />
      )}
    </div>
  );
}

function DeletedRow({
  document,
  trash,
  onRemove,
}: {
  document: DeletedDocument;
  trash: Trash;
  onRemove: () => void;
}) {
  const { id, deleted_at, deleted_by, removed_at, page_count, access } = document;
  const title = document.title === "" ? texts.untitled : document.title;
  const name = deleted_by === trash.user ? texts.byYou : trash.names.value.get(deleted_by);
  return (
    <DocumentRow
      document={{ id, title }}
      selection={{ isSelected: trash.selected.value.has(id), onToggle: () => trash.toggle(document) }}
      facts={[
        texts.daysLeft(daysUntil(removed_at)),
        texts.deletedBy(name, dayInWords(deleted_at)),
        page_count > 0 && texts.pages(page_count),
        texts.accessShort[access],
      ]}
    >
      <RowButton action={texts.restore} of={title} onClick={() => void trash.restore(document)} />
      <RowButton action={texts.deleteForGood} of={title} isDangerous onClick={onRemove} />
    </DocumentRow>
  );
}

function SelectedActions({ trash, onRemove }: { trash: Trash; onRemove: () => void }) {
  const isDisabled = trash.isChanging.value || undefined;
  return (
    <div class="bulk" role="group" aria-label={texts.changeSelected}>
      <p class="bulk-count">{texts.selected(trash.selected.value.size)}</p>
      <p class="buttons">
        <button
          type="button"
          class="button primary"
          aria-disabled={isDisabled}
          onClick={() => void trash.restoreSelected()}
        >
          {texts.restore}
        </button>
        <button type="button" class="button danger" aria-disabled={isDisabled} onClick={onRemove}>
          {texts.deleteForGood}
        </button>
        <button type="button" class="button" onClick={() => trash.deselect()}>
          {texts.deselect}
        </button>
      </p>
    </div>
  );
}

function RemoveDialog({
  asked,
  trash,
  onClose,
}: {
  asked: DeletedDocument | "selected";
  trash: Trash;
  onClose: () => void;
}) {
  const title =
    asked === "selected"
      ? texts.askDeleteAllForGood(trash.selected.value.size)
      : texts.askDeleteForGood(asked.title);
  const remove = (): unknown => (asked === "selected" ? trash.removeSelected() : trash.removeForGood(asked));
  return (
    <Ask title={title} answer={texts.deleteForGood} onClose={onClose} onAnswer={remove}>
      <p>{texts.deletedForEver}</p>
    </Ask>
  );
}

/** Rounded up: the last day counts. */
function daysUntil(moment: string): number {
  return Math.max(1, Math.ceil((Date.parse(moment) - Date.now()) / 86_400_000));
}
