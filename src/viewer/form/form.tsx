import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { texts } from "../texts/texts.ts";
import type { Draft } from "./draft.ts";

const firstFault = "[aria-invalid='true'], fieldset[data-invalid] :is(input, select, textarea, button)";

interface ButtonsProps {
  /** The text of the button that submits the form; without one, the fields have it. */
  submit?: string;
  /** Without it, the form has no button that leaves it. */
  onCancel?: (() => void) | undefined;
  isSmall?: boolean;
  isDangerous?: boolean;
  isUnavailable?: boolean;
  /** Further buttons. */
  more?: ComponentChildren;
}

/**
 * A form with its fields, what is wrong, and its buttons. After a refusal the first field with a fault gets the focus.
 * Before the page, or the dialog around the form, is left, people are warned if something is not saved.
 */
export function Form<Values extends object>({
  draft,
  send,
  label,
  labelledBy,
  class: name = "",
  children,
  ...buttons
}: ButtonsProps & {
  draft: Draft<Values>;
  /** Submits the draft. */
  send: () => unknown;
  label?: string;
  /** The id of the element that is its label. */
  labelledBy?: string;
  class?: string;
  children: ComponentChildren;
}) {
  const form = useRef<HTMLFormElement>(null);
  const faults = draft.faults.value;
  useLeavingWarning(draft.isUnsaved.value);
  useEffect(() => {
    if (faults.size > 0) form.current?.querySelector<HTMLElement>(firstFault)?.focus();
  }, [faults]);
  useEffect(() => {
    const dialog = form.current?.closest("dialog");
    const onLeave = (event: Event): void => draft.leaveBy(event);
    dialog?.addEventListener("cancel", onLeave);
    return () => dialog?.removeEventListener("cancel", onLeave);
  }, [draft]);
  return (
    <form
      ref={form}
      class={`form ${name}`}
      aria-label={label}
      aria-labelledby={labelledBy}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {children}
      {draft.problem.value !== "" && (
        <p class="problem" role="alert">
          {draft.problem.value}
        </p>
      )}
      {draft.isLeaving.value && <p role="alert">{texts.form.unsaved}</p>}
      <Buttons draft={draft} {...buttons} />
    </form>
  );
}

function Buttons<Values extends object>({
  draft,
  submit,
  onCancel,
  isSmall = false,
  isDangerous = false,
  isUnavailable = false,
  more,
}: ButtonsProps & { draft: Draft<Values> }) {
  if (submit === undefined && onCancel === undefined) return null;
  const size = isSmall ? "button small" : "button";
  const isSending = draft.isSending.value;
  return (
    <p class="buttons">
      {submit !== undefined && (
        <button
          class={`${size} ${isDangerous ? "danger" : "primary"}`}
          disabled={isUnavailable}
          aria-disabled={isSending || undefined}
        >
          {isSending ? texts.form.saving : submit}
        </button>
      )}
      {more}
      {onCancel !== undefined && (
        <button type="button" class={size} onClick={() => draft.leave(onCancel)}>
          {draft.isLeaving.value ? texts.form.discard : texts.cancel}
        </button>
      )}
    </p>
  );
}

/** Asks before the page is left while `isUnsaved`. */
export function useLeavingWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", onLeave);
    return () => removeEventListener("beforeunload", onLeave);
  }, [isUnsaved]);
}
