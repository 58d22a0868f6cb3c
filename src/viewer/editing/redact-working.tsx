import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { Redaction } from "../model/redaction.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { Question } from "./question.tsx";

/** How far a redaction is, and the button that cancels it, after asking. */
export function RedactWorking({ viewer, redaction }: { viewer: ViewerState; redaction: Redaction }) {
  const progress = viewer.progress.value;
  const isAsking = useSignal(false);
  const id = useId();
  const isSent = redaction.state.value === "working";
  const text =
    isSent && progress !== null
      ? texts.redact.recognised(progress.done, progress.pages)
      : isSent
        ? texts.redact.working
        : texts.oneMoment;
  return (
    <div class="working">
      <p role="status" id={id}>
        {text}
      </p>
      <progress
        aria-labelledby={id}
        {...(progress === null ? {} : { value: progress.done, max: progress.pages })}
      />
      {isSent && <p class="quiet">{texts.mayClose}</p>}
      {isSent && !isAsking.value && (
        <p class="buttons">
          <button type="button" class="button small" onClick={() => (isAsking.value = true)}>
            {texts.redact.cancelling.button}
          </button>
        </p>
      )}
      {redaction.problem.value !== "" && (
        <p class="problem" role="alert">
          {redaction.problem.value}
        </p>
      )}
      {isAsking.value && (
        <Question title={texts.redact.cancelling.ask} onClose={() => (isAsking.value = false)}>
          <p>{texts.redact.cancelling.means}</p>
          <p class="buttons">
            <button
              type="button"
              class="button danger"
              onClick={() => {
                isAsking.value = false;
                void redaction.cancel();
              }}
            >
              {texts.redact.cancelling.confirm}
            </button>
          </p>
        </Question>
      )}
    </div>
  );
}
