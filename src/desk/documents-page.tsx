import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Project } from "../contract/project.ts";
import { dayInWords } from "../viewer/texts/moments.ts";
import { FileTroubleBox } from "../viewer/editing/file-trouble.tsx";
import { ShortcutSheet } from "../viewer/shortcuts.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { ChosenFilters, Facets } from "./facets.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import type { DeskApi, DeskDocument } from "./model/desk-api.ts";
import { parametersOf } from "./model/list-query.ts";
import { type DocumentList, maxSelected } from "./model/document-list.ts";
import type { SavedSearches } from "./model/saved-searches.ts";
import { texts } from "./model/texts.ts";
import { DocumentRow } from "./parts/document-row.tsx";
import { ResultLine } from "./parts/result-line.tsx";
import { RowButton } from "./parts/row-button.tsx";
import { SelectableRows } from "./parts/selectable-rows.tsx";
import { SavedSearchList } from "./saved-searches.tsx";
import { DocumentSearch } from "./document-search.tsx";
import { useShortcuts } from "./shortcuts.tsx";

/** The page on which people find, sort and change their documents. */
export function DocumentsPage({
  api,
  list,
  saved,
}: {
  api: DeskApi;
  list: DocumentList;
  saved: SavedSearches;
}) {
  const projects = useSignal<readonly Project[]>([]);
  const edited = useSignal<DeskDocument | null>(null);
  useEffect(() => {
    const load = async (): Promise<void> => {
      projects.value = await api.projects().catch(() => []);
    };
    void load();
    void list.followAddress();
    void saved.load();
  }, [api, list, saved, projects]);
  const isHelpOpen = useSignal(false);
  const commands = useShortcuts(list, {
    onEdit: (document) => (edited.value = document),
    onHelp: () => (isHelpOpen.value = true),
  });
  return (
    <div class="desk">
      <DocumentSearch list={list} />
      <ChosenFilters api={api} list={list} />
      <SavedSearchList saved={saved} list={list} />
      <div class="found">
        <Facets api={api} list={list} />
        <FoundList
          api={api}
          list={list}
          projects={projects.value}
          onEdit={(document) => (edited.value = document)}
          onHelp={() => (isHelpOpen.value = true)}
        />
      </div>
      {isHelpOpen.value && <ShortcutSheet commands={commands} onClose={() => (isHelpOpen.value = false)} />}
      {edited.value !== null && (
        <EditDialog api={api} document={edited.value} list={list} onClose={() => (edited.value = null)} />
      )}
    </div>
  );
}

function FoundList({
  api,
  list,
  projects,
  onEdit,
  onHelp,
}: {
  api: DeskApi;
  list: DocumentList;
  projects: readonly Project[];
  onEdit: (document: DeskDocument) => void;
  onHelp: () => void;
}) {
  return (
    <div class="found-list">
      <Summary api={api} list={list} />
      <div class="list-tools">
        <ResultLine result={list.message}>
          {list.restorable.value.length > 0 && (
            <button type="button" class="button small" onClick={() => void list.undoRemoval()}>
              {texts.undo}
            </button>
          )}
        </ResultLine>
        {list.selected.value.size > 0 && <BulkActions api={api} list={list} projects={projects} />}
      </div>
      <SelectableRows
        list={list}
        label={texts.documents}
        besideBox={<SelectAllFound list={list} />}
        buttons={
          <button type="button" class="button small" onClick={onHelp}>
            {texts.keys.button}
          </button>
        }
      >
        {(document) => (
          <ListedDocument
            key={document.id}
            api={api}
            document={document}
            list={list}
            onEdit={() => onEdit(document)}
          />
        )}
      </SelectableRows>
    </div>
  );
}

/** The result of the search in words, and how the query was read if that may be unexpected. */
function Summary({ api, list }: { api: DeskApi; list: DocumentList }) {
  const { notes, suggestion } = list.remarks.value;
  const hasNone = list.documents.value.length === 0 && list.isOwn.value;
  return (
    <div class="list-summary">
      <div role="status">
        <p>
          {list.isLoading.value ? texts.loading : hasNone ? texts.noneYet : foundInWords(list)}
          {!list.isLoading.value && hasNone && (
            <>
              {" "}
              <a href={api.options.upload}>{texts.uploadSome}</a>
            </>
          )}
        </p>
        {notes.map((note) => (
          <p key={note} class="doubtful" dir="auto">
            {note}
          </p>
        ))}
      </div>
      {suggestion !== null && (
        <button type="button" class="button small" onClick={() => void list.search(suggestion)}>
          {texts.didYouMean(suggestion)}
        </button>
      )}
      <p class="list-actions">
        <a href={`${api.root}documents/spreadsheet/export/?${parametersOf(list.query.value)}`} download>
          {texts.exportSpreadsheet}
        </a>
        <a href={api.pageAddress("documents/spreadsheet/")}>{texts.importSpreadsheet}</a>
        <a href={api.pageAddress("redact/")}>{texts.redactionsUnderWay}</a>
        <a href={api.options.trash}>{texts.trash}</a>
      </p>
    </div>
  );
}

function foundInWords(list: DocumentList): string {
  const count = list.count.value;
  const shown = list.documents.value.length;
  if (shown === 0) return texts.noDocuments;
  const first = list.firstShown.value;
  return shown === count ? texts.found(count) : texts.foundPart(first, first + shown - 1, count);
}

/** The button that selects the documents of all pages; nothing if there is only one page. */
function SelectAllFound({ list }: { list: DocumentList }) {
  const count = list.count.value;
  if (count <= list.documents.value.length) return null;
  return (
    <button type="button" class="button small" onClick={() => void list.selectAll()}>
      {count > maxSelected ? texts.selectFirst(maxSelected) : texts.selectAllFound(count)}
    </button>
  );
}

function ListedDocument({
  api,
  document,
  list,
  onEdit,
}: {
  api: DeskApi;
  document: DeskDocument;
  list: DocumentList;
  onEdit: () => void;
}) {
  const title = document.title === "" ? texts.untitled : document.title;
  return (
    <DocumentRow
      document={document}
      selection={{
        isSelected: list.selected.value.has(document.id),
        onToggle: () => list.toggle(document),
      }}
      image={api.firstPageOf(document)}
      facts={[
        texts.statuses[document.status],
        document.page_count > 0 && texts.pages(document.page_count),
        texts.accessShort[document.access],
        dayInWords(document.created_at),
        document.source,
      ]}
      below={
        document.edit_access &&
        ["error", "nofile"].includes(document.status) && (
          <FileTroubleBox
            key={document.updated_at}
            client={api}
            document={document}
            name={title}
            onStarted={() => list.followReading(document.id)}
          />
        )
      }
    >
      {document.edit_access && (
        <>
          <RowButton action={texts.edit} of={title} onClick={onEdit} />
          {!["error", "nofile"].includes(document.status) && (
            <a
              class="button small"
              href={api.replacementPage(document.id)}
              aria-label={texts.of(texts.replaceFile, title)}
            >
              {texts.replaceFile}
            </a>
          )}
        </>
      )}
    </DocumentRow>
  );
}
