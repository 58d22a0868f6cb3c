import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { filesIcon, trash2Icon, uploadIcon, userIcon, usersIcon } from "../contract/icons.ts";
import type { Project } from "../contract/project.ts";
import { ChoiceField } from "../viewer/form/field.tsx";
import { Icon } from "../viewer/form/icon.tsx";
import { texts as viewerTexts } from "../viewer/texts/texts.ts";
import { ShortcutSheet } from "../viewer/shortcuts.tsx";
import type { BulkActions as BulkActionsPart } from "./bulk-actions.tsx";
import { ChosenFilters, Facets } from "./facets.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import type { DeskApi, DeskDocument } from "./model/desk-api.ts";
import { type DocumentList, maxSelected } from "./model/document-list.ts";
import {
  type ListQuery,
  addressOf,
  byScore,
  newestFirst,
  parametersOf,
  readAddress,
} from "./model/list-query.ts";
import type { SavedSearches } from "./model/saved-searches.ts";
import { texts } from "./model/texts.ts";
import { ListedDocument } from "./parts/listed-document.tsx";
import { ResultLine } from "./parts/result-line.tsx";
import { SelectableRows } from "./parts/selectable-rows.tsx";
import { SavedSearchList } from "./saved-searches.tsx";
import { DocumentSearch } from "./document-search.tsx";
import { useShortcuts } from "./shortcuts.tsx";

/** The page on which people find, sort and change documents. */
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
      <div class="listing">
        <div class="listing-side">
          <Facets api={api} list={list}>
            <Views api={api} list={list} />
          </Facets>
          <SavedSearchList saved={saved} list={list} />
        </div>
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

/** The lists that people go back to: all documents, their own, what others share, what they have deleted. */
function Views({ api, list }: { api: DeskApi; list: DocumentList }) {
  const here = addressOf({ ...list.query.value, sort: newestFirst, page: 1 });
  const all = readAddress("");
  const shown = (query: ListQuery, text: string, icon: string) => (
    <li>
      <a
        href={addressOf(query)}
        aria-current={addressOf(query) === here ? "page" : undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          void list.show(query);
        }}
      >
        <Icon of={icon} />
        {text}
      </a>
    </li>
  );
  return (
    <nav class="side-links" aria-label={texts.views.label}>
      <ul>
        {shown(all, texts.views.all, filesIcon)}
        {shown(list.own, texts.views.own, userIcon)}
        <li>
          <a href={api.pageAddress("shared/")}>
            <Icon of={usersIcon} />
            {texts.views.shared}
          </a>
        </li>
        <li>
          <a href={api.options.trash}>
            <Icon of={trash2Icon} />
            {texts.trash}
          </a>
        </li>
      </ul>
    </nav>
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
    <div class="listing-main">
      <ListBar list={list} />
      <ChosenFilters api={api} list={list} />
      <Remarks list={list} />
      {list.isWhole.value && !list.isLoading.value && list.count.value === 0 && <FirstSteps api={api} />}
      {/* Together, so that the outcome gets the focus when the form goes away. */}
      <div class="list-tools">
        <ResultLine result={list.message}>
          {list.restorable.value.length > 0 && (
            <button type="button" class="button small" onClick={() => void list.undoRemoval()}>
              {texts.undo}
            </button>
          )}
        </ResultLine>
        <Bulk api={api} list={list} projects={projects} />
      </div>
      <SelectableRows
        list={list}
        label={texts.documents}
        besideBox={<SelectAllFound list={list} />}
        buttons={
          <>
            <button type="button" class="button small bare" onClick={onHelp}>
              {texts.keys.button}
            </button>
            <a
              class="button small bare"
              href={`${api.root}documents/spreadsheet/export/?${parametersOf(list.query.value)}`}
              download
            >
              {texts.exportSpreadsheet}
            </a>
            <a class="button small bare" href={api.pageAddress("documents/spreadsheet/")}>
              {texts.importSpreadsheet}
            </a>
            <a class="button small bare" href={api.pageAddress("redact/")}>
              {texts.redactionsUnderWay}
            </a>
          </>
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

/** The form for the selected documents, whose chunk is loaded with the first selection. */
function Bulk(props: Parameters<typeof BulkActionsPart>[0]) {
  const part = useSignal<{ BulkActions: typeof BulkActionsPart } | null>(null);
  const hasSelection = props.list.selected.value.size > 0;
  useEffect(() => {
    const load = async (): Promise<void> => {
      try {
        part.value = await import("./bulk-actions.tsx");
      } catch {
        props.list.notify(viewerTexts.partNotLoaded, true);
      }
    };
    if (hasSelection && part.peek() === null) void load();
  }, [hasSelection]);
  return hasSelection && part.value !== null ? <part.value.BulkActions {...props} /> : null;
}

/** How much was found, and in which order it stands. */
function ListBar({ list }: { list: DocumentList }) {
  const { q, sort } = list.query.value;
  const orders = Object.entries(texts.orders).filter(([name]) => name !== byScore || q.trim() !== "");
  const choices = orders.some(([name]) => name === sort) ? orders : [...orders, [sort, sort] as const];
  return (
    <div class="list-bar">
      <p role="status">{list.isLoading.value ? texts.loading : foundInWords(list)}</p>
      <ChoiceField
        field={{ value: sort, set: (chosen) => void list.show({ sort: chosen }) }}
        label={texts.order}
        choices={choices}
      />
    </div>
  );
}

/** What people without documents can do. */
function FirstSteps({ api }: { api: DeskApi }) {
  return (
    <div class="empty">
      <h2>{texts.noneYet}</h2>
      <p>{texts.firstSteps}</p>
      <p>
        <a class="button primary" href={api.options.upload}>
          <Icon of={uploadIcon} />
          {texts.uploadSome}
        </a>
      </p>
    </div>
  );
}

/** How the query was read, if that may be unexpected. */
function Remarks({ list }: { list: DocumentList }) {
  const { notes, suggestion } = list.remarks.value;
  return (
    <>
      <div role="status">
        {notes.map((note) => (
          <p key={note} class="doubtful" dir="auto">
            {note}
          </p>
        ))}
      </div>
      {suggestion !== null && (
        <p>
          <button type="button" class="button small" onClick={() => void list.search(suggestion)}>
            {texts.didYouMean(suggestion)}
          </button>
        </p>
      )}
    </>
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
