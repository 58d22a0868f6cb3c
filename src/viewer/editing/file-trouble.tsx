import { passwordTexts } from "../texts/password-texts.ts";
import { useEffect, useId, useState } from "preact/hooks";
import { PasswordForm } from "../form/password-form.tsx";
import { FileTrouble } from "../model/file-trouble.ts";
import type { Client } from "../model/send.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { editingTexts } from "../texts/editing-texts.ts";

const texts = editingTexts.trouble;

/**
 * Why a document has no pages, and what people who may change it can do about that: give the password, have the file
 * read again, replace it. `name` is part of the names of the buttons in a list of several documents.
 */
export function FileTroubleBox({
  client,
  document,
  name = null,
  onStarted,
}: {
  client: Client;
  document: { id: number; status: string };
  name?: string | null;
  onStarted: () => void;
}) {
  const [trouble] = useState(() => new FileTrouble(client, document.id));
  const hasFile = document.status !== "nofile";
  useEffect(() => {
    if (hasFile) void trouble.load();
  }, [trouble]);
  const labelOf = (action: string): string | undefined =>
    name === null ? undefined : texts.of(action, name);
  if (trouble.state.value === "sent") return <p role="status">{texts.sent}</p>;
  return (
    <div class="file-trouble">
      <p class="problem">{hasFile ? trouble.sentence.value : texts.noFile}</p>
      {trouble.problem.value !== "" && (
        <p class="problem" role="alert">
          {trouble.problem.value}
        </p>
      )}
      {trouble.isLocked.value && (
        <PasswordForm
          label={labelOf(passwordTexts.label) ?? passwordTexts.label}
          submit={passwordTexts.open}
          onPassword={(password) => void trouble.process({ password }, onStarted)}
        />
      )}
      <p class="buttons">
        {hasFile && !trouble.isLocked.value && (
          <button
            type="button"
            class="button small"
            aria-label={labelOf(texts.tryAgain)}
            disabled={trouble.state.value === "sending"}
            onClick={() => void trouble.process({}, onStarted)}
          >
            {texts.tryAgain}
          </button>
        )}
        <a
          class="button small"
          aria-label={labelOf(texts.replace)}
          href={client.pageAddress(`upload/?replace=${document.id}`)}
        >
          {texts.replace}
        </a>
      </p>
    </div>
  );
}

/** What stands where the pages of a document would be, for people who may change it. */
export function WithoutPages({ viewer }: { viewer: ViewerState }) {
  const id = useId();
  const { id: document, status } = viewer.record.value;
  if (status !== "error" && status !== "nofile") return null;
  return (
    <section class="without-pages" aria-labelledby={id}>
      <h2 id={id}>{texts.heading}</h2>
      <FileTroubleBox
        client={viewer.api}
        document={{ id: document, status }}
        onStarted={() => viewer.followWork()}
      />
    </section>
  );
}

/** Has the file of the document read again. The document stays as it is until that is done. */
export async function processAgain(viewer: ViewerState): Promise<void> {
  const trouble = new FileTrouble(viewer.api, viewer.record.value.id);
  await trouble.process({}, () => viewer.followWork());
  viewer.announcement.value =
    trouble.problem.value === "" ? editingTexts.processedAgain : trouble.problem.value;
}
