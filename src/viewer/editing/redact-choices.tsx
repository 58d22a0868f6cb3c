import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CheckField, ChoiceField, RadioField, fieldOf } from "../form/field.tsx";
import type { CopyChoices, DrawnChoices, Redaction } from "../model/redaction.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { editingTexts } from "../texts/editing-texts.ts";
import { Question } from "./question.tsx";

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
  hasReasons,
  onCopy,
  onApply,
}: {
  words: ChoicesInWords;
  documentMeans: readonly string[];
  /** Whether others see an original, so that it can be hidden from them. */
  canHideOriginal: boolean;
  /** Whether a mark has a reason. */
  hasReasons: boolean;
  onCopy: (choices: CopyChoices) => void;
  onApply: (drawn: DrawnChoices) => void;
}) {
  const target = useSignal<"copy" | "document">("copy");
  const access = useSignal<CopyChoices["access"]>("private");
  const hidesOriginal = useSignal(false);
  const showsReasons = useSignal(hasReasons);
  const addsIndex = useSignal(false);
  const drawn = { showsReasons: showsReasons.value, addsIndex: addsIndex.value };
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
      {hasReasons && <CheckField field={fieldOf(showsReasons)} label={editingTexts.redact.showReasons} />}
      <CheckField field={fieldOf(addsIndex)} label={editingTexts.redact.addIndex} />
      <p class="buttons">
        {isCopy ? (
          <button
            type="button"
            class="button primary"
            onClick={() => onCopy({ access: access.value, hidesOriginal: hidesOriginal.value, ...drawn })}
          >
            {words.makeCopy}
          </button>
        ) : (
          <button type="button" class="button danger" onClick={() => onApply(drawn)}>
            {editingTexts.redact.confirm}
          </button>
        )}
      </p>
    </div>
  );
}

/** What a redaction in place does to the documents that are part of one or several, in sentences. */
export function familyInWords(
  words: Record<"attachedGo" | "partsStay", (count: number) => string>,
  family: Redaction["family"]["value"],
): string[] {
  const { removes, keeps } = family ?? { removes: 0, keeps: 0 };
  return [
    ...(removes > 0 ? [words.attachedGo(removes)] : []),
    ...(keeps > 0 ? [words.partsStay(keeps)] : []),
  ];
}

/** Asks whether a copy or the document itself is to be redacted. */
export function RedactQuestion({
  viewer,
  redaction,
  onClose,
  onCopy,
  onApply,
}: {
  viewer: ViewerState;
  redaction: Redaction;
  onClose: () => void;
  onCopy: (choices: CopyChoices) => void;
  onApply: (drawn: DrawnChoices) => void;
}) {
  const { markCount, pageCount, hasReasons, family } = redaction;
  const { access, original_extension: extension } = viewer.record.value;
  useEffect(() => void redaction.loadFamily(), []);
  const words = editingTexts.redact.target;
  return (
    <Question title={editingTexts.redact.ask(markCount.value, pageCount.value)} onClose={onClose}>
      <RedactChoices
        words={words}
        documentMeans={[
          ...editingTexts.redact.consequences(pageCount.value),
          ...(extension === "pdf" ? [] : [words.originalGoes(extension)]),
          ...familyInWords(words, family.value),
        ]}
        canHideOriginal={access !== "private"}
        hasReasons={hasReasons.value}
        onCopy={onCopy}
        onApply={onApply}
      />
    </Question>
  );
}
