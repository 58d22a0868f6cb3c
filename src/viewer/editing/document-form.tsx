import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { type DescribingName, describingNames } from "../../contract/describing-fields.ts";
import { documentLimits } from "../../contract/limits.ts";
import {
  type DataRow,
  type Draft,
  type DraftField,
  type EditedRecord,
  audienceInWords,
  changesOf,
  differences,
  draftOf,
  faultsOf,
  inWords,
  merge,
} from "../model/document-draft.ts";
import { inputFor } from "../model/describing-input.ts";
import { languageName } from "../model/language.ts";
import type { Reading } from "../model/reading.ts";
import { RefusedError, exchange } from "../model/send.ts";
import { Tool, useLeavingWarning } from "./tool.tsx";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** Opens the form in which people edit the document's record. */
export function openDocumentForm(reading: Reading): void {
  reading.openTool(() => <DocumentForm reading={reading} />);
}

/** The document as the form got it from the API. */
interface Loaded {
  record: EditedRecord;
  etag: string | null;
}

function DocumentForm({ reading }: { reading: Reading }) {
  const loaded = useSignal<Loaded | null>(null);
  const languages = useSignal<readonly string[]>([]);
  const problem = useSignal("");
  useEffect(() => {
    const open = async (): Promise<void> => {
      try {
        const [choices, record] = await Promise.all([readLanguages(reading), readRecord(reading)]);
        languages.value = choices;
        loaded.value = record;
      } catch (error) {
        problem.value = error instanceof RefusedError ? error.message : viewerTexts.noAnswer;
      }
    };
    void open();
  }, []);
  return (
    <Tool title={texts.form.heading}>
      {problem.value !== "" && (
        <>
          <p class="problem" role="alert">
            {problem.value}
          </p>
          <p class="buttons">
            <button type="button" class="button" onClick={() => reading.closeTool()}>
              {texts.close}
            </button>
          </p>
        </>
      )}
      {problem.value === "" && loaded.value === null && <p class="quiet">{viewerTexts.loading}</p>}
      {loaded.value !== null && (
        <Fields reading={reading} opened={loaded.value} languages={languages.value} />
      )}
    </Tool>
  );
}

const expanded = "?expand=organization,projects";

async function readRecord(reading: Reading): Promise<Loaded> {
  const { body, etag } = await exchange("GET", `${reading.api.address}${expanded}`, reading.csrfToken ?? "");
  return { record: body as EditedRecord, etag };
}

/** The codes of the languages that a document may have. */
async function readLanguages(reading: Reading): Promise<string[]> {
  const { body } = await exchange("OPTIONS", reading.api.address, reading.csrfToken ?? "");
  const { actions } = body as { actions?: { PUT?: { language?: { choices?: { value: string }[] } } } };
  return (actions?.PUT?.language?.choices ?? []).map(({ value }) => value);
}

function Fields({
  reading,
  opened,
  languages,
}: {
  reading: Reading;
  opened: Loaded;
  languages: readonly string[];
}) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const current = useSignal(opened);
  const draft = useSignal<Draft>(draftOf(opened.record));
  const faults = useSignal<ReadonlyMap<string, string>>(new Map());
  const problem = useSignal("");
  const isSaving = useSignal(false);
  const isAsking = useSignal(false);
  const base = draftOf(current.value.record);
  const isUnsaved = differences(base, draft.value).length > 0;
  useLeavingWarning(isUnsaved);

  const set = (change: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...change };
    isAsking.value = false;
  };
  /** Shows what is wrong at the fields, and moves the focus to the first of them. */
  const tell = (found: ReadonlyMap<string, string>, general: string): void => {
    faults.value = found;
    problem.value = general;
    requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>("[aria-invalid='true'], fieldset.invalid input")?.focus(),
    );
  };

  const save = async (): Promise<void> => {
    if (isSaving.value) return;
    const found = faultsOf(draft.value, { base });
    if (found.size > 0) return tell(found, "");
    isSaving.value = true;
    tell(new Map(), "");
    try {
      await send();
      reading.closeTool();
      reading.announcement.value = texts.form.saved;
      await reading.refreshPage();
    } catch (error) {
      isSaving.value = false;
      if (error instanceof ConflictError) {
        const messages = error.fields.map((field): [string, string] => [
          field,
          texts.form.conflict(inWords(draftOf(current.value.record), field)),
        ]);
        tell(new Map(messages), texts.form.conflicts);
      } else if (error instanceof RefusedError) {
        const fields = new Map([...error.fields].filter(([name]) => name in draft.value));
        const isSaid = fields.size > 0 && fields.size === error.fields.size;
        tell(fields, isSaid ? texts.form.seeAbove : texts.form.notSaved(error.message));
      } else tell(new Map(), viewerTexts.noAnswer);
    }
  };

  /** Sends the changes. If others have changed other fields meanwhile, theirs stay. */
  const send = async (): Promise<void> => {
    const changes = changesOf(draftOf(current.value.record), draft.value);
    if (Object.keys(changes).length === 0) return;
    const address = `${reading.api.address}${expanded}`;
    try {
      const { etag: ifMatch } = current.value;
      await exchange("PATCH", address, reading.csrfToken ?? "", { value: changes, ifMatch });
    } catch (error) {
      if (!(error instanceof RefusedError && error.status === 412)) throw error;
      const theirs = await readRecord(reading);
      const before = draftOf(current.value.record);
      const merged = merge(before, draftOf(theirs.record), draft.value);
      current.value = theirs;
      draft.value = merged.draft;
      if (merged.conflicts.length > 0) throw new ConflictError(merged.conflicts);
      await send();
    }
  };

  const cancel = (): void => {
    if (isUnsaved && !isAsking.value) isAsking.value = true;
    else reading.closeTool();
  };

  const messageOf = (field: DraftField): ComponentChildren => {
    const message = faults.value.get(field);
    return (
      message !== undefined && (
        <span class="problem" id={`${id}-${field}-fault`}>
          {message}
        </span>
      )
    );
  };
  const marks = (field: DraftField, help?: string): object => {
    const isWrong = faults.value.has(field);
    const described = [isWrong && `${id}-${field}-fault`, help].filter((one) => typeof one === "string");
    return {
      id: `${id}-${field}`,
      "aria-invalid": isWrong ? "true" : undefined,
      "aria-describedby": described.length > 0 ? described.join(" ") : undefined,
    };
  };
  const text = (field: "title" | DescribingName, label: string, more: object): ComponentChildren => {
    const Input = "rows" in more ? "textarea" : "input";
    return (
      <p key={field} class="field">
        <label for={`${id}-${field}`}>{label}</label>
        <Input
          {...marks(field)}
          autocomplete="off"
          value={draft.value[field]}
          onInput={({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
            set({ [field]: currentTarget.value })
          }
          {...more}
        />
        {messageOf(field)}
      </p>
    );
  };
  const { access, publish_at, tags, data, language } = draft.value;
  return (
    <form
      ref={form}
      class="note-form document-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {text("title", texts.title, { maxLength: documentLimits.title, dir: "auto", required: true })}
      {describingNames.map((name) => text(name, texts.describing[name].label, inputFor(name, 5)))}
      <p class="field">
        <label for={`${id}-language`}>{texts.form.language}</label>
        <select
          {...marks("language")}
          value={language}
          onChange={({ currentTarget }) => set({ language: currentTarget.value })}
        >
          {(languages.includes(language) ? languages : [language, ...languages])
            .map((code) => ({ code, name: languageName(code) }))
            .toSorted((left, right) => left.name.localeCompare(right.name))
            .map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
        </select>
        {messageOf("language")}
      </p>
      <p class="field">
        <label for={`${id}-access`}>{texts.form.access}</label>
        <select
          {...marks("access", `${id}-audience`)}
          value={access}
          onChange={({ currentTarget }) =>
            set({
              access: currentTarget.value,
              ...(currentTarget.value === "public" && { publish_at: "" }),
            })
          }
        >
          {Object.entries(texts.form.levels).map(([level, name]) => (
            <option key={level} value={level}>
              {name}
            </option>
          ))}
        </select>
        {messageOf("access")}
      </p>
      {access !== "public" && (
        <p class="field">
          <label for={`${id}-publish_at`}>{texts.form.publishAt}</label>
          <input
            {...marks("publish_at", `${id}-audience`)}
            type="datetime-local"
            value={publish_at}
            onInput={({ currentTarget }) => set({ publish_at: currentTarget.value })}
          />
          {messageOf("publish_at")}
        </p>
      )}
      <p class="help" id={`${id}-audience`} role="status">
        {audienceInWords(draft.value, current.value.record)}
      </p>
      <fieldset class={faults.value.has("tags") ? "invalid" : ""}>
        <legend>{texts.form.tags}</legend>
        {tags.map((tag, index) => (
          <p key={index} class="field row">
            <input
              aria-label={texts.form.tag(index + 1)}
              maxLength={documentLimits.dataValue}
              dir="auto"
              value={tag}
              onInput={({ currentTarget }) => set({ tags: tags.with(index, currentTarget.value) })}
            />
            <RemoveButton
              label={texts.form.removeTag(index + 1)}
              onClick={() => set({ tags: tags.toSpliced(index, 1) })}
            />
          </p>
        ))}
        <AddButton label={texts.form.addTag} onClick={() => set({ tags: [...tags, ""] })} />
        {messageOf("tags")}
      </fieldset>
      <fieldset class={faults.value.has("data") ? "invalid" : ""}>
        <legend>{texts.form.data}</legend>
        {data.map((row, index) => (
          <DataFields
            key={index}
            row={row}
            number={index + 1}
            onChange={(change) => set({ data: data.with(index, { ...row, ...change }) })}
            onRemove={() => set({ data: data.toSpliced(index, 1) })}
          />
        ))}
        <AddButton
          label={texts.form.addData}
          onClick={() => set({ data: [...data, { key: "", value: "" }] })}
        />
        {messageOf("data")}
      </fieldset>
      {problem.value !== "" && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {isAsking.value && <p role="alert">{texts.form.unsaved}</p>}
      <p class="buttons">
        <button class="button primary" aria-disabled={isSaving.value || undefined}>
          {isSaving.value ? texts.saving : texts.save}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {isAsking.value ? texts.discard : texts.cancel}
        </button>
      </p>
    </form>
  );
}

/** Others have changed the same fields. */
class ConflictError extends Error {
  override readonly name = "ConflictError";
  readonly fields: readonly DraftField[];

  constructor(fields: readonly DraftField[]) {
    super(`changed by others: ${fields.join(", ")}`);
    this.fields = fields;
  }
}

function DataFields({
  row,
  number,
  onChange,
  onRemove,
}: {
  row: DataRow;
  number: number;
  onChange: (change: Partial<DataRow>) => void;
  onRemove: () => void;
}) {
  return (
    <p class="field row">
      <input
        aria-label={texts.form.keyNumber(number)}
        placeholder={texts.form.key}
        maxLength={documentLimits.dataKey}
        value={row.key}
        onInput={({ currentTarget }) => onChange({ key: currentTarget.value })}
      />
      <input
        aria-label={texts.form.valueNumber(number)}
        placeholder={texts.form.value}
        maxLength={documentLimits.dataValue}
        dir="auto"
        value={row.value}
        onInput={({ currentTarget }) => onChange({ value: currentTarget.value })}
      />
      <RemoveButton label={texts.form.removeValue(number)} onClick={onRemove} />
    </p>
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
  const place = useRef<HTMLParagraphElement>(null);
  return (
    <p ref={place}>
      <button
        type="button"
        class="button small"
        onClick={() => {
          onClick();
          requestAnimationFrame(() => place.current?.previousElementSibling?.querySelector("input")?.focus());
        }}
      >
        {label}
      </button>
    </p>
  );
}
