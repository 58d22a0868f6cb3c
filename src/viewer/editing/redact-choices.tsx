import { useSignal } from "@preact/signals";
import { CheckField, ChoiceField, RadioField, fieldOf } from "../form/field.tsx";
import type { CopyChoices } from "../model/redaction.ts";
import { editingTexts } from "../texts/editing-texts.ts";

const levels = Object.entries(editingTexts.form.levels) as [CopyChoices["access"], string][];

/** What the question says, about one document or about several. */
export interface ChoicesInWords {
  label: string;
  copy: string;
  document: string;
  copyMeans: readonly string[];
  access: string;
  hideOriginal: string;
  makeCopy: string;
}

/** Chooses whether copies or the documents themselves are redacted, and says what each means. Copies are proposed. */
export function RedactChoices({
  words,
  documentMeans,
  canHideOriginal,
  onCopy,
  onApply,
}: {
  words: ChoicesInWords;
  documentMeans: readonly string[];
  /** Whether others see an original, so that it can be hidden from them. */
  canHideOriginal: boolean;
  onCopy: (choices: CopyChoices) => void;
  onApply: () => void;
}) {
  const target = useSignal<"copy" | "document">("copy");
  const access = useSignal<CopyChoices["access"]>("private");
  const hidesOriginal = useSignal(false);
  const isCopy = target.value === "copy";
  return (
    <div class="redact-choices">
      <RadioField
        field={fieldOf(target)}
        label={words.label}
        choices={[
          ["copy", words.copy],
          ["document", words.document],
        ]}
      />
      <ul>
        {(isCopy ? words.copyMeans : documentMeans).map((consequence) => (
          <li key={consequence}>{consequence}</li>
        ))}
      </ul>
      {isCopy && <ChoiceField field={fieldOf(access)} label={words.access} choices={levels} />}
      {isCopy && canHideOriginal && <CheckField field={fieldOf(hidesOriginal)} label={words.hideOriginal} />}
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
            {editingTexts.redact.confirm}
          </button>
        )}
      </p>
    </div>
  );
}
