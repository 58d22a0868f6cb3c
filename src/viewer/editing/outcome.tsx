import type { Redaction } from "../model/redaction.ts";
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

/** The documents in this one that still have words which were hidden, and the way to redact them too. */
export function PartsLeft({ redaction }: { redaction: Redaction }) {
  const count = redaction.outcome.value?.parts.count ?? 0;
  const parts = redaction.parts.value;
  if (count === 0) return null;
  return (
    <div class="problem">
      <p>{texts.outcome.inParts(count)}</p>
      <ul>
        {parts.map(({ title, address }) => (
          <li key={address}>
            <a href={address} dir="auto">
              {title}
            </a>
          </li>
        ))}
        {count > parts.length && <li>{texts.andMore(count - parts.length)}</li>}
      </ul>
      <p>
        <a href={redaction.partsAddress}>{texts.outcome.redactParts(count)}</a>
      </p>
    </div>
  );
}
