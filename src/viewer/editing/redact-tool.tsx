import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { maxBoxes } from "../../contract/limits.ts";
import { addBoxInView, useBoxDrawing } from "./box-layer.tsx";
import { DrawnMarks } from "./drawn-marks.tsx";
import { RedactQuestion } from "./redact-question.tsx";
import { RedactWorking } from "./redact-working.tsx";
import { Leftovers } from "./leftovers.tsx";
import { FoundWords, WordsForm } from "./redact-words.tsx";
import { turnedBox } from "../model/boxes.ts";
import { Redaction } from "../model/redaction.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { OutcomeInWords } from "./outcome.tsx";
import { useEndOfWork } from "./rewriting.ts";
import { inPercent } from "../model/style-values.ts";
import { useLeavingWarning } from "../form/form.tsx";
import { Tool } from "./tool.tsx";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** The marks from before the tool was closed. */
const redactions = new WeakMap<ViewerState, Redaction>();

/** Opens the tool that redacts places of the document. Marks stay if it is closed and opened again. */
export function openRedaction(reading: ViewerState): void {
  const redaction = redactions.get(reading) ?? new Redaction(reading.api, reading.record.value.id);
  redactions.set(reading, redaction);
  reading.openTool(() => <RedactTool reading={reading} redaction={redaction} />);
}

function RedactTool({ reading, redaction }: { reading: ViewerState; redaction: Redaction }) {
  const drawing = useBoxDrawing(reading, { name: texts.redact.boxName, className: "redaction-box" });
  const isAsking = useSignal(false);
  const state = redaction.state.value;
  useLeavingWarning(redaction.placeCount.value > 0 && state === "marking");
  // The hook above has shown the drawn boxes; the mentions come below them.
  useEffect(() => {
    for (const { page, box } of redaction.drawn.peek()) drawing.add(page, box);
    drawing.selected.value = null;
    const stop = drawing.boxes.subscribe((boxes) => {
      redaction.drawn.value = boxes.map(({ page, box }) => ({ page, box }));
    });
    const Boxes = reading.overlay.value;
    reading.overlay.value = ({ page }) => (
      <div class={redaction.isPreview.value ? "redaction-layer preview" : "redaction-layer"}>
        <MentionBoxes reading={reading} redaction={redaction} page={page} />
        {Boxes !== null && <Boxes page={page} />}
      </div>
    );
    return stop;
  }, [reading]);
  const conclude = async (): Promise<void> => {
    await redaction.conclude();
    if (redaction.outcome.value?.isDone === true) drawing.clear();
    reading.announcement.value = redaction.outcome.value?.headline ?? redaction.problem.value;
  };
  useEndOfWork(reading, state === "working", () => void conclude().then(() => redaction.searchAgain()));
  const send = async (request: () => Promise<void>): Promise<void> => {
    isAsking.value = false;
    drawing.isOn.value = false;
    await request();
  };
  const { placeCount, pageCount, isPreview, outcome } = redaction;
  return (
    <Tool title={texts.redact.heading}>
      <div class="redaction">
        {state !== "marking" ? (
          <RedactWorking reading={reading} redaction={redaction} />
        ) : (
          <>
            {redaction.problem.value !== "" && (
              <div class="notice" role="alert">
                <p class="problem">{redaction.problem.value}</p>
                <p>{texts.redact.unchanged}</p>
              </div>
            )}
            {redaction.copy.value !== null && (
              <p class="notice" role="status">
                {texts.redact.target.made}{" "}
                <a href={redaction.copy.value.address}>{texts.redact.target.open}</a>{" "}
                <a href={reading.api.pageAddress("redact/")}>{texts.redact.target.underWay}</a>
              </p>
            )}
            {outcome.value !== null && (
              <section class="outcome" aria-label={texts.redact.result}>
                <OutcomeInWords outcome={outcome.value} />
                <Leftovers reading={reading} redaction={redaction} />
              </section>
            )}
            <WordsForm reading={reading} redaction={redaction} />
            <div class="button-group" role="group" aria-label={texts.redact.drawing}>
              <button
                type="button"
                class="button small"
                aria-pressed={drawing.isOn.value}
                onClick={() => (drawing.isOn.value = !drawing.isOn.value)}
              >
                {texts.redact.drawBoxes}
              </button>
              <button type="button" class="button small" onClick={() => addBoxInView(reading, drawing)}>
                {texts.redact.addBox}
              </button>
            </div>
            {drawing.isOn.value && <p class="quiet">{texts.redact.drawHelp}</p>}
            {redaction.searches.value.map((search) => (
              <FoundWords key={search.id} reading={reading} redaction={redaction} search={search} />
            ))}
            <DrawnMarks reading={reading} drawing={drawing} />
          </>
        )}
      </div>
      {isAsking.value && (
        <RedactQuestion
          reading={reading}
          redaction={redaction}
          onClose={() => (isAsking.value = false)}
          onCopy={(choices) => void send(() => redaction.makeCopy(choices))}
          onApply={() => void send(() => redaction.apply(() => reading.followWork()))}
        />
      )}
      <div class="tool-foot">
        {state === "marking" && (
          <p role="status">
            {placeCount.value === 0
              ? texts.redact.nothingMarked
              : texts.redact.marked(placeCount.value, pageCount.value)}
          </p>
        )}
        {state === "marking" && redaction.isTooMuch.value && (
          <p class="problem">{texts.redact.tooMany(redaction.boxes.value.length, maxBoxes)}</p>
        )}
        <p class="buttons">
          {state === "marking" && placeCount.value > 0 && (
            <>
              <button
                type="button"
                class="button"
                aria-pressed={isPreview.value}
                onClick={() => {
                  isPreview.value = !isPreview.value;
                  drawing.isOn.value = false;
                }}
              >
                {viewerTexts.preview}
              </button>
              <button
                type="button"
                class="button danger"
                disabled={redaction.isTooMuch.value}
                onClick={() => (isAsking.value = true)}
              >
                {texts.redact.apply}
              </button>
            </>
          )}
          <button type="button" class="button" onClick={() => reading.closeTool()}>
            {viewerTexts.close}
          </button>
        </p>
      </div>
    </Tool>
  );
}

/** The mentions on a page as boxes. A click on one ticks it, or not. */
function MentionBoxes({
  reading,
  redaction,
  page,
}: {
  reading: ViewerState;
  redaction: Redaction;
  page: number;
}) {
  const turns = reading.scrolling.quarterTurns.value;
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
