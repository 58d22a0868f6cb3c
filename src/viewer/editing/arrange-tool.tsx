import { useSignal } from "@preact/signals";
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
export function openArrangement(reading: ViewerState): void {
  reading.openTool(() => <ArrangeTool reading={reading} />);
}

/** The arrangement that was left unfinished, if it is still about the document's file, or a new one. */
function arrangementOf(reading: ViewerState): Arrangement {
  const record = reading.record.peek();
  const known = arrangements.get(reading);
  if (known !== undefined && (known.own.file_hash === record.file_hash || known.state.peek() !== "arranging"))
    return known;
  const arrangement = new Arrangement(reading.api, record);
  arrangements.set(reading, arrangement);
  return arrangement;
}

function ArrangeTool({ reading }: { reading: ViewerState }) {
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
              {action(viewerTexts.remove, remove)}
              {action(texts.arrange.insert, () => (dialog.value = "insert"), false)}
              <button
                type="button"
                class="button small"
                disabled={!arrangement.canUndo.value}
                onClick={() => arrangement.undo()}
              >
                {viewerTexts.undo}
              </button>
            </div>
            <div role="alert">{problem.value !== "" && <p class="problem">{problem}</p>}</div>
            <ArrangeGrid reading={reading} arrangement={arrangement} onRemove={remove} />
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
            {viewerTexts.close}
          </button>
        </p>
      </div>
    </Tool>
  );
}
