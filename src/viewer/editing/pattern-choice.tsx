import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import type { PatternKind } from "../../contract/work.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

const kinds = Object.entries(texts.patterns.kinds) as [PatternKind, string][];

/** Chooses kinds of numbers and addresses that are found by their form, for the list of places to redact. */
export function PatternChoice({
  isDisabled = false,
  onFind,
}: {
  isDisabled?: boolean;
  onFind: (kinds: readonly PatternKind[]) => Promise<void>;
}) {
  const id = useId();
  const chosen = useSignal<ReadonlySet<PatternKind>>(new Set());
  const isBusy = useSignal(false);
  const toggle = (kind: PatternKind): void => {
    const changed = new Set(chosen.value);
    if (!changed.delete(kind)) changed.add(kind);
    chosen.value = changed;
  };
  const find = async (): Promise<void> => {
    isBusy.value = true;
    await onFind(kinds.flatMap(([kind]) => (chosen.value.has(kind) ? [kind] : [])));
    isBusy.value = false;
    chosen.value = new Set();
  };
  return (
    <details class="pattern-choice">
      <summary id={`${id}-heading`}>{texts.patterns.heading}</summary>
      <fieldset aria-labelledby={`${id}-heading`} aria-describedby={`${id}-help`}>
        {kinds.map(([kind, name]) => (
          <label key={kind} class="check">
            <input type="checkbox" checked={chosen.value.has(kind)} onChange={() => toggle(kind)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
      <p class="help" id={`${id}-help`}>
        {texts.patterns.help}
      </p>
      <p class="buttons">
        <button
          type="button"
          class="button small"
          disabled={isDisabled || isBusy.value || chosen.value.size === 0}
          onClick={() => void find()}
        >
          {texts.patterns.find}
        </button>
      </p>
    </details>
  );
}
