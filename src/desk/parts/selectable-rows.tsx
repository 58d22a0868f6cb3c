import type { ComponentChildren } from "preact";
import type { SelectableList } from "../model/selectable-list.ts";
import { texts } from "../model/texts.ts";

/**
 * The documents of a page as rows, below a box that selects them all, and the buttons that turn the page if there is
 * another. `children` renders the row of a document, `besideBox` stands beside the box, `buttons` after the others.
 */
export function SelectableRows<Item extends { id: number }>({
  list,
  label,
  besideBox,
  buttons,
  children,
}: {
  list: SelectableList<Item>;
  label: string;
  besideBox?: ComponentChildren;
  buttons?: ComponentChildren;
  children: (document: Item) => ComponentChildren;
}) {
  const documents = list.documents.value;
  const hasPages = list.hasPrevious.value || list.hasNext.value;
  return (
    <>
      {documents.length > 0 && (
        <section aria-label={label}>
          <div class="select-all">
            <p class="check">
              <input
                id="select-all"
                type="checkbox"
                checked={list.isPageSelected.value}
                onChange={() => list.togglePage()}
              />
              <label for="select-all">{texts.selectAll}</label>
            </p>
            {besideBox}
          </div>
          <ul class="documents">{documents.map(children)}</ul>
        </section>
      )}
      {(hasPages || buttons !== undefined) && (
        <p class="buttons">
          {hasPages && (
            <>
              <PageButton list={list} by={-1} isPossible={list.hasPrevious.value} label={texts.previous} />
              <PageButton list={list} by={1} isPossible={list.hasNext.value} label={texts.next} />
            </>
          )}
          {buttons}
        </p>
      )}
    </>
  );
}

function PageButton<Item extends { id: number }>({
  list,
  by,
  isPossible,
  label,
}: {
  list: SelectableList<Item>;
  by: 1 | -1;
  isPossible: boolean;
  label: string;
}) {
  return (
    <button type="button" class="button" disabled={!isPossible} onClick={() => void list.turnPage(by)}>
      {label}
    </button>
  );
}
