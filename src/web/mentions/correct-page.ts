import type { MentionKind } from "../../contract/search.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { maxValueLength } from "../../recognisers/values.ts";
import { maxCorrected } from "../../resources/documents/mentioned/correct-mentions.ts";
import type { Correction } from "../../resources/documents/pages/correction-store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf, input } from "../forms/fields.ts";

/** Where the forms of corrections are sent, and the token that they need. */
export interface CorrectionForms {
  action: string;
  csrfToken: string;
}

export interface CorrectionView extends CorrectionForms {
  site: Site;
  kind: MentionKind;
  value: string;
  /** The values of the fields of a refused form, and what is wrong with them. */
  texts: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, readonly string[]>>;
  /** The document; null if the correction is for all documents of a search. */
  document: { title: string; href: string } | null;
  /** In how many documents that one may change the value is mentioned, and was corrected; not counted beyond 501. */
  found: { mentioned: number; corrected: number };
  /** The page from which one came. */
  back: string;
  /** How many documents the last form has corrected, and whether there are more. Null before. */
  done: { documents: number; more: boolean } | null;
}

/** Renders the forms with which a person says what a value is. */
export function renderCorrection(view: CorrectionView): string {
  const { site, kind, value, document, found, back, done, errors, texts: typed } = view;
  const texts = pageTexts(site);
  const words = texts.mentions;
  const { optional } = texts.account;
  const main = html`<div class="account">
    <h1>${words.correctTitle}</h1>
    <p>
      ${words.kinds[kind]}: <strong><bdi>${value}</bdi></strong>
    </p>
    ${
      document === null
        ? html`<p>
            ${found.mentioned > maxCorrected ? words.inMany(maxCorrected) : words.inSearch(found.mentioned)}
          </p>`
        : html`<p>
            ${words.inOne}
            <a href="${document.href}"
              ><bdi>${document.title === "" ? texts.untitled : document.title}</bdi></a
            >
          </p>`
    }
    ${
      done !== null &&
      html`<p class="done" role="status">
        ${words.corrected(done.documents)} ${done.more && words.correctedMore}
      </p>`
    }
    <form method="post" action="${view.action}">
      ${hidden(view, { kind, value })}
      ${input(
        { texts: typed, errors, optional },
        { name: "becomes", label: words.sameAs, help: words.sameAsHelp, maxLength: maxValueLength },
      )}
      <button class="button primary">${words.save}</button>
    </form>
    <div class="buttons">
      <form method="post" action="${view.action}">
        ${hidden(view, { kind, value })}<input type="hidden" name="as" value="rejected" />
        <button class="button">${words.reject}</button>
      </form>
      ${found.corrected > 0 && undoForm(view, { kind, value }, words.asRecognised)}
    </div>
    <p><a href="${back}">${words.back}</a></p>
  </div>`;
  return renderPage({ site, title: words.correctTitle, section: "documents", robots: "noindex", main });
}

function hidden({ csrfToken }: CorrectionForms, { kind, value }: Pick<Correction, "kind" | "value">): Html {
  return html`${csrf(csrfToken)}<input type="hidden" name="kind" value="${kind}" /><input
      type="hidden"
      name="value"
      value="${value}"
    />`;
}

/** A button that makes a value what the recognisers say again. */
function undoForm(
  forms: CorrectionForms,
  correction: Pick<Correction, "kind" | "value">,
  text: string,
  label?: string,
): Html {
  return html`<form method="post" action="${forms.action}">
    ${hidden(forms, correction)}<input type="hidden" name="as" value="recognised" />
    <button class="button" ${label !== undefined && html`aria-label="${label}"`}>${text}</button>
  </form>`;
}

/** What people have corrected in a document, with a button that undoes each. Null if it is nothing. */
export function correctionList(
  site: Site,
  forms: CorrectionForms,
  corrections: readonly Correction[],
): Html | null {
  const words = pageTexts(site).mentions;
  if (corrections.length === 0) return null;
  return html`<section aria-labelledby="corrections">
    <h2 id="corrections">${words.corrections}</h2>
    <ul class="corrections">
      ${corrections.map(
        ({ kind, value, becomes }) =>
          html`<li>
            <span
              >${words.kinds[kind]}:
              ${becomes === null ? words.isRejected(value) : words.isMerged(value, becomes)}</span
            >
            ${undoForm(forms, { kind, value }, words.undo, words.undoFor(value))}
          </li>`,
      )}
    </ul>
  </section>`;
}
