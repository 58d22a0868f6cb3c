import { useSignal } from "@preact/signals";
import { CheckField, ChoiceField, RadioField, fieldOf } from "../form/field.tsx";
import type { CopyChoices, Redaction } from "../model/redaction.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { Question } from "./question.tsx";

const levels = Object.entries(texts.form.levels) as [CopyChoices["access"], string][];

/** Asks whether a copy or the document itself is to be redacted, and says what each means. */
export function RedactQuestion({
  reading,
  redaction: { placeCount, pageCount },
  onClose,
  onCopy,
  onApply,
}: {
  reading: ViewerState;
  redaction: Redaction;
  onClose: () => void;
  onCopy: (choices: CopyChoices) => void;
  onApply: () => void;
}) {
  const target = useSignal<"copy" | "document">("copy");
  const access = useSignal<CopyChoices["access"]>("private");
  const hidesOriginal = useSignal(false);
  const { access: accessOfOriginal, original_extension: extension } = reading.record.value;
  const words = texts.redact.target;
  const isCopy = target.value === "copy";
  const consequences = isCopy
    ? words.copyMeans
    : [
        ...texts.redact.consequences(pageCount.value),
        ...(extension === "pdf" ? [] : [words.originalGoes(extension)]),
      ];
  return (
    <Question title={texts.redact.ask(placeCount.value, pageCount.value)} onClose={onClose}>
      <RadioField
        field={fieldOf(target)}
        label={words.label}
        choices={[
          ["copy", words.copy],
          ["document", words.document],
        ]}
      />
      <ul>
        {consequences.map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      {isCopy && <ChoiceField field={fieldOf(access)} label={words.access} choices={levels} />}
      {isCopy && accessOfOriginal !== "private" && (
        <CheckField field={fieldOf(hidesOriginal)} label={words.hideOriginal} />
      )}
      <p class="buttons">
        {isCopy ? (
          <button
            type="button"
            class="button primary"
            onClick={() => onCopy({ access: access.value, hidesOriginal: hidesOriginal.value })}
          >
            {words.makeCopy}
          </button>
        ) : (
          <button type="button" class="button danger" onClick={onApply}>
            {texts.redact.confirm}
          </button>
        )}
      </p>
    </Question>
  );
}
