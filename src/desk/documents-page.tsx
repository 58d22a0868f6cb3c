import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { Dialog } from "../viewer/dialog.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { type DeskApi, type DeskDocument, type Project, RefusedError } from "./model/desk-api.ts";
import type { DocumentList, ListQuery } from "./model/document-list.ts";
import { texts } from "./model/texts.ts";

/** The page on which people find, sort and change their documents. */
export function DocumentsPage({ api, list }: { api: DeskApi; list: DocumentList }) {
  const projects = useSignal<readonly Project[]>([]);
  const edited = useSignal<DeskDocument | null>(null);
  useEffect(() => {
    const load = async (): Promise<void> => {
      projects.value = await api.projects().catch(() => []);
    };
    void load();
    void list.show();
  }, [api, list, projects]);
  const documents = list.documents.value;
  const { text, isProblem } = list.message.value;
  return (
    <div class="desk">
      <Filters list={list} projects={projects.value} />
      <p class={`list-summary ${isProblem ? "problem" : ""}`} role="status">
        {list.isLoading.value ? texts.loading : `${text} ${shownInWords(documents.length)}`}
      </p>
      <p class="list-actions">
        {list.restorable.value.length > 0 && (
          <button type="button" class="button small" onClick={() => void list.undoRemoval()}>
            {texts.undo}
          </button>
        )}
        <a href={api.options.trash}>{texts.trash}</a>
      </p>
      {list.selected.value.size > 0 && (
        <BulkActions list={list} projects={projects.value} trashDays={api.options.trashDays} />
      )}
      {documents.length > 0 && (
        <section aria-label={texts.documents}>
          <p class="check select-all">
            <input
              id="select-all"
              type="checkbox"
              checked={
                list.selected.value.size > 0 && list.selected.value.size === list.selectable.value.length
              }
              disabled={list.selectable.value.length === 0}
              onChange={() => list.toggleAll()}
            />
            <label for="select-all">{texts.selectAll}</label>
          </p>
          <ul class="document-rows">
            {documents.map((document) => (
              <DocumentRow
                key={document.id}
                document={document}
                list={list}
                onEdit={() => {
                  edited.value = document;
                }}
              />
            ))}
          </ul>
        </section>
      )}
      <p class="buttons">
        <button
          type="button"
          class="button"
          disabled={!list.hasPrevious.value}
          onClick={() => void list.showPrevious()}
        >
          {texts.previous}
        </button>
        <button
          type="button"
          class="button"
          disabled={list.next.value === null}
          onClick={() => void list.showNext()}
        >
          {texts.next}
        </button>
      </p>
      {edited.value !== null && (
        <EditDialog
          document={edited.value}
          list={list}
          onClose={() => {
            edited.value = null;
          }}
        />
      )}
    </div>
  );
}

const shownInWords = (count: number): string => (count === 0 ? texts.noDocuments : texts.shown(count));

function Filters({ list, projects }: { list: DocumentList; projects: readonly Project[] }) {
  const id = useId();
  const q = useSignal("");
  const query = list.query.value;
  const choice = (
    name: keyof ListQuery,
    label: string,
    options: readonly (readonly [value: string, text: string])[],
    isDisabled = false,
  ): ComponentChildren => (
    <p class="field">
      <label for={`${id}-${name}`}>{label}</label>
      <select
        id={`${id}-${name}`}
        value={query[name]}
        disabled={isDisabled}
        onChange={({ currentTarget }) => void list.show({ [name]: currentTarget.value })}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </p>
  );
  return (
    <form
      class="desk-fields filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        void list.show({ q: q.value });
      }}
    >
      <p class="field search-field">
        <label for={`${id}-q`}>{texts.search}</label>
        <span class="with-button">
          <input
            id={`${id}-q`}
            type="search"
            value={q.value}
            onInput={({ currentTarget }) => {
              q.value = currentTarget.value;
            }}
          />
          <button class="button">{texts.show}</button>
        </span>
      </p>
      {choice("whose", texts.whose.label, [
        ["mine", texts.whose.mine],
        ["all", texts.whose.all],
      ])}
      {choice("access", texts.access.label, [["", texts.anyAccess], ...Object.entries(texts.accessShort)])}
      {choice("status", texts.statusLabel, [["", texts.anyStatus], ...Object.entries(texts.statuses)])}
      {choice("project", texts.project.label, [
        ["", texts.anyProject],
        ...projects.map((project) => [String(project.id), project.title] as const),
      ])}
      {choice("ordering", texts.order, Object.entries(texts.orders), query.q.trim() !== "")}
    </form>
  );
}

function DocumentRow({
  document,
  list,
  onEdit,
}: {
  document: DeskDocument;
  list: DocumentList;
  onEdit: () => void;
}) {
  const id = useId();
  const title = document.title === "" ? texts.untitled : document.title;
  const facts = [
    texts.statuses[document.status],
    document.page_count > 0 && texts.pages(document.page_count),
    texts.accessShort[document.access],
    new Date(document.created_at).toLocaleDateString("en-GB", { dateStyle: "long" }),
    document.source,
  ].filter((fact) => fact !== false && fact !== undefined && fact !== "");
  return (
    <li class="document-row" aria-labelledby={`${id}-title`}>
      <input
        type="checkbox"
        aria-label={texts.select(title)}
        checked={list.selected.value.has(document.id)}
        disabled={!document.edit_access}
        onChange={() => list.toggle(document.id)}
      />
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
        <h2 id={`${id}-title`} dir="auto">
          <a href={document.canonical_url}>{title}</a>
        </h2>
        <ul class="facts">
          {facts.map((fact) => (
            <li key={fact} dir="auto">
              {fact}
            </li>
          ))}
        </ul>
      </div>
      {document.edit_access && (
        <button type="button" class="button small" aria-label={texts.of(texts.edit, title)} onClick={onEdit}>
          {texts.edit}
        </button>
      )}
    </li>
  );
}

function EditDialog({
  document,
  list,
  onClose,
}: {
  document: DeskDocument;
  list: DocumentList;
  onClose: () => void;
}) {
  const id = useId();
  const problem = useSignal("");
  const fields = useSignal({
    title: document.title,
    description: document.description,
    source: document.source,
    access: document.access,
  });
  const set = (change: Partial<typeof fields.value>): void => {
    fields.value = { ...fields.value, ...change };
  };
  const save = async (): Promise<void> => {
    try {
      await list.save(document.id, changedIn(document, fields.value));
      onClose();
    } catch (error) {
      problem.value = error instanceof RefusedError ? error.message : texts.noAnswer;
    }
  };
  return (
    <Dialog title={texts.of(texts.edit, document.title)} onClose={onClose}>
      <form
        class="dialog-fields"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p class="field">
          <label for={`${id}-title`}>{texts.title}</label>
          <input
            id={`${id}-title`}
            required
            maxLength={1000}
            value={fields.value.title}
            onInput={({ currentTarget }) => set({ title: currentTarget.value })}
          />
        </p>
        <p class="field">
          <label for={`${id}-description`}>{texts.description}</label>
          <textarea
            id={`${id}-description`}
            rows={4}
            maxLength={4000}
            value={fields.value.description}
            onInput={({ currentTarget }) => set({ description: currentTarget.value })}
          />
        </p>
        <p class="field">
          <label for={`${id}-source`}>{texts.source}</label>
          <input
            id={`${id}-source`}
            maxLength={1000}
            value={fields.value.source}
            onInput={({ currentTarget }) => set({ source: currentTarget.value })}
          />
        </p>
        <p class="field">
          <label for={`${id}-access`}>{texts.access.label}</label>
          <select
            id={`${id}-access`}
            value={fields.value.access}
            onChange={({ currentTarget }) => set({ access: currentTarget.value })}
          >
            <option value="private">{texts.access.private}</option>
            <option value="organization">{texts.access.organization}</option>
            <option value="public">{texts.access.public}</option>
          </select>
        </p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <p class="buttons">
          <button class="button primary">{texts.save}</button>
        </p>
      </form>
    </Dialog>
  );
}

/** The fields that differ from the document. Sending only these keeps the changes that others made meanwhile. */
function changedIn(
  document: DeskDocument,
  fields: Pick<DeskDocument, "title" | "description" | "source" | "access">,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => document[name as keyof typeof fields] !== value),
  );
}
