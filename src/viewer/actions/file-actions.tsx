import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { Document } from "../../contract/document.ts";
import { Draft } from "../form/draft.ts";
import { Form } from "../form/form.tsx";
import { TextField } from "../form/field.tsx";
import { RefusedError } from "../model/send.ts";
import type { ViewerState } from "../state/viewer-state.ts";
import { documentLimits } from "../../contract/limits.ts";
import { actionTexts as texts } from "../texts/action-texts.ts";
import { texts as viewerTexts } from "../texts/texts.ts";

/** Makes a private document of its own with the same file. */
export function DuplicateAction({ viewer }: { viewer: ViewerState }) {
  const { title } = viewer.record.peek();
  const made = useSignal<Document | null>(null);
  const [draft] = useState(
    () =>
      new Draft(
        { title: texts.duplicate.titleOf(title || viewerTexts.untitled) },
        {
          limits: { title: documentLimits.title },
          check: (values) => (values.title.trim() === "" ? [["title", viewerTexts.titleNeeded]] : []),
        },
      ),
  );
  const send = (): Promise<boolean> =>
    draft.submit(async (values) => {
      made.value = await duplicate(viewer, values.title);
    });
  if (made.value !== null)
    return (
      <>
        <p role="status">{texts.duplicate.done}</p>
        <p class="buttons">
          <a class="button primary" href={made.value.canonical_url}>
            {texts.duplicate.open}
          </a>
          <button type="button" class="button" onClick={() => viewer.closeTool()}>
            {viewerTexts.close}
          </button>
        </p>
      </>
    );
  return (
    <Form draft={draft} send={send} submit={texts.duplicate.make} onCancel={() => viewer.closeTool()}>
      <p class="help">{texts.duplicate.means}</p>
      <TextField field={draft.field("title")} label={viewerTexts.title} isRequired />
    </Form>
  );
}

/** The original is sent again, as if the person had it on the disk. @throws {RefusedError} */
async function duplicate({ api, record }: ViewerState, title: string): Promise<Document> {
  const { language, slug } = record.peek();
  const file = api.downloadsOf(record.peek()).at(-1);
  if (file === undefined) throw new RefusedError(404, texts.duplicate.noFile);
  const answer = await api.network.fetch(file.address).catch(() => null);
  if (answer?.ok !== true) throw new RefusedError(answer?.status ?? 0, texts.duplicate.noFile);
  const form = new FormData();
  form.set("title", title.trim());
  form.set("access", "private");
  form.set("language", language);
  form.set("file", await answer.blob(), `${slug}.${file.extension}`);
  return (await api.send("POST", "documents/", form)) as Document;
}

/** Asks before the document is deleted, and leads to the list. */
export function DeletionAction({ viewer }: { viewer: ViewerState }) {
  const problem = useSignal("");
  const remove = async (): Promise<void> => {
    problem.value = "";
    try {
      await viewer.api.send("DELETE", viewer.api.path);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      // Someone else may have deleted it first.
      if (error.status !== 404) {
        problem.value = error.message;
        return;
      }
    }
    location.assign(viewer.api.pageAddress("documents/"));
  };
  return (
    <>
      <p>
        <strong dir="auto">{viewer.record.value.title || viewerTexts.untitled}</strong>
      </p>
      <p>{texts.deletion.means}</p>
      {problem.value !== "" && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <p class="buttons">
        <button type="button" class="button danger" onClick={() => void remove()}>
          {texts.deletion.confirm}
        </button>
        <button type="button" class="button" onClick={() => viewer.closeTool()}>
          {viewerTexts.cancel}
        </button>
      </p>
    </>
  );
}
