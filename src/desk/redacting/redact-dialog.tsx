import { useEffect } from "preact/hooks";
import { Dialog } from "../../viewer/dialog.tsx";
import { RedactChoices, familyInWords } from "../../viewer/editing/redact-choices.tsx";
import type { RedactionBatch } from "../model/redaction-batch.ts";
import { batchRedactionTexts } from "../model/batch-redaction-texts.ts";
import { texts } from "../model/texts.ts";

/** Asks whether copies of the documents or the documents themselves are to be redacted, and does it. */
export function RedactDialog({
  redaction,
  onClose,
  onSent,
}: {
  redaction: RedactionBatch;
  onClose: () => void;
  /** Called when all documents have been sent. */
  onSent: () => void;
}) {
  useEffect(() => void redaction.loadFamilies(), []);
  const originals = [...redaction.originals.value];
  const kinds = originals.map(([type, count]) => `${texts.formats.number(count)} ${type.toUpperCase()}`);
  const count = originals.reduce((sum, [, ofType]) => sum + ofType, 0);
  const goes = count === 0 ? [] : [batchRedactionTexts.originalsGo(kinds, count)];
  const send = async (...choices: Parameters<RedactionBatch["apply"]>): Promise<void> => {
    onClose();
    await redaction.apply(...choices);
    onSent();
  };
  return (
    <Dialog
      title={batchRedactionTexts.ask(redaction.tickedCount.value, redaction.chosenCount.value)}
      onClose={onClose}
    >
      <RedactChoices
        words={batchRedactionTexts.target}
        documentMeans={[
          ...goes,
          ...familyInWords(batchRedactionTexts, redaction.family.value),
          ...batchRedactionTexts.consequences,
        ]}
        canHideOriginal={redaction.isShared.value}
        hasReasons={redaction.purpose.value !== ""}
        onCopy={({ access, hidesOriginal, ...drawn }) => void send(drawn, { access, hidesOriginal })}
        onApply={(drawn) => void send(drawn, null)}
      />
    </Dialog>
  );
}
