import { useState } from "preact/hooks";
import type { PatternKind } from "../../contract/work.ts";
import { Draft } from "../form/draft.ts";
import { TextField } from "../form/field.tsx";
import { Form } from "../form/form.tsx";
import { type FoundMention, type MentionSearch, maxWordsLength } from "../model/mention-search.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import type { Redaction } from "../model/redaction.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";
import { PatternChoice } from "./pattern-choice.tsx";
import { ReasonField } from "./reason-field.tsx";
import { MentionList } from "./mention-list.tsx";

/** Finds words, or numbers and addresses, so that they are redacted everywhere. */
export function WordsForm({ viewer, redaction }: { viewer: ViewerState; redaction: Redaction }) {
  const [draft] = useState(
    () =>
      new Draft(
        { words: "" },
        {
          limits: { words: maxWordsLength },
          check: ({ words }) => (/[\p{L}\p{N}]/u.test(words) ? [] : [["words", texts.redact.typeWords]]),
          isTransient: true,
        },
      ),
  );
  const find = async ({ words }: { words: string }): Promise<void> => {
    const search = await redaction.find(words);
    if (draft.values.peek().words.trim() === search.words) draft.reset();
    const [first] = search.mentions.value;
    if (first !== undefined) show(viewer, first);
    viewer.announcement.value =
      search.state.value === "failed"
        ? search.reason.value
        : texts.redact.found(search.words, search.mentions.value.length, search.byPage.value.size);
  };
  return (
    <>
      <Form draft={draft} send={() => draft.submit(find)}>
        <TextField field={draft.field("words")} label={texts.redact.words} help={texts.redact.wordsHelp}>
          <button class="button">{texts.redact.findAll}</button>
        </TextField>
      </Form>
      <PatternChoice onFind={(kinds) => findKinds(viewer, redaction, kinds)} />
    </>
  );
}

/** Finds numbers and addresses of these kinds, and says how many there are. */
async function findKinds(
  viewer: ViewerState,
  redaction: Redaction,
  kinds: readonly PatternKind[],
): Promise<void> {
  const searches = [];
  for (const kind of kinds) searches.push(await redaction.find({ kind }));
  viewer.announcement.value = searches
    .map((search) => texts.patterns.found(search.name, search.mentions.value.length))
    .join(" ");
}

function show(viewer: ViewerState, { page, boxes }: FoundMention): void {
  viewer.scrolling.goTo(page, boxes[0]?.y1 ?? null);
}

/** The mentions of words that were found, each with a box to tick. */
export function FoundWords({
  viewer,
  redaction,
  search,
}: {
  viewer: ViewerState;
  redaction: Redaction;
  search: MentionSearch;
}) {
  return (
    <section class="found-words" aria-label={search.name}>
      <div class="panel-head">
        <h3 dir="auto">{search.name}</h3>
        <button
          type="button"
          class="button small"
          aria-label={texts.redact.dropWords(search.words)}
          onClick={() => redaction.drop(search)}
        >
          {viewerTexts.remove}
        </button>
      </div>
      <ReasonField
        reasons={redaction.reasons.value}
        value={search.purpose.value}
        label={texts.redact.reasonOf(search.name)}
        none={texts.redact.asAll}
        onChoose={(code) => (search.purpose.value = code)}
      />
      <MentionList search={search} onShow={(mention) => show(viewer, mention)} />
    </section>
  );
}
