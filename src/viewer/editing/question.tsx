import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { editingTexts as texts } from "../texts/editing-texts.ts";

/** A question within a tool, which is answered or closed before the tool goes on. Takes the focus, and returns it. */
export function Question({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    heading.current?.focus();
    heading.current?.scrollIntoView({ block: "nearest" });
    // What is below a question is hidden until the question is gone.
    return () => queueMicrotask(() => opener?.focus({ preventScroll: true }));
  }, []);
  return (
    <div
      class="tool-question"
      role="dialog"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div class="panel-head">
        <h3 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h3>
        <button type="button" class="button small" onClick={onClose}>
          {texts.back}
        </button>
      </div>
      {children}
    </div>
  );
}
