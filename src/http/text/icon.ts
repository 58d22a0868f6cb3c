import { type Html, html, markupFrom } from "./html.ts";

/** An icon of `contract/icons.ts`, which says nothing by itself. One that `turns` points to where one reads on. */
export function icon(elements: string, { turns = false }: { turns?: boolean } = {}): Html {
  return html`<svg class="icon${turns && " turns"}" viewBox="0 0 24 24" aria-hidden="true">
    ${markupFrom(elements)}
  </svg>`;
}
