import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { RefusedError } from "./model/send.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { Sheet, type SheetRow, maxRows } from "./model/sheet.ts";
import { px } from "./model/style-values.ts";
import { texts } from "./texts/texts.ts";

/** In CSS pixels. Every row has one line, so that a long sheet can be laid out without being rendered. */
const rowHeight = 34;

/** The original of a document, if it is a spreadsheet or CSV file. Shows one sheet at a time. */
export function TableView({ viewer }: { viewer: ViewerState }) {
  const sheets = useSignal<readonly string[]>([]);
  const chosen = useSignal(0);
  const fault = useSignal<string | null>(null);
  const attempt = useSignal(0);
  const sheet = useMemo(
    () =>
      new Sheet(async (offset) => {
        const part = await viewer.api.table(chosen.peek(), offset);
        sheets.value = part.sheets;
        return part;
      }),
    [chosen.value, attempt.value],
  );
  const loadMore = async (): Promise<void> => {
    try {
      await sheet.loadMore();
      fault.value = null;
    } catch (error) {
      fault.value = faultInWords(error);
    }
  };
  const load = (): void => void loadMore();
  useEffect(load, [sheet]);
  void sheet.changes.value;
  return (
    <div class="table-view">
      {sheets.value.length > 1 && (
        <div class="sheet-choice" role="group" aria-label={texts.sheets}>
          {sheets.value.map((name, index) => (
            <button
              key={index}
              type="button"
              class="button small"
              aria-pressed={index === chosen.value}
              onClick={() => (chosen.value = index)}
            >
              <bdi>{name}</bdi>
            </button>
          ))}
        </div>
      )}
      {fault.value !== null && (
        <p class="problem table-fault" role="alert">
          {fault.value}{" "}
          <button
            type="button"
            class="button small"
            onClick={() => {
              fault.value = null;
              attempt.value += 1;
            }}
          >
            {texts.tryAgain}
          </button>
        </p>
      )}
      {sheet.header.length > 0 ? (
        <SheetTable key={sheet} viewer={viewer} sheet={sheet} onNeed={load} />
      ) : (
        fault.value === null && <p class="quiet table-fault">{texts.loading}</p>
      )}
      <p class="quiet table-count" aria-hidden="true">
        {countInWords(sheet)}
      </p>
    </div>
  );
}

function SheetTable({ viewer, sheet, onNeed }: { viewer: ViewerState; sheet: Sheet; onNeed: () => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  const view = useScrollPosition(scroller);
  const isSorting = useSignal(false);
  const open = useSignal<SheetRow | null>(null);
  const { rows, header, widths } = sheet;
  const first = Math.max(0, Math.floor(view.top / rowHeight) - 10);
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + 10);
  const isNearEnd = !sheet.isComplete && last > rows.length - 100;
  useEffect(() => {
    if (isNearEnd) onNeed();
  }, [isNearEnd, rows.length]);
  const sort = async (column: number): Promise<void> => {
    isSorting.value = !sheet.isComplete;
    viewer.announcement.value = sheet.isComplete ? "" : texts.loadingRows;
    try {
      await sheet.sortBy(column);
    } catch {
      viewer.announcement.value = texts.rowsNotLoaded;
      return;
    } finally {
      isSorting.value = false;
    }
    const title = header[column] ?? "";
    const direction = sheet.sorting?.direction;
    viewer.announcement.value = direction === undefined ? texts.sortedAsInFile : texts[direction](title);
  };
  return (
    <>
      <div
        class="table-scroll"
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={texts.views.table}
        aria-busy={isSorting.value}
      >
        <table
          aria-rowcount={sheet.isComplete && !sheet.isCut ? rows.length + 1 : -1}
          aria-colcount={header.length + 1}
          style={{ width: `${widths.reduce((sum, width) => sum + width, 6)}ch` }}
        >
          <colgroup>
            <col style={{ width: "6ch" }} />
            {widths.map((width, column) => (
              <col key={column} style={{ width: `${width}ch` }} />
            ))}
          </colgroup>
          <SheetHead sheet={sheet} onSort={(column) => void sort(column)} />
          <tbody>
            {first > 0 && <Space height={first * rowHeight} />}
            {rows.slice(first, last).map((row, index) => (
              <SheetRowCells
                key={row.number}
                sheet={sheet}
                row={row}
                index={first + index}
                onOpen={() => (open.value = row)}
              />
            ))}
            {last < rows.length && <Space height={(rows.length - last) * rowHeight} />}
          </tbody>
        </table>
      </div>
      {open.value !== null && (
        <RowDialog sheet={sheet} row={open.value} onClose={() => (open.value = null)} />
      )}
    </>
  );
}

/** The part of a scroll area that is in the window, in CSS pixels. */
function useScrollPosition(scroller: RefObject<HTMLElement | null>): { top: number; height: number } {
  const [view, setView] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const measure = (): void => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, []);
  return view;
}

function SheetHead({ sheet, onSort }: { sheet: Sheet; onSort: (column: number) => void }) {
  const { header, sorting } = sheet;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col">
          <span class="visually-hidden">{texts.row}</span>
        </th>
        {header.map((title, column) => (
          <th key={column} scope="col" aria-sort={sorting?.column === column ? sorting.direction : undefined}>
            <button type="button" title={title} onClick={() => onSort(column)}>
              <bdi>{title}</bdi>
              <span aria-hidden="true" class="sort-mark">
                {sorting?.column === column ? (sorting.direction === "ascending" ? "▲" : "▼") : "↕"}
              </span>
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

function SheetRowCells({
  sheet,
  row,
  index,
  onOpen,
}: {
  sheet: Sheet;
  row: SheetRow;
  /** Counting from 0. */
  index: number;
  onOpen: () => void;
}) {
  return (
    <tr aria-rowindex={index + 2} style={{ height: px(rowHeight) }}>
      <th scope="row">
        <button
          type="button"
          aria-label={texts.rowNumber(row.number)}
          aria-haspopup="dialog"
          onClick={onOpen}
        >
          {row.number}
        </button>
      </th>
      {sheet.header.map((_, column) => {
        const text = row.cells[column] ?? "";
        const isNumber = text !== "" && !Number.isNaN(Number(text));
        return (
          <td key={column} class={isNumber ? "number" : undefined} dir="auto">
            {text}
          </td>
        );
      })}
    </tr>
  );
}

/** All cells of a row, one below the other. */
function RowDialog({ sheet, row, onClose }: { sheet: Sheet; row: SheetRow; onClose: () => void }) {
  return (
    <Dialog title={texts.rowNumber(row.number)} onClose={onClose}>
      <dl class="facts row-cells">
        {sheet.header.map((title, column) => (
          <div key={column}>
            <dt>
              <bdi>{title}</bdi>
            </dt>
            <dd dir="auto">{row.cells[column] ?? ""}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** A placeholder for rows that are not in the DOM. */
function Space({ height }: { height: number }) {
  return <tr aria-hidden="true" class="row-space" style={{ height: px(height) }} />;
}

function countInWords(sheet: Sheet): string {
  const count = sheet.rows.length;
  if (sheet.isCut) return texts.firstRows(count);
  if (sheet.isComplete) return texts.rows(count);
  return count === 0 ? "" : texts.rowsSoFar(count, maxRows);
}

function faultInWords(error: unknown): string {
  if (!(error instanceof RefusedError)) return texts.tableNotLoaded;
  if (error.status === 404) return texts.originalMissing;
  const reason = error.fields.get("error");
  return reason === undefined ? texts.tableNotLoaded : texts.tableUnreadable(reason);
}
