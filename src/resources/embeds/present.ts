import { html } from "../../http/html.ts";
import type { Size } from "./oembed.ts";

export interface Frame {
  title: string;
  /** The address of the page that is embedded. */
  source: string;
  size: Size;
  limits: Partial<Size>;
  border: string;
}

/** The markup that another page takes in: one frame, which keeps the shape of what it shows. */
export function frameMarkup({ title, source, size, limits, border }: Frame): string {
  const style = [
    `border: ${border}`,
    "width: 100%",
    "height: 100%",
    `aspect-ratio: ${size.width} / ${size.height}`,
    ...(limits.width === undefined ? [] : [`max-width: ${limits.width}px`]),
    ...(limits.height === undefined ? [] : [`max-height: ${limits.height}px`]),
  ].join("; ");
  return html`<iframe
    title="${title} (Hosted by Quire)"
    src="${source}"
    width="${size.width}"
    height="${size.height}"
    style="${style};"
    allow="fullscreen"
    sandbox="allow-scripts allow-same-origin allow-popups"
    data-source="oembed"
  ></iframe>`
    .toString()
    .replaceAll(/\s+/g, " ")
    .replace(" ></iframe>", "></iframe>");
}
