import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { Ask } from "../../viewer/dialog.tsx";
import type { DeskApi } from "../model/desk-api.ts";
import type { ListedRedaction, RedactionsUnderWay } from "../model/redactions-under-way.ts";
import { batchRedactionTexts } from "../model/batch-redaction-texts.ts";
import { texts } from "../model/texts.ts";
import { RowButton } from "../parts/row-button.tsx";

/** A longer list is folded. */
const maxUnfolded = 10;

/** The redactions that wait or run, and those that have ended meanwhile. Renders nothing while the list is empty. */
export function UnderWay({ api, underWay }: { api: DeskApi; underWay: RedactionsUnderWay }) {
  const id = useId();
  const asked = useSignal<readonly ListedRedaction[]>([]);
  useEffect(() => void underWay.load(), [underWay]);
  const items = underWay.items.value;
  const active = items.filter(({ end }) => end === null);
  const cancellable = active.filter(({ can_cancel }) => can_cancel);
  const running = active.filter(({ status }) => status === "running").length;
  if (items.length === 0 && underWay.problem.value === "") return null;
  return (
    <section class="under-way" aria-labelledby={id}>
      <h2 id={id}>{texts.redactionsUnderWay}</h2>
      <p class="problem" role="alert">
        {underWay.problem.value}
      </p>
      <p class="help" role="status">
        {batchRedactionTexts.counts(running, active.length - running, items.length - active.length)}
      </p>
      <details open={items.length <= maxUnfolded}>
        <summary>{batchRedactionTexts.listed}</summary>
        <ul class="documents">
          {items.map((item) => (
            <Row key={item.id} api={api} item={item} onCancel={() => (asked.value = [item])} />
          ))}
        </ul>
      </details>
      {cancellable.length > 1 && (
        <p class="buttons">
          <button type="button" class="button small" onClick={() => (asked.value = cancellable)}>
            {batchRedactionTexts.cancelAll(cancellable.length)}
          </button>
        </p>
      )}
      {asked.value.length > 0 && (
        <Ask
          title={batchRedactionTexts.askCancel(asked.value.length)}
          answer={batchRedactionTexts.confirmCancel(asked.value.length)}
          onClose={() => (asked.value = [])}
          onAnswer={cancelling(underWay, asked.value)}
        >
          <p>{batchRedactionTexts.cancelMeans}</p>
        </Ask>
      )}
    </section>
  );
}

const cancelling = (underWay: RedactionsUnderWay, items: readonly ListedRedaction[]) => (): Promise<void> =>
  underWay.cancel(items);

function Row({ api, item, onCancel }: { api: DeskApi; item: ListedRedaction; onCancel: () => void }) {
  const id = useId();
  const { title, original, end, status, pages_done: done, pages } = item;
  const name = title === "" ? texts.untitled : title;
  const isCounted = status === "running" && done !== null && pages !== null;
  return (
    <li class="under-way-row" aria-labelledby={`${id}-title`}>
      <div>
        <h3 id={`${id}-title`} dir="auto">
          <a href={api.pageAddress(`documents/${item.id}/`)}>{name}</a>
        </h3>
        <p class={end === "failed" ? "problem" : "help"}>
          {end !== null
            ? batchRedactionTexts.ends[end]
            : isCounted
              ? batchRedactionTexts.pagesDone(done, pages)
              : status === "running"
                ? batchRedactionTexts.running
                : batchRedactionTexts.waiting}
          {original !== null && (
            <>
              {" "}
              <a href={api.pageAddress(`documents/${original}/`)}>{batchRedactionTexts.original}</a>
            </>
          )}
        </p>
        {end === null && isCounted && <progress aria-labelledby={`${id}-title`} max={pages} value={done} />}
      </div>
      {end === null && item.can_cancel && (
        <p class="buttons">
          <RowButton action={texts.cancel} of={name} onClick={onCancel} />
        </p>
      )}
    </li>
  );
}
