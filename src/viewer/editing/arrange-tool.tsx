import { type Signal, useSignal } from "@preact/signals";
import { ArrangeGrid } from "./arrange-grid.tsx";
import { Question } from "./question.tsx";
import { InsertPages } from "./insert-pages.tsx";
import { Arrangement, changesInWords } from "../model/arrangement.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { useEndOfWork } from "./rewriting.ts";
import { useLeavingWarning } from "../form/form.tsx";
import { Tool } from "./tool.tsx";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** The order of pages from before the tool was closed. */
const arrangements = new WeakMap<ViewerState, Arrangement>();

/** Opens the tool that arranges the pages. The new order stays if it is closed and opened again. */
export function openArrangement(viewer: ViewerState): void {
  viewer.openTool(() => <ArrangeTool viewer={viewer} />);
}

/** The arrangement that was left unfinished, if it is still about the document's file, or a new one. */
function arrangementOf(viewer: ViewerState): Arrangement {
  const record = viewer.record.peek();
  const known = arrangements.get(viewer);
  if (known !== undefined && (known.own.file_hash === record.file_hash || known.state.peek() !== "arranging"))
    return known;
  const arrangement = new Arrangement(viewer.api, record);
  arrangements.set(viewer, arrangement);
  return arrangement;
}

function ArrangeTool({ viewer }: { viewer: ViewerState }) {
  const current = useSignal(arrangementOf(viewer));
  const arrangement = current.value;
  const dialog = useSignal<"insert" | "apply" | null>(null);
  const state = arrangement.state.value;
  const changes = changesInWords(arrangement.own, arrangement.pages.value);
  useLeavingWarning(changes.length > 0 && state === "arranging");
  const conclude = async (): Promise<void> => {
    const isDone = await arrangement.conclude();
    viewer.announcement.value = isDone ? arrangement.result.value : arrangement.problem.value;
    if (!isDone) return;
    arrangements.delete(viewer);
    current.value = arrangementOf(viewer);
    current.value.result.value = arrangement.result.value;
  };
  useEndOfWork(viewer, state === "working", () => void conclude());
  const apply = async (): Promise<void> => {
    dialog.value = null;
    await arrangement.apply(() => viewer.followWork());
  };
  const closeDialog = (): void => {
    dialog.value = null;
  };
  return (
    <Tool title={texts.arrange.heading}>
      <div class="arrange">
        {state === "arranging" ? (
          <Arranging viewer={viewer} arrangement={arrangement} onInsert={() => (dialog.value = "insert")} />
        ) : (
          <p role="status" class="working">
            {state === "working" ? texts.arrange.working : texts.oneMoment}
          </p>
        )}
      </div>
      {dialog.value === "insert" && (
        <InsertPages viewer={viewer} arrangement={arrangement} onClose={closeDialog} />
      )}
      {dialog.value === "apply" && (
        <ApplyQuestion
          pageCount={arrangement.pages.value.length}
          changes={changes}
          onClose={closeDialog}
          onApply={() => void apply()}
        />
      )}
      <div class="tool-foot">
        <p role="status">{stateInWords(arrangement, changes)}</p>
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
          <button type="button" class="button" onClick={() => viewer.closeTool()}>
            {viewerTexts.close}
          </button>
        </p>
      </div>
    </Tool>
  );
}

/** What is to change, or what was changed last. */
function stateInWords({ state, pages, result }: Arrangement, changes: readonly string[]): string {
  if (state.value !== "arranging") return "";
  if (changes.length > 0) return texts.arrange.summary(pages.value.length, changes.join(", "));
  return result.value === "" ? texts.arrange.nothingChanged : result.value;
}

/** The pages, and what can be done with those that are selected. */
function Arranging({
  viewer,
  arrangement,
  onInsert,
}: {
  viewer: ViewerState;
  arrangement: Arrangement;
  onInsert: () => void;
}) {
  const problem = useSignal("");
  const remove = (): void => {
    const removed = arrangement.selected.value;
    const count = removed.size;
    if (arrangement.remove(removed)) viewer.announcement.value = texts.arrange.removed(count);
    else problem.value = texts.arrange.needsPage;
  };
  return (
    <>
      <p class="quiet">{texts.arrange.help}</p>
      {arrangement.problem.value !== "" && (
        <div class="notice" role="alert">
          <p class="problem">{arrangement.problem.value}</p>
          <p>{texts.arrange.asItWas}</p>
        </div>
      )}
      <Actions arrangement={arrangement} problem={problem} onInsert={onInsert} onRemove={remove} />
      <div role="alert">{problem.value !== "" && <p class="problem">{problem}</p>}</div>
      <ArrangeGrid viewer={viewer} arrangement={arrangement} onRemove={remove} />
    </>
  );
}

/** A button, and whether it needs selected pages. */
type Action = readonly [label: string, run: () => unknown, needsSelection?: boolean];

function Actions({
  arrangement,
  problem,
  onInsert,
  onRemove,
}: {
  arrangement: Arrangement;
  problem: Signal<string>;
  onInsert: () => void;
  onRemove: () => void;
}) {
  const selected = arrangement.selected.value;
  const count = arrangement.pages.value.length;
  const isAllSelected = selected.size === count;
  const words = texts.arrange;
  const actions: readonly Action[] = [
    [isAllSelected ? words.selectNone : words.selectAll, () => arrangement.selectAll(!isAllSelected), false],
    [words.turnLeft, () => arrangement.turn(selected, -1)],
    [words.turnRight, () => arrangement.turn(selected, 1)],
    [words.moveEarlier, () => arrangement.step(selected, -1)],
    [words.moveLater, () => arrangement.step(selected, 1)],
    [words.moveToBeginning, () => arrangement.moveTo(selected, 0)],
    [words.moveToEnd, () => arrangement.moveTo(selected, count)],
    [viewerTexts.remove, onRemove],
    [words.insert, onInsert, false],
  ];
  const act = ([, run, needsSelection = true]: Action): void => {
    problem.value = "";
    arrangement.result.value = "";
    if (needsSelection && selected.size === 0) problem.value = words.selectFirst;
    else run();
  };
  return (
    <div class="buttons arrange-actions" role="group" aria-label={words.selectedPages}>
      {actions.map((action, index) => (
        <button key={index} type="button" class="button small" onClick={() => act(action)}>
          {action[0]}
        </button>
      ))}
      <button
        type="button"
        class="button small"
        disabled={!arrangement.canUndo.value}
        onClick={() => arrangement.undo()}
      >
        {viewerTexts.undo}
      </button>
    </div>
  );
}

function ApplyQuestion({
  pageCount,
  changes,
  onClose,
  onApply,
}: {
  pageCount: number;
  changes: readonly string[];
  onClose: () => void;
  onApply: () => void;
}) {
  return (
    <Question title={texts.arrange.ask} onClose={onClose}>
      <p>{texts.arrange.willHave(pageCount)}</p>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <p>{texts.arrange.consequences}</p>
      <p class="buttons">
        <button type="button" class="button primary" onClick={onApply}>
          {texts.arrange.change}
        </button>
      </p>
    </Question>
  );
}
