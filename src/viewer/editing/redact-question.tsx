import type { CopyChoices, Redaction } from "../model/redaction.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { Question } from "./question.tsx";
import { RedactChoices } from "./redact-choices.tsx";

/** Asks whether a copy or the document itself is to be redacted. */
export function RedactQuestion({
  viewer,
  redaction: { markCount, pageCount },
  onClose,
  onCopy,
  onApply,
}: {
  viewer: ViewerState;
  redaction: Redaction;
  onClose: () => void;
  onCopy: (choices: CopyChoices) => void;
  onApply: () => void;
}) {
  const { access, original_extension: extension } = viewer.record.value;
  const words = texts.redact.target;
  return (
    <Question title={texts.redact.ask(markCount.value, pageCount.value)} onClose={onClose}>
      <RedactChoices
        words={words}
        documentMeans={[
          ...texts.redact.consequences(pageCount.value),
          ...(extension === "pdf" ? [] : [words.originalGoes(extension)]),
        ]}
        canHideOriginal={access !== "private"}
        onCopy={onCopy}
        onApply={onApply}
      />
    </Question>
  );
}
