import type { ComparedLine, ComparedPart, Comparison } from "../../contract/comparing.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";

interface Titled {
  title: string;
  href: string;
}

export interface ComparisonView {
  site: Site;
  left: Titled;
  right: Titled;
  comparison: Comparison;
}

/** So many equal lines before and after a line that differs are shown; others are folded. */
const shownAround = 2;

/** Renders two texts side by side, with the words marked that differ. */
export function renderComparison({ site, left, right, comparison }: ComparisonView): string {
  const texts = pageTexts(site);
  const { comparing } = texts.document;
  const { lines, is_whole: isWhole } = comparison;
  const differing = lines.filter(differs).length;
  const name = ({ title }: Titled): string => (title === "" ? texts.untitled : title);
  const head = (titled: Titled): Html =>
    html`<h2 dir="auto"><a href="${titled.href}">${name(titled)}</a></h2>`;
  const main = html`
    <h1>${comparing.heading}</h1>
    <p role="status">${differing === 0 ? comparing.equal : comparing.differingLines(differing)}</p>
    ${!isWhole && html`<p class="quiet">${comparing.beginnings}</p>`}
    <div class="comparison">
      <div class="compared">${head(left)} ${head(right)}</div>
      ${foldsOf(lines).map((fold) => {
        const shown = fold.lines.map(lineMarkup);
        if (!fold.isFolded) return shown;
        return html`<details>
          <summary>${comparing.equalLines(fold.lines.length)}</summary>
          ${shown}
        </details>`;
      })}
    </div>
  `;
  return renderPage({
    site,
    title: `${name(left)} – ${name(right)}`,
    section: "documents",
    robots: "noindex",
    main,
  });
}

const differs = ({ left, right }: ComparedLine): boolean => [...left, ...right].some((part) => part.differs);

interface Fold {
  isFolded: boolean;
  lines: ComparedLine[];
}

/** Lines that are shown, and equal lines far from any that differ, in order. */
function foldsOf(lines: readonly ComparedLine[]): Fold[] {
  const near = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (!differs(line)) continue;
    for (let at = index - shownAround; at <= index + shownAround; at++) near.add(at);
  }
  const folds: Fold[] = [];
  for (const [index, line] of lines.entries()) {
    const isFolded = !near.has(index);
    const last = folds.at(-1);
    if (last?.isFolded === isFolded) last.lines.push(line);
    else folds.push({ isFolded, lines: [line] });
  }
  return folds;
}

function lineMarkup({ left, right }: ComparedLine): Html {
  return html`<div class="compared">
    <div dir="auto">${partsMarkup(left, "del")}</div>
    <div dir="auto">${partsMarkup(right, "ins")}</div>
  </div>`;
}

function partsMarkup(parts: readonly ComparedPart[], kind: "del" | "ins"): Html[] {
  return parts.map(({ text, differs: isOther }) => {
    if (!isOther) return html`${text}`;
    return kind === "del" ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;
  });
}
