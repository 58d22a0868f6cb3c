import { maxQueryLength } from "../../contract/limits.ts";
import type { Site } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";

/** Takes a text, and leads to the documents that are like it. */
export function similarForm(site: Site): Html {
  const texts = pageTexts(site);
  return html`<details>
      <summary>${texts.similarToText}</summary>
      <form class="form" method="get" action="${site.home}" target="_self">
        <p>
          <label for="like_text">${texts.similarText}</label>
          <textarea
            id="like_text"
            name="like_text"
            rows="5"
            maxlength="${maxQueryLength}"
            required
          ></textarea>
        </p>
        <p><button class="button" type="submit">${texts.findSimilar}</button></p>
      </form>
    </details>
    <p><a href="${site.home}quotations/">${texts.quotations.title}</a></p>`;
}
