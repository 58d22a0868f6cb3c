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
  const count = search.mentions.value.length;
  const gaps = gapsInWords(search);
  return (
    <div class="mentions">
      {search.state.value === "running" && <p class="quiet">{texts.mentions.searching}</p>}
      {search.state.value === "failed" && (
        <>
          <p class="problem">{search.reason.value}</p>
          <p class="buttons">
            <button type="button" class="button small" onClick={() => void search.run()}>
              {texts.mentions.tryAgain}
            </button>
          </p>
        </>
      )}
      {search.state.value !== "failed" && (count > 0 || search.state.value === "done") && (
        <p>
          {count === 0
            ? texts.mentions.nothing
            : texts.mentions.ticked(count, search.byPage.value.size, search.ticked.value.length)}
        </p>
      )}
      {gaps.length > 0 && (
        <div class="gaps" role="note">
          <strong>{texts.mentions.notCovered}</strong>
          {gaps.map((gap) => (
            <p key={gap}>{gap}</p>
          ))}
        </div>
      )}
      {count > 1 && (
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
                <label class="check" dir="auto">
                  <input
                    type="checkbox"
                    checked={search.isTicked(mention.key)}
                    onChange={() => search.toggle(mention.key)}
                  />
                  <span>
                    {mention.before} <mark>{mention.text}</mark> {mention.after}
                  </span>
                </label>
                {onShow !== undefined && (
                  <button
                    type="button"
                    class="button small"
                    aria-label={texts.mentions.showPlace(index + 1, page)}
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
