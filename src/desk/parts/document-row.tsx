import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { texts } from "../model/texts.ts";
import { Facts } from "./facts.tsx";

interface Selection {
  isSelected: boolean;
  onToggle: () => void;
}

/** A document in a list. `children` are the buttons for it. */
export function DocumentRow({
  document,
  heading: Heading = "h2",
  selection,
  image,
  facts,
  below,
  children,
}: {
  /** Without an address, its title is not a link. */
  document: { id: number; title: string; canonical_url?: string };
  heading?: "h2" | "h3";
  /** Null for a row without a box. */
  selection: Selection | null;
  /** The address of an image of the first page; null if there is none, undefined for a list without images. */
  image?: string | null;
  facts: readonly (string | false | undefined)[];
  /** What stands below the facts. */
  below?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const id = useId();
  const title = document.title === "" ? texts.untitled : document.title;
  const hasImages = image !== undefined;
  return (
    <li
      class={`document-row ${selection === null ? "is-plain" : ""} ${hasImages ? "" : "deleted-row"}`}
      data-document={document.id}
      aria-labelledby={`${id}-title`}
    >
      {selection !== null && (
        <input
          type="checkbox"
          aria-label={texts.select(title)}
          checked={selection.isSelected}
          onChange={selection.onToggle}
        />
      )}
      {hasImages && <FirstPage address={image} />}
      <div>
        <Heading id={`${id}-title`} dir="auto">
          {document.canonical_url === undefined ? title : <a href={document.canonical_url}>{title}</a>}
        </Heading>
        <Facts facts={facts} />
        {below}
      </div>
      {children !== undefined && children !== false && <p class="buttons">{children}</p>}
    </li>
  );
}

function FirstPage({ address }: { address: string | null }) {
  return (
    <span class="thumb">
      {address !== null && (
        <img
          src={address}
          alt=""
          width={60}
          loading="lazy"
          onError={({ currentTarget }) => currentTarget.remove()}
        />
      )}
    </span>
  );
}
