import { passwordTexts } from "../viewer/texts/password-texts.ts";
import { PasswordForm } from "../viewer/form/password-form.tsx";
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { documentLimits } from "../contract/limits.ts";
import type { Project } from "../contract/project.ts";
import type { DeskApi } from "./model/desk-api.ts";
import { sizeInWords, texts } from "./model/texts.ts";
import type { UploadItem } from "./uploads/upload-item.ts";
import type { Uploads } from "./uploads/uploads.ts";
import { RowButton } from "./parts/row-button.tsx";
import { SettingsFields } from "./settings-fields.tsx";

/** One item of the list, with its state and its actions. */
export function UploadRow({
  item,
  api,
  uploads,
  projects,
}: {
  item: UploadItem;
  api: DeskApi;
  uploads: Uploads;
  projects: readonly Project[];
}) {
  const id = useId();
  const isOpened = useSignal(false);
  const state = item.state.value;
  return (
    <li class={`upload-row is-${state}`} aria-labelledby={`${id}-name`}>
      <div class="upload-head">
        <p class="upload-name" id={`${id}-name`} dir="auto">
          {item.path}
        </p>
        {item.file !== null && <p class="upload-size">{sizeInWords(item.file.size)}</p>}
      </div>
      <p class={`upload-state ${["wrong", "failed", "locked"].includes(state) ? "problem" : ""}`}>
        {stateInWords(item)}
      </p>
      {(state === "sending" || state === "interrupted") && (
        <progress aria-labelledby={`${id}-name`} max={100} value={item.percent.value} />
      )}
      <Notices item={item} />
      {state === "locked" && <UploadPassword item={item} uploads={uploads} />}
      <p class="buttons">
        <Buttons item={item} api={api} uploads={uploads}>
          {item.isOpen.value && (
            <button
              type="button"
              class="button small"
              aria-expanded={isOpened.value}
              aria-controls={`${id}-settings`}
              aria-label={texts.settingsOf(item.path)}
              onClick={() => (isOpened.value = !isOpened.value)}
            >
              {texts.settings}
            </button>
          )}
        </Buttons>
      </p>
      {item.isOpen.value && isOpened.value && (
        <ItemSettings id={`${id}-settings`} item={item} api={api} projects={projects} />
      )}
    </li>
  );
}

/** What an earlier visit has uploaded, and whether the file is known already. */
function Notices({ item }: { item: UploadItem }) {
  const state = item.state.value;
  const same = item.sameFile.value;
  return (
    <>
      {item.resumedFrom.value !== null && ["checking", "ready", "waiting"].includes(state) && (
        <p class="help">
          {texts.resumed(item.resumedFrom.value)} {accessName(item.settings.value.access)}
        </p>
      )}
      {same !== null && state === "ready" && (
        <p class="doubtful">
          {same.href === null ? (
            texts.duplicateHere(same.title)
          ) : (
            <>
              {same.hasFailed ? texts.duplicateFailed : texts.duplicate} <a href={same.href}>{same.title}</a>
            </>
          )}
        </p>
      )}
    </>
  );
}

/** The actions on an item. `children` stand in between. */
function Buttons({
  item,
  api,
  uploads,
  children,
}: {
  item: UploadItem;
  api: DeskApi;
  uploads: Uploads;
  children: ComponentChildren;
}) {
  const state = item.state.value;
  const document = item.document.value;
  const { path, isReplacement } = item;
  const anyway = isReplacement ? texts.replacement.anyway : texts.uploadAnyway;
  return (
    <>
      {document !== null && (
        <a class="button small" href={document.canonical_url}>
          {texts.open(document.title)}
        </a>
      )}
      {item.sameFile.value !== null && state === "ready" && (
        <RowButton action={anyway} of={path} onClick={() => uploads.startOne(item)} />
      )}
      {children}
      {item.canRetry.value && (
        <RowButton action={texts.tryAgain} of={path} onClick={() => void uploads.retry(item)} />
      )}
      {state === "failed" && document !== null && !isReplacement && (
        <a
          class="button small"
          href={api.replacementPage(document.id)}
          aria-label={texts.of(texts.replaceFile, path)}
        >
          {texts.replaceFile}
        </a>
      )}
      {item.isUnderWay.value ? (
        <RowButton action={texts.cancel} of={path} onClick={() => void uploads.cancel(item)} />
      ) : (
        <RowButton action={texts.remove} of={path} onClick={() => uploads.remove(item)} />
      )}
    </>
  );
}

function ItemSettings({
  id,
  item,
  api,
  projects,
}: {
  id: string;
  item: UploadItem;
  api: DeskApi;
  projects: readonly Project[];
}) {
  return (
    <div class="upload-settings" id={id} role="group" aria-label={texts.settingsOf(item.path)}>
      <p class="field">
        <label for={`${id}-title`}>{texts.title}</label>
        <input
          id={`${id}-title`}
          maxLength={documentLimits.title}
          placeholder={item.name.replace(/\.[^.]+$/, "")}
          value={item.title.value}
          onInput={({ currentTarget }) => (item.title.value = currentTarget.value)}
        />
      </p>
      <SettingsFields
        settings={item.settings.value}
        projects={projects}
        languages={api.options.languages}
        onChange={(change) => (item.settings.value = { ...item.settings.value, ...change })}
      />
    </div>
  );
}

function UploadPassword({ item, uploads }: { item: UploadItem; uploads: Uploads }) {
  const field = useRef<HTMLInputElement>(null);
  // After a wrong password, a person goes on typing where they were.
  useLayoutEffect(() => {
    const row = field.current?.closest("li");
    const wasWrong = item.message.peek() === passwordTexts.wrong;
    if (wasWrong && row?.contains(document.activeElement) === true) field.current?.focus();
  }, [item]);
  return (
    <PasswordForm
      label={texts.of(passwordTexts.label, item.path)}
      submit={passwordTexts.open}
      onPassword={(password) => void uploads.unlock(item, password)}
      field={field}
    />
  );
}

function accessName(access: string): string {
  return texts.access.levels[access] ?? "";
}

function stateInWords({ state, message, percent, speed }: UploadItem): string {
  switch (state.value) {
    case "checking":
      return texts.checking;
    case "ready":
      return texts.ready;
    case "waiting":
      return texts.waiting;
    case "sending":
      return texts.sending(percent.value, speed.value === 0 ? "" : sizeInWords(speed.value));
    case "sent":
    case "done":
    case "failed":
    case "wrong":
    case "locked":
    case "interrupted":
    case "cancelled":
      return message.value;
  }
}
