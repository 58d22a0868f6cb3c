import { maxQueryLength, productionLimits } from "../../contract/limits.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { html } from "../../http/text/html.ts";
import { productionImages } from "../../resources/productions/shapes.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type FormState, checkbox, csrf, faultOf, input, option } from "../forms/fields.ts";

export interface NewProductionView {
  site: Site;
  csrfToken: string;
  /** The values of the fields, by their names: those of the address, or those of a refused form. */
  texts: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, readonly string[]>>;
  /** How many documents were named; 0 if there is a search instead. */
  named: number;
}

/** The form for a production of chosen documents, or of what a search finds. */
export function renderNewProductionPage(view: NewProductionView): string {
  const { site, csrfToken, texts: typed, errors, named } = view;
  const texts = pageTexts(site).productions;
  const state: FormState = { texts: typed, errors, optional: pageTexts(site).account.optional };
  const main = html`<div class="account">
    <p><a href="${site.home}productions/">${texts.all}</a></p>
    <h1>${texts.create}</h1>
    <p>${texts.createHelp}</p>
    <form method="post" action="${site.home}productions/new/">
      ${csrf(csrfToken)}
      ${
        named > 0
          ? html`<p>
              ${texts.chosen(named)}
              <input type="hidden" name="documents" value="${typed["documents"] ?? ""}" />
            </p>`
          : input(state, {
              name: "query",
              label: texts.query,
              help: texts.queryHelp,
              maxLength: maxQueryLength,
            })
      }
      ${faultOf(state, "documents")} ${checkbox("families", texts.families, typed["families"] !== "")}
      ${input(state, { name: "name", label: texts.name, isOptional: true })}
      ${input(state, {
        name: "prefix",
        label: texts.prefix,
        help: texts.prefixHelp,
        maxLength: productionLimits.prefix,
      })}
      ${input(state, { name: "first", label: texts.first, help: texts.firstHelp, isOptional: true })}
      ${input(state, { name: "digits", label: texts.digits, value: "7" })}
      ${input(state, {
        name: "endorsement",
        label: texts.endorsement,
        help: texts.endorsementHelp,
        maxLength: productionLimits.endorsement,
        isOptional: true,
      })}
      ${input(state, { name: "volume", label: texts.volume, value: "VOL001" })}
      <p class="field">
        <label for="images">${texts.images}</label>
        <select id="images" name="images">
          ${productionImages.map((one) => option(one, texts.imageKinds[one], typed["images"] ?? "tiff"))}
        </select>
      </p>
      ${checkbox("texts", texts.texts, typed["texts"] !== "")}
      ${checkbox("natives", texts.natives, typed["natives"] !== "")}
      ${checkbox("bom", texts.bom, typed["bom"] !== "")}
      <p class="help">${texts.redactedHelp}</p>
      <button class="button primary">${texts.create}</button>
    </form>
  </div>`;
  return renderPage({ site, title: texts.create, section: null, robots: "noindex", main });
}
