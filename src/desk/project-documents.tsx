import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Project } from "../contract/project.ts";
import { SearchForm } from "../viewer/form/search-form.tsx";
import { dayInWords } from "../viewer/texts/moments.ts";
import type { DeskApi, DeskDocument } from "./model/desk-api.ts";
import type { ProjectWorkplace } from "./model/project.ts";
import type { SelectableList } from "./model/selectable-list.ts";
import { texts } from "./model/texts.ts";
import { DocumentRow } from "./parts/document-row.tsx";

const words = texts.projectPage;

/** The documents of a project: a search among them, the selection, and the buttons that add and remove some. */
export function ProjectDocuments({
  api,
  project,
  workplace,
  onAdd,
}: {
  api: DeskApi;
  project: Project;
  workplace: ProjectWorkplace;
  onAdd: () => void;
}) {
  const id = useId();
  const mayChange = project.add_remove_access === true;
  const documents = workplace.documents.value;
  return (
    <section class="project-part" aria-labelledby={`${id}-head`}>
      <h2 id={`${id}-head`}>{words.documents}</h2>
      <Actions workplace={workplace} onAdd={mayChange ? onAdd : null} />
      {documents.length === 0 && !workplace.isLoading.value && (
        <p>{workplace.query.value === "" ? words.empty : texts.notFoundInProject}</p>
      )}
      {documents.length > 0 && mayChange && (
        <p class="check select-all">
          <input
            id={`${id}-all`}
            type="checkbox"
            checked={workplace.isPageSelected.value}
            onChange={() => workplace.togglePage()}
          />
          <label for={`${id}-all`}>{texts.selectAll}</label>
        </p>
      )}
      {documents.length > 0 && (
        <ul class="documents">
          {documents.map((document) => (
            <FoundDocument
              key={document.id}
              api={api}
              document={document}
              list={mayChange ? workplace : null}
            />
          ))}
        </ul>
      )}
      {workplace.hasNext.value && (
        <p class="buttons">
          <button type="button" class="button" onClick={() => void workplace.loadMore()}>
            {words.more}
          </button>
        </p>
      )}
    </section>
  );
}

/** The search, and the buttons above the list. `onAdd` is null if the person may not change the project's documents. */
function Actions({ workplace, onAdd }: { workplace: ProjectWorkplace; onAdd: (() => void) | null }) {
  const q = useSignal("");
  const selected = workplace.selected.value;
  return (
    <>
      <SearchForm
        query={q}
        label={texts.searchProject}
        isLabelHidden
        submit={words.find}
        send={() => workplace.search(q.value)}
      />
      <p class="buttons">
        {onAdd !== null && (
          <button type="button" class="button primary" onClick={onAdd}>
            {words.add}
          </button>
        )}
        {selected.size > 0 && (
          <button type="button" class="button" onClick={() => void workplace.removeSelected()}>
            {words.remove(selected.size)}
          </button>
        )}
        {workplace.query.value !== "" && (
          <button
            type="button"
            class="button"
            onClick={() => {
              q.value = "";
              void workplace.search("");
            }}
          >
            {texts.showAll}
          </button>
        )}
      </p>
    </>
  );
}

/** A document of a list in which it can be selected; with null, it cannot. */
export function FoundDocument({
  api,
  document,
  list,
}: {
  api: DeskApi;
  document: DeskDocument;
  list: SelectableList<DeskDocument> | null;
}) {
  const { id, status, access, page_count, created_at, source } = document;
  return (
    <DocumentRow
      document={document}
      heading="h3"
      selection={list && { isSelected: list.selected.value.has(id), onToggle: () => list.toggle(document) }}
      image={api.firstPageOf(document)}
      facts={[
        page_count > 0 && texts.pages(page_count),
        access !== "public" && texts.accessShort[access],
        status !== "success" && texts.statuses[status],
        dayInWords(created_at),
        source,
      ]}
    />
  );
}
