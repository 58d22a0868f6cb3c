import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Question } from "./question.tsx";
import { useGridWindow } from "../model/grid-window.ts";
import { InsertPages } from "./insert-pages.tsx";
import { type ArrangedPage, Arrangement, changesInWords } from "../model/arrangement.ts";
import { pageSizesOf } from "../model/page-sizes.ts";
import type { Reading } from "../model/reading.ts";
import { useEndOfWork } from "./rewriting.ts";
import { px } from "../model/style-values.ts";
import { Tool, useLeavingWarning } from "./tool.tsx";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** The order of pages from before the tool was closed. */
const arrangements = new WeakMap<Reading, Arrangement>();

/** Opens the tool that arranges the pages. The new order stays if it is closed and opened again. */
export function openArrangement(reading: Reading): void {
  reading.openTool(() => <ArrangeTool reading={reading} />);
}

/** The arrangement that was left unfinished, if it is still about the document's file, or a new one. */
function arrangementOf(reading: Reading): Arrangement {
  const record = reading.record.peek();
  const known = arrangements.get(reading);
  if (known !== undefined && (known.own.file_hash === record.file_hash || known.state.peek() !== "arranging"))
    return known;
  const arrangement = new Arrangement(reading.api, record);
  arrangements.set(reading, arrangement);
  return arrangement;
}

const cell = { width: 150, height: 214 };

function ArrangeTool({ reading }: { reading: Reading }) {
  const current = useSignal(arrangementOf(reading));
  const arrangement = current.value;
  const dialog = useSignal<"insert" | "apply" | null>(null);
  const problem = useSignal("");
  const state = arrangement.state.value;
  const selected = arrangement.selected.value;
  const pages = arrangement.pages.value;
  const changes = changesInWords(arrangement.own, pages);
  useLeavingWarning(changes.length > 0 && state === "arranging");
  const conclude = async (): Promise<void> => {
    const isDone = await arrangement.conclude();
    reading.announcement.value = isDone ? arrangement.result.value : arrangement.problem.value;
    if (!isDone) return;
    arrangements.delete(reading);
    current.value = arrangementOf(reading);
    current.value.result.value = arrangement.result.value;
  };
  useEndOfWork(reading, state === "working", () => void conclude());
  const apply = async (): Promise<void> => {
    dialog.value = null;
    await arrangement.apply(() => reading.followWork());
  };
  const closeDialog = (): void => {
    dialog.value = null;
  };
  const action = (label: string, run: () => void, needsSelection = true) => (
    <button
      type="button"
      class="button small"
      onClick={() => {
        problem.value = "";
        arrangement.result.value = "";
        if (needsSelection && selected.size === 0) problem.value = texts.arrange.selectFirst;
        else run();
      }}
    >
      {label}
    </button>
  );
  const remove = (): void => {
    const removed = arrangement.selected.value;
    const count = removed.size;
    if (arrangement.remove(removed)) reading.announcement.value = texts.arrange.removed(count);
    else problem.value = texts.arrange.needsPage;
  };
  return (
    <Tool title={texts.arrange.heading}>
      <div class="arrange">
        {state === "arranging" ? (
          <>
            <p class="quiet">{texts.arrange.help}</p>
            {arrangement.problem.value !== "" && (
              <div class="notice" role="alert">
                <p class="problem">{arrangement.problem.value}</p>
                <p>{texts.arrange.asItWas}</p>
              </div>
            )}
            <div class="buttons arrange-actions" role="group" aria-label={texts.arrange.selectedPages}>
              {action(
                selected.size === pages.length ? texts.arrange.selectNone : texts.arrange.selectAll,
                () => arrangement.selectAll(selected.size !== pages.length),
                false,
              )}
              {action(texts.arrange.turnLeft, () => arrangement.turn(selected, -1))}
              {action(texts.arrange.turnRight, () => arrangement.turn(selected, 1))}
              {action(texts.arrange.moveEarlier, () => arrangement.step(selected, -1))}
              {action(texts.arrange.moveLater, () => arrangement.step(selected, 1))}
              {action(texts.arrange.moveToBeginning, () => arrangement.moveTo(selected, 0))}
              {action(texts.arrange.moveToEnd, () => arrangement.moveTo(selected, pages.length))}
              {action(texts.remove, remove)}
              {action(texts.arrange.insert, () => (dialog.value = "insert"), false)}
              <button
                type="button"
                class="button small"
                disabled={!arrangement.canUndo.value}
                onClick={() => arrangement.undo()}
              >
                {texts.arrange.undo}
              </button>
            </div>
            <div role="alert">{problem.value !== "" && <p class="problem">{problem}</p>}</div>
            <Grid reading={reading} arrangement={arrangement} onRemove={remove} />
          </>
        ) : (
          <p role="status" class="working">
            {state === "working" ? texts.arrange.working : texts.oneMoment}
          </p>
        )}
      </div>
      {dialog.value === "insert" && (
        <InsertPages reading={reading} arrangement={arrangement} onClose={closeDialog} />
      )}
      {dialog.value === "apply" && (
        <Question title={texts.arrange.ask} onClose={closeDialog}>
          <p>{texts.arrange.willHave(pages.length)}</p>
          <ul>
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <p>{texts.arrange.consequences}</p>
          <p class="buttons">
            <button type="button" class="button primary" onClick={() => void apply()}>
              {texts.arrange.change}
            </button>
          </p>
        </Question>
      )}
      <div class="tool-foot">
        <p role="status">
          {state !== "arranging"
            ? ""
            : changes.length > 0
              ? texts.arrange.summary(pages.length, changes.join(", "))
              : arrangement.result.value === ""
                ? texts.arrange.nothingChanged
                : arrangement.result.value}
        </p>
        <p class="buttons">
          {state === "arranging" && (
            <button
              type="button"
              class="button primary"
              disabled={changes.length === 0}
              onClick={() => (dialog.value = "apply")}
            >
              {texts.arrange.apply}
            </button>
          )}
          <button type="button" class="button" onClick={() => reading.closeTool()}>
            {texts.close}
          </button>
        </p>
      </div>
    </Tool>
  );
}

/** The pages in their new order. Only those near the window are in the DOM. */
function Grid({
  reading,
  arrangement,
  onRemove,
}: {
  reading: Reading;
  arrangement: Arrangement;
  onRemove: () => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const pages = arrangement.pages.value;
  const { columns, first, past, onScroll } = useGridWindow(scroller, cell, pages.length);
  /** The keys of the pages that are dragged. */
  const dragged = useRef<ReadonlySet<number> | null>(null);
  /** The key of the page before which they would be dropped. */
  const target = useSignal<number | "end" | null>(null);
  /** The key of the page that keeps the focus when it moves. */
  const focused = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (focused.current === null) return;
    const box = scroller.current?.querySelector<HTMLElement>(`[data-key="${focused.current}"] input`);
    focused.current = null;
    box?.focus();
  }, [pages]);
  useEffect(() => {
    // A drag that ends outside the grid drops nothing.
    const onEnd = (): void => {
      dragged.current = null;
      target.value = null;
    };
    document.addEventListener("dragend", onEnd);
    return () => document.removeEventListener("dragend", onEnd);
  }, []);
  const drop = (key: number | null): void => {
    if (dragged.current !== null) arrangement.moveBefore(dragged.current, key);
    dragged.current = null;
    target.value = null;
  };
  const keysFor = (key: number): ReadonlySet<number> =>
    arrangement.selected.value.has(key) ? arrangement.selected.value : new Set([key]);
  const onKeyDown = (event: KeyboardEvent, page: ArrangedPage, index: number): void => {
    const direction = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (event.key === "Delete" || event.key === "Backspace") {
      event.preventDefault();
      if (!arrangement.selected.value.has(page.key)) arrangement.selected.value = new Set([page.key]);
      focused.current = (pages[index + 1] ?? pages[index - 1])?.key ?? null;
      onRemove();
    } else if (direction !== undefined && event.altKey) {
      event.preventDefault();
      focused.current = page.key;
      arrangement.step(keysFor(page.key), direction === 1 ? 1 : -1);
      const place = arrangement.pages.value.findIndex(({ key }) => key === page.key) + 1;
      reading.announcement.value = texts.arrange.isNow(nameOf(arrangement, page), place);
    } else if (direction !== undefined) {
      event.preventDefault();
      const vertical = event.key === "ArrowUp" || event.key === "ArrowDown";
      const next = pages[index + direction * (vertical ? columns : 1)];
      scroller.current?.querySelector<HTMLElement>(`[data-key="${next?.key}"] input`)?.focus();
    }
  };
  return (
    <div
      class="arrange-grid"
      ref={scroller}
      role="region"
      aria-label={texts.arrange.newOrder}
      onScroll={onScroll}
      onDragOver={(event) => {
        if (dragged.current === null) return;
        event.preventDefault();
        target.value = "end";
      }}
      onDrop={(event) => {
        event.preventDefault();
        drop(null);
      }}
    >
      <ol
        class="thumbnail-grid"
        style={{ height: px(Math.ceil(pages.length / Math.max(1, columns)) * cell.height) }}
      >
        {pages.slice(first, past).map((page, offset) => {
          const index = first + offset;
          return (
            <li
              key={page.key}
              data-key={page.key}
              class={target.value === page.key ? "drop-before" : ""}
              style={{
                top: px(Math.floor(index / columns) * cell.height),
                left: px((index % columns) * cell.width),
                width: px(cell.width),
                height: px(cell.height),
              }}
              draggable
              onDragStart={(event) => {
                dragged.current = keysFor(page.key);
                event.dataTransfer?.setData("text/plain", nameOf(arrangement, page));
              }}
              onDragOver={(event) => {
                if (dragged.current === null) return;
                event.preventDefault();
                event.stopPropagation();
                target.value = page.key;
              }}
              onDrop={(event) => {
                event.preventDefault();
                event.stopPropagation();
                drop(page.key);
              }}
            >
              <label class={arrangement.selected.value.has(page.key) ? "arranged selected" : "arranged"}>
                <Thumbnail reading={reading} page={page} />
                <span>
                  <input
                    type="checkbox"
                    checked={arrangement.selected.value.has(page.key)}
                    onChange={() => arrangement.toggle(page.key)}
                    onKeyDown={(event) => onKeyDown(event, page, index)}
                  />{" "}
                  {index + 1}
                  <span class="quiet"> {wasInWords(arrangement, page, index)}</span>
                </span>
              </label>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function nameOf({ own }: Arrangement, { source, page }: ArrangedPage): string {
  return source.id === own.id
    ? texts.arrange.formerPage(page + 1)
    : texts.arrange.pageOf(page + 1, source.title);
}

function wasInWords(arrangement: Arrangement, page: ArrangedPage, index: number): string {
  const isOwn = page.source.id === arrangement.own.id;
  const { insertedFrom, was, turns } = texts.arrange;
  const origin = isOwn
    ? page.page === index
      ? ""
      : was(page.page + 1)
    : insertedFrom(page.page + 1, page.source.title);
  return [origin, turns[page.turns] ?? ""].filter((part) => part !== "").join(", ");
}

function Thumbnail({ reading, page: { source, page, turns } }: { reading: Reading; page: ArrangedPage }) {
  const sizes = pageSizesOf(source.page_spec, source.page_count);
  const [width, height] = [sizes.widths[page] ?? 1, sizes.heights[page] ?? 1];
  const [shownWidth, shownHeight] = turns % 2 === 1 ? [height, width] : [width, height];
  const scale = Math.min((cell.width - 24) / shownWidth, (cell.height - 54) / shownHeight);
  const style = {
    width: px(width * scale),
    height: px(height * scale),
    transform: turns === 0 ? "none" : `rotate(${turns * 90}deg)`,
  };
  const address = reading.api.imageAddress(source, page, 180);
  return (
    <span class="arranged-image">
      {address === null ? (
        <span class="thumbnail" style={style} />
      ) : (
        <img class="thumbnail" src={address} alt="" draggable={false} loading="lazy" style={style} />
      )}
    </span>
  );
}
