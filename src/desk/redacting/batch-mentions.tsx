import { useId } from "preact/hooks";
import { MentionList } from "../../viewer/editing/mention-list.tsx";
import { OutcomeInWords, PartsLeft } from "../../viewer/editing/outcome.tsx";
import { gapsInWords } from "../../viewer/model/mention-search.ts";
import type { BatchDocument } from "../model/redaction-batch.ts";
import { batchRedactionTexts } from "../model/batch-redaction-texts.ts";
import { texts } from "../model/texts.ts";

const titleOf = ({ record }: BatchDocument): string => (record.title === "" ? texts.untitled : record.title);

/** One document: its mentions while they can be ticked, folded unless `isUnfolded`, then what became of them. */
export function DocumentMentions({ document, isUnfolded }: { document: BatchDocument; isUnfolded: boolean }) {
  const id = useId();
  const isOpen = document.isOpen.value;
  const outcome = document.outcome.value;
  const problem = document.problem.value;
  const copy = document.copy.value;
  const { foundCount, markCount } = document;
  return (
    <section class="redact-document" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} dir="auto">
        <a href={document.record.canonical_url}>{titleOf(document)}</a>
      </h2>
      {problem !== "" && (
        <p class="problem" role="alert">
          {batchRedactionTexts.refused(problem)}
        </p>
      )}
      {!isOpen && (
        <p role="status">
          {outcome === null
            ? batchRedactionTexts.queued
            : outcome.isDone
              ? batchRedactionTexts.done
              : batchRedactionTexts.failed}{" "}
          {copy !== null && <a href={copy.address}>{batchRedactionTexts.openCopy}</a>}
        </p>
      )}
      {outcome !== null && <OutcomeInWords outcome={outcome} />}
      {outcome !== null && <PartsLeft redaction={document} />}
      {isOpen && (
        <details open={isUnfolded}>
          <summary>{batchRedactionTexts.tickedOf(markCount.value, foundCount.value)}</summary>
          {document.searches.value.map((search) => (
            <div key={search.id} role="group" aria-label={search.name}>
              <h3 dir="auto">{search.name}</h3>
              <MentionList
                search={search}
                addressOf={(page) => `${document.record.canonical_url}#document/p${page}`}
              />
            </div>
          ))}
        </details>
      )}
    </section>
  );
}

/** The documents in which nothing was found, and what was not covered there. */
export function WithoutMentions({ documents }: { documents: readonly BatchDocument[] }) {
  const id = useId();
  return (
    <section class="redact-document" aria-labelledby={id}>
      <h2 id={id}>{batchRedactionTexts.nothingIn}</h2>
      <ul>
        {documents.map((document) => {
          const searches = document.searches.value;
          const failed = searches.find(({ state }) => state.value === "failed");
          const gaps = [...new Set(searches.flatMap(gapsInWords))];
          return (
            <li key={document.record.id} dir="auto">
              <a href={document.record.canonical_url}>{titleOf(document)}</a>
              {searches.some(({ state }) => state.value === "running") && ` ${texts.searching}`}
              {failed !== undefined && (
                <span class="problem"> {batchRedactionTexts.refused(failed.reason.value)}</span>
              )}
              {gaps.map((gap) => (
                <p key={gap} class="gaps">
                  <strong>{batchRedactionTexts.notCovered}</strong> {gap}
                </p>
              ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
