import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Project } from "../contract/project.ts";
import type { DeskApi } from "./model/desk-api.ts";
import { chosenFiles } from "./uploads/dropped-files.ts";
import { sizeInWords, texts } from "./model/texts.ts";
import { NewDocuments } from "./uploads/upload-target.ts";
import { Uploads } from "./uploads/uploads.ts";
import { SettingsFields } from "./settings-fields.tsx";
import { AddressForm, useDrops } from "./upload-chooser.tsx";
import { UploadRow } from "./upload-row.tsx";

/** The page on which people upload files. */
export function uploadPageOf(api: DeskApi) {
  const uploads = new Uploads(api, new NewDocuments(api));
  void uploads.findUnfinished();
  return <UploadPage api={api} uploads={uploads} />;
}

function UploadPage({ api, uploads }: { api: DeskApi; uploads: Uploads }) {
  const projects = useSignal<readonly Project[]>([]);
  useEffect(() => {
    // Without the list, files can still be uploaded, but not added to a project.
    const load = async (): Promise<void> => {
      projects.value = await api.projects().catch(() => []);
    };
    void load();
  }, [api, projects]);
  const isDraggedOver = useDrops(true, (files) => uploads.add(files));
  const { languages, maxBytes } = api.options;
  const items = uploads.items.value;
  const startable = uploads.startable.value.length;
  return (
    <div class={`desk ${isDraggedOver.value ? "is-over" : ""}`}>
      <Unfinished uploads={uploads} />
      <section class="drop" aria-label={texts.drop}>
        <p class="drop-words">{texts.drop}</p>
        <p class="help">{texts.limits(sizeInWords(maxBytes))}</p>
        <Choices uploads={uploads} />
        {uploads.leftOut.value > 0 && <p class="help">{texts.leftOut(uploads.leftOut.value)}</p>}
      </section>
      <fieldset class="desk-settings">
        <legend>{texts.forAll}</legend>
        <SettingsFields
          settings={uploads.defaults.value}
          projects={projects.value}
          languages={languages}
          onChange={(change) => uploads.changeAll(change)}
        />
      </fieldset>
      {items.length > 0 && (
        <section class="upload-list" aria-labelledby="upload-list">
          <div class="list-head">
            <h2 id="upload-list">{texts.list}</h2>
            <Summary uploads={uploads} />
            <Imports uploads={uploads} />
            <p class="buttons">
              <button
                type="button"
                class="button primary"
                aria-disabled={startable === 0 || undefined}
                onClick={() => uploads.start()}
              >
                {texts.upload(startable)}
              </button>
              <ListButtons uploads={uploads} />
            </p>
          </div>
          <ul class="uploads">
            {items.map((item) => (
              <UploadRow key={item.key} item={item} api={api} uploads={uploads} projects={projects.value} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** The interrupted uploads of earlier visits. */
function Unfinished({ uploads }: { uploads: Uploads }) {
  const unfinished = uploads.unfinished.value;
  if (unfinished.length === 0) return null;
  return (
    <section class="notice" aria-label={texts.unfinished(unfinished.length)}>
      <p>{texts.unfinished(unfinished.length)}</p>
      <ul class="unfinished">
        {unfinished.map(({ key, name }) => (
          <li key={key} dir="auto">
            {name}
          </li>
        ))}
      </ul>
      <p class="buttons">
        <button type="button" class="button small" onClick={() => void uploads.forget()}>
          {texts.forget}
        </button>
      </p>
    </section>
  );
}

function Choices({ uploads }: { uploads: Uploads }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (folder.current !== null) folder.current.webkitdirectory = true;
  }, []);
  const isByAddress = useSignal(false);
  const take = (input: HTMLInputElement): void => {
    if (input.files !== null) uploads.add(chosenFiles(input.files));
    input.value = "";
  };
  return (
    <>
      <p class="buttons">
        <button type="button" class="button primary" onClick={() => files.current?.click()}>
          {texts.chooseFiles}
        </button>
        <button type="button" class="button" onClick={() => folder.current?.click()}>
          {texts.chooseFolder}
        </button>
        <button
          type="button"
          class="button"
          aria-expanded={isByAddress.value}
          onClick={() => (isByAddress.value = !isByAddress.value)}
        >
          {texts.byAddress}
        </button>
      </p>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={texts.chooseFiles}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      <input
        ref={folder}
        type="file"
        hidden
        aria-label={texts.chooseFolder}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      {isByAddress.value && (
        <AddressForm
          label={texts.addresses}
          button={texts.addAddresses}
          isMany
          onSubmit={(lines) => uploads.addAddresses(lines)}
        />
      )}
    </>
  );
}

function Summary({ uploads }: { uploads: Uploads }) {
  const words = useComputed(() => {
    const items = uploads.items.value;
    const count = (...states: string[]): number =>
      items.filter(({ state }) => states.includes(state.value)).length;
    const bytes = items.reduce((sum, { file }) => sum + (file?.size ?? 0), 0);
    const counts = {
      total: items.length,
      done: count("done"),
      failed: count("failed", "locked"),
      wrong: count("wrong"),
      size: bytes === 0 ? "" : sizeInWords(bytes),
    };
    return counts.done === counts.total ? texts.allDone(counts.total) : texts.summary(counts);
  });
  const held = useComputed(
    () => uploads.items.value.filter(({ sameFile }) => sameFile.value !== null).length,
  ).value;
  // The tray of running work says it on other pages.
  useEffect(() => sessionStorage.setItem("held-back", String(held)), [held]);
  return (
    <p class="list-summary" role="status">
      {words}
    </p>
  );
}

/** Where the imports of folders can be watched, also when this page is closed. */
function Imports({ uploads }: { uploads: Uploads }) {
  return (
    <p>
      {uploads.imports.value.map(({ name, address }) => (
        <a key={address} href={address} target="_blank" dir="auto">
          {texts.watchImport(name)}
        </a>
      ))}
    </p>
  );
}

function ListButtons({ uploads }: { uploads: Uploads }) {
  const items = uploads.items.value;
  const has = (...states: string[]): boolean => items.some(({ state }) => states.includes(state.value));
  return (
    <>
      {has("failed") && (
        <button type="button" class="button" onClick={() => uploads.retryAll()}>
          {texts.retryAll}
        </button>
      )}
      {has("waiting", "sending", "interrupted") && (
        <button type="button" class="button" onClick={() => uploads.cancelAll()}>
          {texts.cancelAll}
        </button>
      )}
      {has("done", "cancelled", "wrong") && (
        <button type="button" class="button" onClick={() => uploads.removeFinished()}>
          {texts.clear}
        </button>
      )}
    </>
  );
}
