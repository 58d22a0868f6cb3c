import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { maxBoxes } from "../../contract/limits.ts";
import { addBoxInView, useBoxDrawing } from "./box-layer.tsx";
import { DrawnMarks } from "./drawn-marks.tsx";
import { ReasonField } from "./reason-field.tsx";
import { RedactQuestion } from "./redact-choices.tsx";
import { RedactWorking } from "./redact-working.tsx";
import { Leftovers } from "./leftovers.tsx";
import { FoundWords, WordsForm } from "./redact-words.tsx";
import type { BoxDrawing } from "../model/box-drawing.ts";
import { turnedBox } from "../model/boxes.ts";
import { Redaction } from "../model/redaction.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { OutcomeInWords, PartsLeft } from "./outcome.tsx";
import { useEndOfWork } from "./rewriting.ts";
import { inPercent } from "../model/style-values.ts";
import { useLeavingWarning } from "../form/form.tsx";
import { Tool } from "./tool.tsx";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** The marks from before the tool was closed. */
const redactions = new WeakMap<ViewerState, Redaction>();

/**
 * Opens the tool that redacts places of the document, and finds `words` there. Marks stay if it is closed and opened
 * again.
 */
export function openRedaction(viewer: ViewerState, words = ""): void {
  const { record } = viewer;
  const redaction =
    redactions.get(viewer) ?? new Redaction(viewer.api, record.value.id, () => record.value.file_hash);
  redactions.set(viewer, redaction);
  viewer.openTool(() => <RedactTool viewer={viewer} redaction={redaction} />);
  if (words !== "") void redaction.find(words);
}

interface RedactParts {
  viewer: ViewerState;
  redaction: Redaction;
}

function RedactTool({ viewer, redaction }: RedactParts) {
  const drawing = useMarks({ viewer, redaction });
  const isAsking = useSignal(false);
  const state = redaction.state.value;
  useLeavingWarning(redaction.markCount.value > 0 && state === "marking");
  const conclude = async (): Promise<void> => {
    await redaction.conclude();
    if (redaction.outcome.value?.isDone === true) drawing.clear();
    viewer.announcement.value = redaction.outcome.value?.headline ?? redaction.problem.value;
  };
  useEndOfWork(viewer, state === "working", () => void conclude().then(() => redaction.searchAgain()));
  const send = async (request: () => Promise<void>): Promise<void> => {
    isAsking.value = false;
    drawing.isOn.value = false;
    await request();
  };
  return (
    <Tool title={texts.redact.heading}>
      <div class="redaction">
        {state === "marking" ? (
          <Marking viewer={viewer} redaction={redaction} drawing={drawing} />
        ) : (
          <RedactWorking viewer={viewer} redaction={redaction} />
        )}
      </div>
      {isAsking.value && (
        <RedactQuestion
          viewer={viewer}
          redaction={redaction}
          onClose={() => (isAsking.value = false)}
          onCopy={(choices) => void send(() => redaction.makeCopy(choices))}
          onApply={(drawn) => void send(() => redaction.apply(drawn, () => viewer.followWork()))}
        />
      )}
      <div class="tool-foot">
        {state === "marking" && <Marked redaction={redaction} />}
        <p class="buttons">
          {state === "marking" && redaction.markCount.value > 0 && (
            <ApplyButtons redaction={redaction} drawing={drawing} onApply={() => (isAsking.value = true)} />
          )}
          <button type="button" class="button" onClick={() => viewer.closeTool()}>
            {viewerTexts.close}
          </button>
        </p>
      </div>
    </Tool>
  );
}

/** Shows drawn boxes and mentions on the pages, and keeps the boxes in the redaction. */
function useMarks({ viewer, redaction }: RedactParts): BoxDrawing {
  const drawing = useBoxDrawing(viewer, { name: texts.redact.boxName, className: "redaction-box" });
  // The hook above has shown the drawn boxes; the mentions come below them.
  useEffect(() => {
    void redaction.loadReasons();
    for (const { page, box, purpose } of redaction.drawn.peek()) drawing.add(page, box, purpose);
    drawing.selected.value = null;
    const stop = drawing.boxes.subscribe((boxes) => {
      redaction.drawn.value = boxes.map(({ page, box, purpose = "" }) => ({ page, box, purpose }));
    });
    const Boxes = viewer.overlay.value;
    viewer.overlay.value = ({ page }) => (
      <div class={redaction.isPreview.value ? "redaction-layer preview" : "redaction-layer"}>
        <MentionBoxes viewer={viewer} redaction={redaction} page={page} />
        {Boxes !== null && <Boxes page={page} />}
      </div>
    );
    return stop;
  }, [viewer]);
  return drawing;
}

/** What became of the last request, and the ways to mark something. */
function Marking({ viewer, redaction, drawing }: RedactParts & { drawing: BoxDrawing }) {
  return (
    <>
      <LastRequest viewer={viewer} redaction={redaction} />
      <WordsForm viewer={viewer} redaction={redaction} />
      <ReasonField
        reasons={redaction.reasons.value}
        value={redaction.purpose.value}
        label={texts.redact.reason}
        none={texts.redact.noReason}
        onChoose={(code) => (redaction.purpose.value = code)}
      />
      <div class="button-group" role="group" aria-label={texts.redact.drawing}>
        <button
          type="button"
          class="button small"
          aria-pressed={drawing.isOn.value}
          onClick={() => (drawing.isOn.value = !drawing.isOn.value)}
        >
          {texts.redact.drawBoxes}
        </button>
        <button type="button" class="button small" onClick={() => addBoxInView(viewer, drawing)}>
          {texts.redact.addBox}
        </button>
      </div>
      {drawing.isOn.value && <p class="quiet">{texts.redact.drawHelp}</p>}
      {redaction.searches.value.map((search) => (
        <FoundWords key={search.id} viewer={viewer} redaction={redaction} search={search} />
      ))}
      <DrawnMarks viewer={viewer} drawing={drawing} reasons={redaction.reasons.value} />
    </>
  );
}

/** Why the last request was refused, where its copy is, or what it has hidden. */
function LastRequest({ viewer, redaction }: RedactParts) {
  const { problem, copy, outcome } = redaction;
  return (
    <>
      {problem.value !== "" && (
        <div class="notice" role="alert">
          <p class="problem">{problem.value}</p>
          <p>{texts.redact.unchanged}</p>
        </div>
      )}
      {copy.value !== null && (
        <p class="notice" role="status">
          {texts.redact.target.made} <a href={copy.value.address}>{texts.redact.target.open}</a>{" "}
          <a href={viewer.api.pageAddress("redact/")}>{texts.redact.target.underWay}</a>
        </p>
      )}
      {outcome.value !== null && (
        <section class="outcome" aria-label={texts.redact.result}>
          <OutcomeInWords outcome={outcome.value} />
          <PartsLeft redaction={redaction} />
          <Leftovers viewer={viewer} redaction={redaction} />
        </section>
      )}
    </>
  );
}

/** How much is marked. */
function Marked({ redaction: { markCount, pageCount, isTooMuch, boxes } }: { redaction: Redaction }) {
  return (
    <>
      <p role="status">
        {markCount.value === 0
          ? texts.redact.nothingMarked
          : texts.redact.marked(markCount.value, pageCount.value)}
      </p>
      {isTooMuch.value && <p class="problem">{texts.redact.tooMany(boxes.value.length, maxBoxes)}</p>}
    </>
  );
}

function ApplyButtons({
  redaction: { isPreview, isTooMuch },
  drawing,
  onApply,
}: {
  redaction: Redaction;
  drawing: BoxDrawing;
  onApply: () => void;
}) {
  const togglePreview = (): void => {
    isPreview.value = !isPreview.value;
    drawing.isOn.value = false;
  };
  return (
    <>
      <button type="button" class="button" aria-pressed={isPreview.value} onClick={togglePreview}>
        {viewerTexts.preview}
      </button>
      <button type="button" class="button danger" disabled={isTooMuch.value} onClick={onApply}>
        {texts.redact.apply}
      </button>
    </>
  );
}

/** The mentions on a page as boxes. A click on one ticks it, or not. */
function MentionBoxes({ viewer, redaction, page }: RedactParts & { page: number }) {
  const turns = viewer.scrolling.quarterTurns.value;
  return (
    <div class="mention-boxes" aria-hidden="true">
      {redaction.searches.value.flatMap((search) =>
        (search.byPage.value.get(page) ?? []).flatMap(({ key, boxes }) =>
          boxes.map((box, index) => (
            <span
              key={`${search.id} ${key} ${index}`}
              class={search.isTicked(key) ? "mention-box ticked" : "mention-box"}
              style={inPercent(turnedBox(box, turns))}
              onClick={() => search.toggle(key)}
            />
          )),
        ),
      )}
    </div>
  );
}
