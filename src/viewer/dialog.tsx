import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
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
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} class="viewer-dialog" aria-labelledby="viewer-dialog-title" onClose={onClose}>
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
