import type { Outcome } from "../model/redaction-outcome.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** The result of a redaction in words: what went wrong first, then what was checked. */
export function OutcomeInWords({ outcome }: { outcome: Outcome }) {
  return (
    <>
      <p class={outcome.isDone ? "outcome-head" : "problem outcome-head"}>{outcome.headline}</p>
      {outcome.problems.length > 0 && (
        <ul class="outcome-problems">
          {outcome.problems.map(({ text, advice }) => (
            <li key={text}>
              <strong>{text}</strong> {advice}
            </li>
          ))}
        </ul>
      )}
      {outcome.checks.length > 0 && (
        <details class="outcome-checks">
          <summary>{texts.outcome.whatWasChecked(outcome.checks.length)}</summary>
          <ul>
            {outcome.checks.map((check) => (
              <li key={check}>{check}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
