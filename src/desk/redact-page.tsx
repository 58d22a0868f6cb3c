import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { Dialog } from "../viewer/dialog.tsx";
import { MentionList } from "../viewer/editing/mention-list.tsx";
import { gapsInWords, maxWordsLength } from "../viewer/model/mention-search.ts";
import { OutcomeInWords } from "../viewer/editing/outcome.tsx";
import type { BatchDocument, BatchSource, RedactionBatch } from "./model/redaction-batch.ts";
import { texts } from "./model/texts.ts";

/** The page on which people redact words in many documents. */
export function RedactPage({ redaction, source }: { redaction: RedactionBatch; source: BatchSource }) {
  const state = redaction.state.value;
  useEffect(() => {
    void redaction.load(source);
  }, [redaction]);
  const isUnsaved = redaction.tickedCount.value > 0;
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", onLeave);
    return () => removeEventListener("beforeunload", onLeave);
  }, [isUnsaved]);
  const documents = redaction.documents.value;
  const listed = documents.filter(({ isOpen, foundCount }) => !isOpen.value || foundCount.value > 0);
  const others = documents.filter((document) => !listed.includes(document));
  return (
    <div class="desk redact-page">
      <p role="status">{state === "loading" ? texts.loading : texts.redact.documents(documents.length)}</p>
      {redaction.remarks.value.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
      {redaction.problem.value !== "" && (
        <p class="problem" role="alert">
          {redaction.problem.value}
        </p>
      )}
      <WordsForm redaction={redaction} />
      {redaction.words.value.length > 0 && <SearchedWords redaction={redaction} />}
      {listed.map((document) => (
        <DocumentMentions key={document.record.id} document={document} />
      ))}
      {redaction.words.value.length > 0 && others.length > 0 && <Others documents={others} />}
      <Foot redaction={redaction} />
    </div>
  );
}

function WordsForm({ redaction }: { redaction: RedactionBatch }) {
  const id = useId();
  const words = useSignal("");
  const isPossible = redaction.state.value === "ready" && redaction.documents.value.length > 0;
  const find = async (): Promise<void> => {
    await redaction.find(words.value);
    words.value = "";
  };
  return (
    <form
      class="desk-fields"
      onSubmit={(event) => {
        event.preventDefault();
        void find();
      }}
    >
      <p class="field search-field">
        <label for={`${id}-words`}>{texts.redact.words}</label>
        <span class="with-button">
          <input
            id={`${id}-words`}
            type="text"
            required
            maxLength={maxWordsLength}
            autocomplete="off"
            aria-describedby={`${id}-help`}
            value={words.value}
            onInput={({ currentTarget }) => (words.value = currentTarget.value)}
          />
          <button class="button" disabled={!isPossible}>
            {texts.redact.find}
          </button>
        </span>
        <span class="help" id={`${id}-help`}>
          {texts.redact.wordsHelp}
        </span>
      </p>
    </form>
  );
}

function SearchedWords({ redaction }: { redaction: RedactionBatch }) {
  return (
    <ul class="redact-words" aria-label={texts.redact.searchedFor}>
      {redaction.words.value.map((text) => (
        <li key={text}>
          <span dir="auto">“{text}”</span>{" "}
          <button
            type="button"
            class="button small"
            aria-label={texts.of(texts.remove, text)}
            onClick={() => redaction.drop(text)}
          >
            {texts.remove}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** What is marked, and the button that redacts it, after asking. */
function Foot({ redaction }: { redaction: RedactionBatch }) {
  const isAsking = useSignal(false);
  const state = redaction.state.value;
  return (
    <>
      <div class="redact-foot">
        <p role="status">
          {state === "searching"
            ? texts.redact.searching
            : texts.redact.ticked(redaction.tickedCount.value, redaction.chosenCount.value)}
        </p>
        <p class="buttons">
          <button
            type="button"
            class="button danger"
            disabled={state !== "ready" || redaction.chosenCount.value === 0}
            onClick={() => (isAsking.value = true)}
          >
            {texts.redact.apply}
          </button>
        </p>
      </div>
      {isAsking.value && (
        <Dialog
          title={texts.redact.ask(redaction.tickedCount.value, redaction.chosenCount.value)}
          onClose={() => (isAsking.value = false)}
        >
          <ul>
            {texts.redact.consequences.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p class="buttons">
            <button
              type="button"
              class="button danger"
              onClick={() => {
                isAsking.value = false;
                void redaction.apply();
              }}
            >
              {texts.redact.confirm}
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

const titleOf = ({ record }: BatchDocument): string => (record.title === "" ? texts.untitled : record.title);

/** One document: its mentions while they can be ticked, then what became of them. */
function DocumentMentions({ document }: { document: BatchDocument }) {
  const id = useId();
  const isOpen = document.isOpen.value;
  const outcome = document.outcome.value;
  const problem = document.problem.value;
  return (
    <section class="redact-document" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} dir="auto">
        <a href={document.record.canonical_url}>{titleOf(document)}</a>
      </h2>
      {problem !== "" && (
        <p class="problem" role="alert">
          {texts.redact.refused(problem)}
        </p>
      )}
      {!isOpen && (
        <p role="status">
          {outcome === null ? texts.redact.queued : outcome.isDone ? texts.redact.done : texts.redact.failed}
        </p>
      )}
      {outcome !== null && <OutcomeInWords outcome={outcome} />}
      {isOpen &&
        document.searches.value.map((search) => (
          <div key={search.id} role="group" aria-label={`“${search.words}”`}>
            <h3 dir="auto">“{search.words}”</h3>
            <MentionList
              search={search}
              addressOf={(page) => `${document.record.canonical_url}#document/p${page}`}
            />
          </div>
        ))}
    </section>
  );
}

/** The documents in which nothing was found, and what was not covered there. */
function Others({ documents }: { documents: readonly BatchDocument[] }) {
  const id = useId();
  return (
    <section class="redact-document" aria-labelledby={id}>
      <h2 id={id}>{texts.redact.nothingIn}</h2>
      <ul>
        {documents.map((document) => {
          const searches = document.searches.value;
          const failed = searches.find(({ state }) => state.value === "failed");
          const gaps = [...new Set(searches.flatMap(gapsInWords))];
          return (
            <li key={document.record.id} dir="auto">
              <a href={document.record.canonical_url}>{titleOf(document)}</a>
              {searches.some(({ state }) => state.value === "running") && ` ${texts.redact.searching}`}
              {failed !== undefined && (
                <span class="problem"> {texts.redact.refused(failed.reason.value)}</span>
              )}
              {gaps.map((gap) => (
                <p key={gap} class="gaps">
                  <strong>{texts.redact.notCovered}</strong> {gap}
                </p>
              ))}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
