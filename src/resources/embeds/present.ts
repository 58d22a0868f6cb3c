import { html } from "../../http/text/html.ts";
import type { Embedded, Size } from "./oembed.ts";

export interface Frame {
  kind: Embedded["kind"];
  title: string;
  /** The address of the page that is embedded. */
  source: string;
  size: Size;
  limits: Partial<Size>;
}

/** The size of the frame of a project, in pixels. */
export const projectFrameSize: Size = { width: 500, height: 500 };

/** The height of the frame of a note, in pixels: its text stands beside the note or above it. */
const noteFrameHeight = 300;

/** The size that the frame of a note has: it is as wide as its part of the page, and as high as its style says. */
export function noteFrameSize({ width }: Size, limits: Partial<Size>): Size {
  return {
    width: Math.min(width, limits.width ?? width),
    height: Math.min(noteFrameHeight, limits.height ?? noteFrameHeight),
  };
}

/** The markup for another site's page: one frame, with the styles that DocumentCloud uses for this kind of frame. */
export function frameMarkup({ kind, title, source, size, limits }: Frame): string {
  const filling = ["width: 100%", "height: 100%", `aspect-ratio: ${size.width} / ${size.height}`];
  const style = [
    ...{
      document: ["border: 1px solid #d8dee2", "border-radius: 0.5rem", ...filling],
      page: ["border: none", ...filling],
      note: ["border: none", "width: 100%", `height: ${noteFrameHeight}px`],
      project: ["border: 1px solid #aaa"],
    }[kind],
    ...(limits.width === undefined ? [] : [`max-width: ${limits.width}px`]),
    ...(limits.height === undefined ? [] : [`max-height: ${limits.height}px`]),
  ].join("; ");
  const sandbox = [
    "allow-scripts",
    "allow-same-origin",
    "allow-popups",
    "allow-popups-to-escape-sandbox",
    // The page of a project has a search box.
    ...(kind === "project" ? ["allow-forms"] : []),
  ];
  return html`<iframe
    title="${title} (Hosted by Quire)"
    src="${source}"
    width="${size.width}"
    height="${size.height}"
    style="${style};"
    ${kind === "document" && html`allow="fullscreen" data-source="oembed"`}
    sandbox="${sandbox.join(" ")}"
  ></iframe>`
    .toString()
    .replaceAll(/\s+/g, " ")
    .replace(" ></iframe>", "></iframe>");
}
