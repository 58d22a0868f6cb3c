import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { maxQueryLength } from "../../contract/limits.ts";
import { TextField, fieldOf } from "./field.tsx";

/** A form that searches: the field for the query with its button, and what else decides what is found. */
export function SearchForm({
  query,
  label,
  submit,
  send,
  id,
  class: name = "",
  isRequired = false,
  isLabelHidden = false,
  children,
}: {
  query: Signal<string>;
  label: string;
  /** The text of the button. */
  submit: string;
  send: () => unknown;
  /** The id of the field. */
  id?: string;
  class?: string;
  isRequired?: boolean;
  /** Whether the field shows its label only while it is empty. */
  isLabelHidden?: boolean;
  children?: ComponentChildren;
}) {
  return (
    <form
      class={`form ${name}`}
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextField
        field={{ ...fieldOf(query), maxLength: maxQueryLength }}
        label={label}
        type="search"
        isRequired={isRequired}
        isLabelHidden={isLabelHidden}
        {...(id !== undefined && { id })}
      >
        <button class="button">{submit}</button>
      </TextField>
      {children}
    </form>
  );
}
