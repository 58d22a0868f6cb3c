import { useSignal } from "@preact/signals";
import type { OwnDeskOptions } from "../contract/page-options.ts";
import { useRef } from "preact/hooks";
import type { DeskApi } from "./model/desk-api.ts";
import { chosenFiles } from "./uploads/dropped-files.ts";
import { FileReplacement, type ReplacedDocument } from "./uploads/file-replacement.ts";
import { sizeInWords, texts } from "./model/texts.ts";
import { AddressForm, useDrops } from "./upload-chooser.tsx";
import { UploadRow } from "./upload-row.tsx";

/** The page on which people give a document another file. */
export function replacePageOf(api: DeskApi, { replace }: OwnDeskOptions<"replace">) {
  const replacement = new FileReplacement(api, replace);
  void replacement.load();
  return <ReplacePage api={api} replacement={replacement} />;
}

function ReplacePage({ api, replacement }: { api: DeskApi; replacement: FileReplacement }) {
  const { document, problem, uploads } = replacement;
  const found = document.value;
  const isPossible = found !== null && found.edit_access && problem.value !== texts.replacement.elsewhere;
  const isDraggedOver = useDrops(isPossible, (files) => replacement.choose(files));
  const [item] = uploads.items.value;
  return (
    <div class={`desk ${isDraggedOver.value ? "is-over" : ""}`}>
      {found !== null && (
        <p class="replaced-document" dir="auto">
          {texts.replacement.of}{" "}
          <a href={found.canonical_url}>{found.title === "" ? texts.untitled : found.title}</a>
        </p>
      )}
      {isPossible && (
        <>
          <Consequences document={found} />
          <Choice api={api} replacement={replacement} />
        </>
      )}
      <p class="problem" role="alert">
        {problem.value}
      </p>
      {item !== undefined && (
        <ul class="uploads">
          <UploadRow key={item.key} item={item} api={api} uploads={uploads} projects={[]} />
        </ul>
      )}
      {item !== undefined && ["checking", "ready"].includes(item.state.value) && (
        <p class="buttons">
          <button
            type="button"
            class="button primary"
            disabled={uploads.startable.value.length === 0}
            onClick={() => uploads.start()}
          >
            {texts.replaceFile}
          </button>
        </p>
      )}
    </div>
  );
}

/** What stays and what changes. */
function Consequences({ document }: { document: ReplacedDocument }) {
  const parts = document.notes.length + document.sections.length;
  const { keeps, until, seenBy, redactions } = texts.replacement;
  const sentences = [
    keeps,
    until,
    seenBy[document.access],
    parts > 0 ? texts.replacement.parts(parts) : undefined,
    redactions,
  ];
  return (
    <ul class="consequences">
      {sentences.map((sentence) => sentence !== undefined && <li key={sentence}>{sentence}</li>)}
    </ul>
  );
}

function Choice({ api, replacement }: { api: DeskApi; replacement: FileReplacement }) {
  const input = useRef<HTMLInputElement>(null);
  const { uploads } = replacement;
  const item = uploads.items.value[0];
  const isUnderWay = item?.isUnderWay.value === true;
  const isByAddress = useSignal(false);
  const take = (field: HTMLInputElement): void => {
    if (field.files !== null) replacement.choose(chosenFiles(field.files));
    field.value = "";
  };
  return (
    <section class="drop" aria-label={texts.replacement.drop}>
      <p class="drop-words">{texts.replacement.drop}</p>
      <p class="help">{texts.replacement.limits(sizeInWords(api.options.maxBytes))}</p>
      <p class="buttons">
        <button
          type="button"
          class={`button ${item === undefined ? "primary" : ""}`}
          disabled={isUnderWay}
          onClick={() => input.current?.click()}
        >
          {texts.replacement.choose}
        </button>
        <button
          type="button"
          class="button"
          disabled={isUnderWay}
          aria-expanded={isByAddress.value}
          onClick={() => (isByAddress.value = !isByAddress.value)}
        >
          {texts.byAddress}
        </button>
      </p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={texts.replacement.choose}
        onChange={({ currentTarget }) => take(currentTarget)}
      />
      {isByAddress.value && (
        <AddressForm
          label={texts.replacement.address}
          button={texts.replacement.useAddress}
          isDisabled={isUnderWay}
          onSubmit={([line = ""]) => (replacement.chooseAddress(line) ? [] : [line])}
        />
      )}
      <p class="check">
        <input
          id="force-ocr"
          type="checkbox"
          disabled={isUnderWay}
          checked={uploads.defaults.value.forceOcr}
          onChange={({ currentTarget }) => {
            const forceOcr = currentTarget.checked;
            uploads.defaults.value = { ...uploads.defaults.value, forceOcr };
            if (item !== undefined) item.settings.value = { ...item.settings.value, forceOcr };
          }}
        />
        <label for="force-ocr">{texts.forceOcr}</label>
      </p>
    </section>
  );
}
