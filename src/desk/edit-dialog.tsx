import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { Dialog } from "../viewer/dialog.tsx";
import type { DocumentFormProps } from "../viewer/editing/document-form.tsx";
import { texts as viewerTexts } from "../viewer/texts/texts.ts";
import type { DeskApi, DeskDocument } from "./model/desk-api.ts";
import type { DocumentList } from "./model/document-list.ts";
import { texts } from "./model/texts.ts";

/** The form for a document's record, which the viewer has too. It is loaded when someone needs it. */
export function EditDialog({
  api,
  document,
  list,
  onClose,
}: {
  api: DeskApi;
  document: DeskDocument;
  list: DocumentList;
  onClose: () => void;
}) {
  const form = useSignal<{ DocumentForm: ComponentType<DocumentFormProps> } | null>(null);
  const problem = useSignal("");
  useEffect(() => {
    const load = async (): Promise<void> => {
      try {
        form.value = await import("../viewer/editing/document-form.tsx");
      } catch {
        problem.value = viewerTexts.partNotLoaded;
      }
    };
    void load();
  }, []);
  return (
    <Dialog title={texts.of(texts.edit, document.title)} onClose={onClose}>
      {problem.value !== "" && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {form.value !== null && (
        <form.value.DocumentForm
          client={api}
          path={`documents/${document.id}/`}
          onClose={onClose}
          onSaved={async ({ title }) => {
            await list.noteSaved(title);
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}
