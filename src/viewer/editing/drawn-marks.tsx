import type { RedactionReason } from "../../contract/withheld.ts";
import type { BoxDrawing } from "../model/box-drawing.ts";
import { markInWords } from "../model/redaction.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";
import { ReasonField } from "./reason-field.tsx";

/** The boxes that a person has drawn, each with buttons that show and remove it. Renders nothing without boxes. */
export function DrawnMarks({
  viewer,
  drawing,
  reasons,
}: {
  viewer: ViewerState;
  drawing: BoxDrawing;
  reasons: readonly RedactionReason[];
}) {
  if (drawing.boxes.value.length === 0) return null;
  return (
    <section aria-label={texts.redact.drawnBoxes}>
      <h3>{texts.redact.drawnBoxes}</h3>
      <ul class="drawn-marks">
        {drawing.boxes.value.map((mark) => (
          <li key={mark.id}>
            <span>{markInWords(mark)}</span>
            <span class="buttons">
              <button
                type="button"
                class="button small"
                aria-label={texts.redact.showMark(markInWords(mark))}
                onClick={() => {
                  viewer.scrolling.goTo(mark.page, mark.box.y1);
                  drawing.selected.value = mark.id;
                }}
              >
                {texts.show}
              </button>
              <button
                type="button"
                class="button small"
                aria-label={texts.redact.removeMark(markInWords(mark))}
                onClick={() => drawing.remove(mark.id)}
              >
                {viewerTexts.remove}
              </button>
            </span>
            <ReasonField
              reasons={reasons}
              value={mark.purpose ?? ""}
              label={texts.redact.reasonOf(markInWords(mark))}
              none={texts.redact.asAll}
              onChoose={(purpose) => drawing.change(mark.id, { purpose })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
