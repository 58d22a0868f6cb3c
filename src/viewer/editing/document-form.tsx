import visibility from "#words/visibility.json" with { type: "json" };
import { useSignal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { describingNames } from "../../contract/describing-fields.ts";
import { documentLimits } from "../../contract/limits.ts";
import { DescribingField } from "../form/describing-field.tsx";
import type { Draft } from "../form/draft.ts";
import { type Choice, ChoiceField, Fieldset, TextField } from "../form/field.tsx";
import { Form } from "../form/form.tsx";
import { type Version, recordAt } from "../form/merge.ts";
import { languageName } from "../model/language.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { type Client, reasonOf } from "../model/send.ts";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";
import {
  type DataRow,
  type DocumentValues,
  type EditedRecord,
  audienceInWords,
  changesOf,
  documentDraft,
  valuesOf,
} from "./document-draft.ts";
import { Tool } from "./tool.tsx";

/** Opens the form in which people edit the document's record. */
export function openDocumentForm(viewer: ViewerState): void {
  const onSaved = async (): Promise<void> => {
    viewer.closeTool();
    viewer.announcement.value = texts.form.saved;
    await viewer.refreshPage();
  };
  viewer.openTool(() => (
    <Tool title={texts.form.heading}>
      <DocumentForm
        client={viewer.api}
        path={viewer.api.path}
        onClose={() => viewer.closeTool()}
        onSaved={onSaved}
      />
    </Tool>
  ));
}

export interface DocumentFormProps {
  client: Client;
  /** The path of the document below the root of the API. */
  path: string;
  onClose: () => void;
  onSaved: (record: EditedRecord) => unknown;
}

/** The document as the form got it from the API, and what else the form shows. */
interface Loaded {
  opened: Version<DocumentValues>;
  record: EditedRecord;
  /** The codes of the languages that a document may have. */
  languages: readonly string[];
}

/** The form for a document's record. What others change meanwhile in other fields stays. */
export function DocumentForm(props: DocumentFormProps) {
  const loaded = useSignal<Loaded | null>(null);
  const problem = useSignal("");
  useEffect(() => {
    const open = async (): Promise<void> => {
      try {
        const [languages, found] = await Promise.all([readLanguages(props), readRecord(props)]);
        loaded.value = { languages, ...found };
      } catch (error) {
        problem.value = reasonOf(error);
      }
    };
    void open();
  }, []);
  if (loaded.value !== null) return <Fields {...props} {...loaded.value} />;
  if (problem.value === "") return <p class="quiet">{viewerTexts.loading}</p>;
  return (
    <>
      <p class="problem" role="alert">
        {problem.value}
      </p>
      <p class="buttons">
        <button type="button" class="button" onClick={props.onClose}>
          {viewerTexts.close}
        </button>
      </p>
    </>
  );
}

const expanded = "?expand=organization,projects";

type Address = Pick<DocumentFormProps, "client" | "path">;

async function readRecord({ client, path }: Address): Promise<Omit<Loaded, "languages">> {
  const { body, etag } = await client.exchange("GET", `${path}${expanded}`);
  const record = body as EditedRecord;
  return { record, opened: { values: valuesOf(record), etag } };
}

async function readLanguages({ client, path }: Address): Promise<string[]> {
  const { body } = await client.exchange("OPTIONS", path);
  const { actions } = body as { actions?: { PUT?: { language?: { choices?: { value: string }[] } } } };
  return (actions?.PUT?.language?.choices ?? []).map(({ value }) => value);
}

function Fields({ opened, record, languages, onClose, onSaved, client, path }: Loaded & DocumentFormProps) {
  const [draft] = useState(() => documentDraft(opened));
  const edited = recordAt<DocumentValues, EditedRecord>(client, `${path}${expanded}`, {
    valuesOf,
    changesOf,
  });
  const { access, language } = draft.values.value;
  return (
    <Form
      draft={draft}
      send={() => void draft.save(edited, onSaved)}
      submit={viewerTexts.save}
      onCancel={onClose}
      class="document-form"
    >
      <TextField field={draft.field("title")} label={viewerTexts.title} isRequired />
      {describingNames.map((name) => (
        <DescribingField key={name} name={name} words={texts.describing} field={draft.field(name)} rows={5} />
      ))}
      <ChoiceField
        field={draft.field("language")}
        label={texts.form.language}
        choices={namesOf(languages.includes(language) ? languages : [language, ...languages])}
      />
      <ChoiceField
        field={{
          ...draft.field("access"),
          set: (chosen) => draft.set({ access: chosen, ...(chosen === "public" && { publish_at: "" }) }),
        }}
        label={visibility.label}
        choices={Object.entries(texts.form.levels)}
      />
      {access !== "public" && (
        <TextField field={draft.field("publish_at")} label={texts.form.publishAt} type="datetime-local" />
      )}
      <p class="help" role="status">
        {audienceInWords(draft.values.value, record)}
      </p>
      <TagFields draft={draft} />
      <DataFields draft={draft} />
    </Form>
  );
}

function namesOf(languages: readonly string[]): Choice[] {
  return languages
    .map((code): Choice => [code, languageName(code)])
    .toSorted(([, left], [, right]) => left.localeCompare(right));
}

function TagFields({ draft }: { draft: Draft<DocumentValues> }) {
  const field = draft.field("tags");
  const tags = field.value;
  return (
    <Fieldset field={field} label={texts.form.tags}>
      {tags.map((tag, index) => (
        <p key={index} class="field row">
          <input
            aria-label={texts.form.tag(index + 1)}
            maxLength={documentLimits.dataValue}
            dir="auto"
            value={tag}
            onInput={({ currentTarget }) => field.set(tags.with(index, currentTarget.value))}
          />
          <RemoveButton
            label={texts.form.removeTag(index + 1)}
            onClick={() => field.set(tags.toSpliced(index, 1))}
          />
        </p>
      ))}
      <AddButton label={texts.form.addTag} onClick={() => field.set([...tags, ""])} />
    </Fieldset>
  );
}

function DataFields({ draft }: { draft: Draft<DocumentValues> }) {
  const field = draft.field("data");
  const rows = field.value;
  const change = (index: number, row: DataRow): void => field.set(rows.with(index, row));
  return (
    <Fieldset field={field} label={texts.form.data}>
      {rows.map((row, index) => (
        <p key={index} class="field row">
          <input
            aria-label={texts.form.keyNumber(index + 1)}
            placeholder={texts.form.key}
            maxLength={documentLimits.dataKey}
            value={row.key}
            onInput={({ currentTarget }) => change(index, { ...row, key: currentTarget.value })}
          />
          <input
            aria-label={texts.form.valueNumber(index + 1)}
            placeholder={texts.form.value}
            maxLength={documentLimits.dataValue}
            dir="auto"
            value={row.value}
            onInput={({ currentTarget }) => change(index, { ...row, value: currentTarget.value })}
          />
          <RemoveButton
            label={texts.form.removeValue(index + 1)}
            onClick={() => field.set(rows.toSpliced(index, 1))}
          />
        </p>
      ))}
      <AddButton label={texts.form.addData} onClick={() => field.set([...rows, { key: "", value: "" }])} />
    </Fieldset>
  );
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" class="button small" aria-label={label} onClick={onClick}>
      <span aria-hidden="true">×</span>
    </button>
  );
}

/** Adds a row. The focus goes to its first input. */
function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  const row = useRef<HTMLParagraphElement>(null);
  const add = (): void => {
    onClick();
    requestAnimationFrame(() => row.current?.previousElementSibling?.querySelector("input")?.focus());
  };
  return (
    <p ref={row}>
      <button type="button" class="button small" onClick={add}>
        {label}
      </button>
    </p>
  );
}
