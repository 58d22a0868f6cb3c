import { isLanguageChosen } from "../../contract/describing-fields.ts";
import { ellipsisIcon } from "../../contract/icons.ts";
import { firstPassages } from "../../contract/page-options.ts";
import { FileTroubleBox } from "../../viewer/editing/file-trouble.tsx";
import { Menu, type MenuAction } from "../../viewer/form/menu.tsx";
import { type AddressedAction, addressOfAction } from "../../viewer/model/destination.ts";
import { dayInWords } from "../../viewer/texts/moments.ts";
import type { DeskApi, DeskDocument } from "../model/desk-api.ts";
import type { BulkAction, DocumentList } from "../model/document-list.ts";
import { languageName, texts } from "../model/texts.ts";
import { DocumentRow } from "./document-row.tsx";
import { RowButton } from "./row-button.tsx";

interface ListedDocumentProps {
  api: DeskApi;
  document: DeskDocument;
  list: DocumentList;
  onEdit: () => void;
}

/** One document of the list, with everything that can be done with it. */
export function ListedDocument({ api, document, list, onEdit }: ListedDocumentProps) {
  const title = document.title === "" ? texts.untitled : document.title;
  const isBroken = ["error", "nofile"].includes(document.status);
  return (
    <DocumentRow
      document={document}
      selection={{
        isSelected: list.selected.value.has(document.id),
        onToggle: () => list.toggle(document),
      }}
      image={api.firstPageOf(document)}
      facts={[
        !isReady(document) && texts.statuses[document.status],
        dayInWords(document.created_at),
        document.page_count > 0 && texts.pages(document.page_count),
        document.original_extension.toUpperCase(),
        isLanguageChosen(document.language) && languageName(document.language),
        document.source,
      ]}
      access={document.access}
      below={
        <>
          <Passages document={document} query={list.query.value.q} />
          {document.edit_access && isBroken && (
            <FileTroubleBox
              key={document.updated_at}
              client={api}
              document={document}
              name={title}
              onStarted={() => list.followReading(document.id)}
            />
          )}
        </>
      }
    >
      <DocumentRowMenu api={api} document={document} list={list} onEdit={onEdit} />
    </DocumentRow>
  );
}

/** What a search has found on the first pages. The pieces mark it with `<em>`, and are texts otherwise. */
function Passages({ document, query }: { document: DeskDocument; query: string }) {
  return firstPassages(document).map(({ page, piece }) => (
    <p key={page} class="fragment" dir="auto">
      <a
        href={`${document.canonical_url}?${new URLSearchParams({ q: query, page: String(page) })}#document/p${page}`}
      >
        {texts.page(page)}
      </a>{" "}
      {piece.split(/<em>([^]*?)<\/em>/).map((part, index) => (index % 2 === 1 ? <mark>{part}</mark> : part))}
    </p>
  ));
}

const isReady = ({ status }: DeskDocument): boolean => status === "success";

/** Everything that can be done with one document of the list. What is done with many is done with it alone. */
function DocumentRowMenu({ api, document, list, onEdit }: ListedDocumentProps) {
  const title = document.title === "" ? texts.untitled : document.title;
  const chosen = (action: BulkAction): MenuAction => ({
    label: texts.actionsOnOne[action as keyof typeof texts.actionsOnOne],
    isDangerous: action === "delete",
    run: () => list.choose(document, action),
  });
  const onItsPage = (action: AddressedAction): MenuAction => ({
    label: texts.actionsOnOne[action],
    run: () => location.assign(addressOfAction(document.canonical_url, action)),
  });
  const files = api.hasFile(document)
    ? [{ label: texts.download, href: api.archiveOf([document]), run: () => undefined }]
    : [];
  const editing: MenuAction[][] = document.edit_access
    ? [
        [
          { label: texts.edit, run: onEdit },
          chosen("access"),
          chosen("project"),
          onItsPage("person"),
          chosen("redact"),
        ],
        [
          {
            label: texts.replaceFile,
            run: () => location.assign(api.replacementPage(document.id)),
          },
          chosen("process"),
          ...(files.length > 0 ? [onItsPage("duplicate")] : []),
        ],
      ]
    : [];
  return (
    <>
      {document.edit_access && <RowButton action={texts.edit} of={title} onClick={onEdit} />}
      <Menu
        id={`row-menu-${document.id}`}
        label={texts.of(texts.more, title)}
        icon={ellipsisIcon}
        groups={[...editing, files, ...(document.edit_access ? [[chosen("delete")]] : [])]}
      />
    </>
  );
}
