import { dayInWords } from "../viewer/texts/moments.ts";
import { Facts } from "./facts.tsx";
import type { DeskApi, DeskDocument } from "./model/desk-api.ts";
import { texts } from "./model/texts.ts";

/** A document in a list; with a checkbox, unless `isSelected` is null. */
export function DocumentChoice({
  api,
  document,
  isSelected,
  onToggle,
}: {
  api: DeskApi;
  document: DeskDocument;
  isSelected: boolean | null;
  onToggle: () => void;
}) {
  const title = document.title === "" ? texts.untitled : document.title;
  const image = api.firstPageOf(document);
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
        {image !== null && (
          <img
            src={image}
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
