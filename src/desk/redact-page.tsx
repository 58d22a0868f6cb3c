import { useSignal } from "@preact/signals";
import { useEffect, useId, useState } from "preact/hooks";
import { Ask } from "../viewer/dialog.tsx";
import { MentionList } from "../viewer/editing/mention-list.tsx";
import { Draft } from "../viewer/form/draft.ts";
import { TextField } from "../viewer/form/field.tsx";
import { Form, useLeavingWarning } from "../viewer/form/form.tsx";
import { gapsInWords, maxWordsLength } from "../viewer/model/mention-search.ts";
import { OutcomeInWords } from "../viewer/editing/outcome.tsx";
import { texts as viewerTexts } from "../viewer/texts/texts.ts";
import type { BatchDocument, BatchSource, RedactionBatch } from "./model/redaction-batch.ts";
import { texts } from "./model/texts.ts";

/** The page on which people redact words in many documents. */
export function RedactPage({ redaction, source }: { redaction: RedactionBatch; source: BatchSource }) {
  const state = redaction.state.value;
  useEffect(() => {
    void redaction.load(source);
  }, [redaction]);
  useLeavingWarning(redaction.tickedCount.value > 0);
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
  const [draft] = useState(
    () =>
      new Draft(
        { words: "" },
        {
          limits: { words: maxWordsLength },
          check: ({ words }) => (words.trim() === "" ? [["words", viewerTexts.form.needed]] : []),
          isTransient: true,
        },
      ),
  );
  const isPossible = redaction.state.value === "ready" && redaction.documents.value.length > 0;
  const find = async ({ words }: { words: string }): Promise<void> => {
    await redaction.find(words);
    draft.reset();
  };
  return (
    <Form draft={draft} send={() => draft.submit(find)}>
      <TextField
        field={draft.field("words")}
        label={texts.redact.words}
        help={texts.redact.wordsHelp}
        isRequired
      >
        <button class="button" disabled={!isPossible}>
          {texts.redact.find}
        </button>
      </TextField>
    </Form>
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
            ? texts.searching
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
        <Ask
          title={texts.redact.ask(redaction.tickedCount.value, redaction.chosenCount.value)}
          answer={texts.redact.confirm}
          onClose={() => (isAsking.value = false)}
          onAnswer={() => redaction.apply()}
        >
          <ul>
            {texts.redact.consequences.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Ask>
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
              {searches.some(({ state }) => state.value === "running") && ` ${texts.searching}`}
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
