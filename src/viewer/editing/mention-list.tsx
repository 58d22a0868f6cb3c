import { type FoundMention, type MentionSearch, gapsInWords } from "../model/mention-search.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/**
 * The mentions of words in a document, by page, each with a box to tick, and what the search does not cover. `onShow`
 * goes to a mention; without it, `addressOf` is the address of a page.
 */
export function MentionList({
  search,
  onShow,
  addressOf,
}: {
  search: MentionSearch;
  onShow?: (mention: FoundMention) => void;
  addressOf?: (page: number) => string;
}) {
  const gaps = gapsInWords(search);
  return (
    <div class="mentions">
      <SearchState search={search} />
      {gaps.length > 0 && (
        <div class="gaps" role="note">
          <strong>{texts.mentions.notCovered}</strong>
          {gaps.map((gap) => (
            <p key={gap}>{gap}</p>
          ))}
        </div>
      )}
      {search.mentions.value.length > 1 && (
        <p class="buttons">
          <button type="button" class="button small" onClick={() => search.tickAll(true)}>
            {texts.mentions.tickAll}
          </button>
          <button type="button" class="button small" onClick={() => search.tickAll(false)}>
            {texts.mentions.tickNone}
          </button>
        </p>
      )}
      {[...search.byPage.value].map(([page, mentions]) => (
        <fieldset key={page} class="mention-page">
          <legend>
            {addressOf === undefined ? (
              texts.mentions.page(page)
            ) : (
              <a href={addressOf(page)}>{texts.mentions.page(page)}</a>
            )}
          </legend>
          <ul>
            {mentions.map((mention, index) => (
              <li key={mention.key}>
                <Mention search={search} mention={mention} />
                {onShow !== undefined && (
                  <button
                    type="button"
                    class="button small"
                    aria-label={texts.mentions.showMention(index + 1, page)}
                    onClick={() => onShow(mention)}
                  >
                    {texts.show}
                  </button>
                )}
              </li>
            ))}
          </ul>
        </fieldset>
      ))}
    </div>
  );
}

/** Whether the search runs or has failed, or how much it has found. */
function SearchState({ search }: { search: MentionSearch }) {
  const count = search.mentions.value.length;
  const state = search.state.value;
  if (state === "failed") {
    return (
      <>
        <p class="problem">{search.reason.value}</p>
        <p class="buttons">
          <button type="button" class="button small" onClick={() => void search.run()}>
            {texts.mentions.tryAgain}
          </button>
        </p>
      </>
    );
  }
  return (
    <>
      {state === "running" && <p class="quiet">{texts.mentions.searching}</p>}
      {(count > 0 || state === "done") && (
        <p>
          {count === 0
            ? texts.mentions.nothing
            : texts.mentions.ticked(count, search.byPage.value.size, search.ticked.value.length)}
        </p>
      )}
    </>
  );
}

/** A mention among the words around it, with its tick. */
function Mention({ search, mention }: { search: MentionSearch; mention: FoundMention }) {
  const { key, before, text, after } = mention;
  return (
    <label class="check" dir="auto">
      <input type="checkbox" checked={search.isTicked(key)} onChange={() => search.toggle(key)} />
      <span>
        {before} <mark>{text}</mark> {after}
      </span>
    </label>
  );
}
