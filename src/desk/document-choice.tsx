import { dayInWords } from "../viewer/texts/moments.ts";
import { Facts } from "./facts.tsx";
import type { DeskDocument } from "./model/desk-api.ts";
import { texts } from "./model/texts.ts";

/** A document in a list; with a checkbox, unless `isSelected` is null. */
export function DocumentChoice({
  document,
  isSelected,
  onToggle,
}: {
  document: DeskDocument;
  isSelected: boolean | null;
  onToggle: () => void;
}) {
  const title = document.title === "" ? texts.untitled : document.title;
  const facts = [
    document.page_count > 0 && texts.pages(document.page_count),
    document.access !== "public" && texts.accessShort[document.access],
    document.status !== "success" && texts.statuses[document.status],
    dayInWords(document.created_at),
    document.source,
  ];
  return (
    <li class={`document-row ${isSelected === null ? "is-plain" : ""}`}>
      {isSelected !== null && (
        <input type="checkbox" aria-label={texts.select(title)} checked={isSelected} onChange={onToggle} />
      )}
      <span class="thumb">
        {document.page_count > 0 && ["success", "readable"].includes(document.status) && (
          <img
            src={`${document.asset_url}documents/${document.id}/pages/${encodeURIComponent(document.slug)}-p1-small.gif`}
            alt=""
            width={60}
            loading="lazy"
            onError={({ currentTarget }) => currentTarget.remove()}
          />
        )}
      </span>
      <div>
        <h3 dir="auto">
          <a href={document.canonical_url}>{title}</a>
        </h3>
        <Facts facts={facts} />
      </div>
    </li>
  );
}
