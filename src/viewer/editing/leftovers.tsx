import type { ViewerState } from "../state/viewer-state.ts";
import { leftoversOf } from "../model/redaction-outcome.ts";
import type { Redaction } from "../model/redaction.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** The places where redacted words still are, in the pages and elsewhere in the record. */
export function Leftovers({ viewer, redaction }: { viewer: ViewerState; redaction: Redaction }) {
  return (
    <>
      {redaction.again.value.map((search) => {
        const count = search.mentions.value.length;
        if (search.state.value !== "done") return null;
        return (
          <div key={search.id}>
            <p>
              {count === 0
                ? texts.redact.noneLeft(search.words)
                : texts.redact.someLeft(search.words, count, search.byPage.value.size)}
            </p>
            {search.kind === null &&
              leftoversOf(viewer.record.value, search.words).map((leftover) => (
                <p key={leftover} class="problem">
                  {leftover}
                </p>
              ))}
          </div>
        );
      })}
      <p class="quiet">{texts.redact.copiesStay}</p>
    </>
  );
}
