import { useId } from "preact/hooks";
import type { RedactionReason } from "../../contract/withheld.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

const { sets, reason: reasonInWords } = texts.reasons;
const setNames = Object.keys(sets) as (keyof typeof sets)[];

/** Chooses why something is redacted. Renders nothing until the reasons are known. */
export function ReasonField({
  reasons,
  value,
  label,
  none,
  onChoose,
}: {
  reasons: readonly RedactionReason[];
  /** The code of the reason; empty for none. */
  value: string;
  label: string;
  /** What no choice means. */
  none: string;
  onChoose: (code: string) => void;
}) {
  const id = useId();
  if (reasons.length === 0) return null;
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        <option value="">{none}</option>
        {setNames.map((name) => {
          const ofSet = reasons.filter(({ set }) => set === name);
          return (
            ofSet.length > 0 && (
              <optgroup key={name} label={sets[name]}>
                {ofSet.map(({ code, label: meaning }) => (
                  <option key={code} value={code}>
                    {reasonInWords(code, meaning)}
                  </option>
                ))}
              </optgroup>
            )
          );
        })}
      </select>
    </p>
  );
}
