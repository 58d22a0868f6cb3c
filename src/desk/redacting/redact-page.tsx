import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PatternChoice } from "../../viewer/editing/pattern-choice.tsx";
import { ReasonField } from "../../viewer/editing/reason-field.tsx";
import { Draft } from "../../viewer/form/draft.ts";
import { TextField } from "../../viewer/form/field.tsx";
import { Form, useLeavingWarning } from "../../viewer/form/form.tsx";
import { maxWordsLength, nameOf } from "../../viewer/model/mention-search.ts";
import { batchRedactionTexts } from "../model/batch-redaction-texts.ts";
import { editingTexts } from "../../viewer/texts/editing-texts.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { type BatchSource, RedactionBatch } from "../model/redaction-batch.ts";
import { RedactionsUnderWay } from "../model/redactions-under-way.ts";
import { texts } from "../model/texts.ts";
import { DocumentMentions, WithoutMentions } from "./batch-mentions.tsx";
import { RedactDialog } from "./redact-dialog.tsx";
import { UnderWay } from "./under-way.tsx";

/** With more places in all documents together, the places of each document are folded. */
const maxUnfolded = 30;

/** The page for the documents that its address names. */
export function redactPageOf(api: DeskApi): VNode {
  const query = new URLSearchParams(location.search);
  const ids = (query.get("ids") ?? "").split(",").filter((id) => /^\d{1,15}$/.test(id));
  const words = query.getAll("words");
  const source = { ids: [...new Set(ids.map(Number))], q: query.get("q")?.trim() ?? "", words };
  const redaction = new RedactionBatch(api);
  const underWay = new RedactionsUnderWay(api);
  return <RedactPage api={api} redaction={redaction} underWay={underWay} source={source} />;
}

/** The page on which people redact words in many documents, and see the redactions that are under way. */
function RedactPage({
  api,
  redaction,
  underWay,
  source,
}: {
  api: DeskApi;
  redaction: RedactionBatch;
  underWay: RedactionsUnderWay;
  source: BatchSource & { words: readonly string[] };
}) {
  useLeavingWarning(redaction.tickedCount.value > 0);
  const isAboutNothing = source.ids.length === 0 && source.q === "";
  return (
    <div class="desk redact-page">
      <UnderWay api={api} underWay={underWay} />
      {isAboutNothing ? (
        <p>
          {batchRedactionTexts.howToBegin}{" "}
          <a href={api.pageAddress("documents/")}>{batchRedactionTexts.toDocuments}</a>
        </p>
      ) : (
        <Batch redaction={redaction} source={source} onSent={() => void underWay.load()} />
      )}
    </div>
  );
}

function Batch({
  redaction,
  source,
  onSent,
}: {
  redaction: RedactionBatch;
  source: BatchSource & { words: readonly string[] };
  onSent: () => void;
}) {
  const state = redaction.state.value;
  useEffect(() => {
    void redaction.load(source).then(() => redaction.find(...source.words));
    void redaction.loadReasons();
  }, [redaction]);
  const documents = redaction.documents.value;
  const listed = documents.filter(({ isOpen, foundCount }) => !isOpen.value || foundCount.value > 0);
  const others = documents.filter((document) => !listed.includes(document));
  const found = listed.reduce((sum, { foundCount }) => sum + foundCount.value, 0);
  return (
    <>
      <p role="status">
        {state === "loading" ? texts.loading : batchRedactionTexts.documents(documents.length)}
      </p>
      {redaction.remarks.value.map((remark) => (
        <p key={remark}>{remark}</p>
      ))}
      {redaction.problem.value !== "" && (
        <p class="problem" role="alert">
          {redaction.problem.value}
        </p>
      )}
      <WordsForm redaction={redaction} />
      <PatternChoice
        isDisabled={state !== "ready" || documents.length === 0}
        onFind={(kinds) => redaction.find(...kinds.map((kind) => ({ kind })))}
      />
      {redaction.sought.value.length > 0 && <SearchedWords redaction={redaction} />}
      <ReasonField
        reasons={redaction.reasons.value}
        value={redaction.purpose.value}
        label={editingTexts.redact.reason}
        none={editingTexts.redact.noReason}
        onChoose={(code) => (redaction.purpose.value = code)}
      />
      {listed.map((document) => (
        <DocumentMentions
          key={document.record.id}
          document={document}
          isUnfolded={listed.length === 1 || found <= maxUnfolded}
        />
      ))}
      {redaction.sought.value.length > 0 && others.length > 0 && <WithoutMentions documents={others} />}
      <Foot redaction={redaction} onSent={onSent} />
    </>
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
        label={batchRedactionTexts.words}
        help={batchRedactionTexts.wordsHelp}
        isRequired
      >
        <button class="button" disabled={!isPossible}>
          {batchRedactionTexts.find}
        </button>
      </TextField>
    </Form>
  );
}

function SearchedWords({ redaction }: { redaction: RedactionBatch }) {
  return (
    <ul class="redact-words" aria-label={batchRedactionTexts.searchedFor}>
      {redaction.sought.value.map((sought) => {
        const name = nameOf(sought);
        return (
          <li key={name}>
            <span dir="auto">{name}</span>{" "}
            <button
              type="button"
              class="button small"
              aria-label={texts.of(texts.remove, name)}
              onClick={() => redaction.drop(sought)}
            >
              {texts.remove}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** What is marked, and the button that redacts it, after asking. */
function Foot({ redaction, onSent }: { redaction: RedactionBatch; onSent: () => void }) {
  const isAsking = useSignal(false);
  const state = redaction.state.value;
  return (
    <>
      <div class="redact-foot">
        <p role="status">
          {state === "searching"
            ? texts.searching
            : batchRedactionTexts.ticked(redaction.tickedCount.value, redaction.chosenCount.value)}
        </p>
        <p class="buttons">
          <button
            type="button"
            class="button danger"
            disabled={state !== "ready" || redaction.chosenCount.value === 0}
            onClick={() => (isAsking.value = true)}
          >
            {batchRedactionTexts.apply}
          </button>
        </p>
      </div>
      {isAsking.value && (
        <RedactDialog redaction={redaction} onClose={() => (isAsking.value = false)} onSent={onSent} />
      )}
    </>
  );
}
