import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "./texts/texts.ts";

/** A modal dialog. The browser keeps the focus inside, and restores it when the dialog closes. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  // The clean-up of other effects runs when the dialog is no longer in the page: then the focus could not be restored.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="viewer-dialog"
      aria-labelledby="viewer-dialog-title"
      onClose={() => {
        // The browser sends this event late. By then this dialog may be gone, and another one open.
        if (dialog.current !== null) onClose();
      }}
    >
      <div class="panel-head">
        <h2 id="viewer-dialog-title">{title}</h2>
        <button type="button" class="button small" onClick={onClose}>
          {texts.close}
        </button>
      </div>
      {children}
    </dialog>
  );
}
