import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { texts } from "./texts/texts.ts";

/**
 * A modal dialog. The browser keeps the focus inside, and restores it when the dialog closes. A form inside may prevent
 * the event `cancel`, with which the dialog announces that a person wants to close it.
 */
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
  const leave = (): void => {
    if (dialog.current?.dispatchEvent(new Event("cancel", { cancelable: true })) === true) onClose();
  };
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
        <button type="button" class="button small" onClick={leave}>
          {texts.close}
        </button>
      </div>
      {children}
    </dialog>
  );
}

/** Asks before something is done that cannot be undone, or not easily. */
export function Ask({
  title,
  answer,
  onClose,
  onAnswer,
  children,
}: {
  title: string;
  /** What the button says that does it. */
  answer: string;
  onClose: () => void;
  onAnswer: () => unknown;
  children: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <p class="buttons">
        <button
          type="button"
          class="button danger"
          onClick={() => {
            onClose();
            onAnswer();
          }}
        >
          {answer}
        </button>
      </p>
    </Dialog>
  );
}
