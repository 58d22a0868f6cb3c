import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { globeIcon, lockIcon, usersIcon } from "../../contract/icons.ts";
import { Icon } from "../../viewer/form/icon.tsx";
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
  access,
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
  /** Who can see it, where that is shown. */
  access?: string;
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
      {(access !== undefined || (children !== undefined && children !== false)) && (
        <div class="row-end">
          {access !== undefined && <AccessMark access={access} />}
          {children}
        </div>
      )}
    </li>
  );
}

const accessIcons: Readonly<Record<string, string>> = { public: globeIcon, organization: usersIcon };

function AccessMark({ access }: { access: string }) {
  return (
    <span class={`access is-${access}`}>
      <Icon of={accessIcons[access] ?? lockIcon} />
      <span>{texts.accessShort[access] ?? access}</span>
    </span>
  );
}

function FirstPage({ address }: { address: string | null }) {
  return (
    <span class="thumb">
      {address !== null && (
        <img
          src={address}
          alt=""
          width={38}
          height={48}
          loading="lazy"
          onError={({ currentTarget }) => currentTarget.remove()}
        />
      )}
    </span>
  );
}
