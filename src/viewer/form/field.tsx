import type { Signal } from "@preact/signals";
import type { ComponentChildren, TargetedInputEvent } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Field } from "./draft.ts";

interface Labels {
  label: string;
  help?: ComponentChildren;
}

/** A field whose value is a signal, for a form that has nothing to save. */
export function fieldOf<Value>(value: Signal<Value>): Field<Value> {
  return { value: value.value, set: (changed) => (value.value = changed) };
}

/** The attributes of a control by which its label, its help and what is wrong with it are announced. */
function attributesOf(id: string, { fault = "" }: { fault?: string }, help: ComponentChildren) {
  const described = [fault !== "" && `${id}-fault`, help !== undefined && `${id}-help`];
  return {
    id,
    "aria-invalid": fault === "" ? undefined : ("true" as const),
    "aria-describedby": described.filter((one) => one !== false).join(" ") || undefined,
  };
}

/** What is wrong with a field, and its help: both below it. */
function Remarks({
  id,
  fault = "",
  help,
}: {
  id: string;
  fault?: string | undefined;
  help?: ComponentChildren;
}) {
  return (
    <>
      {fault !== "" && (
        <span class="problem" role="alert" id={`${id}-fault`}>
          {fault}
        </span>
      )}
      {help !== undefined && (
        <span class="help" id={`${id}-help`}>
          {help}
        </span>
      )}
    </>
  );
}

interface TextFieldProps extends Labels {
  field: Field<string>;
  type?: "text" | "date" | "url" | "email" | "search" | "number" | "password" | "datetime-local";
  /** More than one makes the field a text area. */
  rows?: number;
  id?: string;
  isRequired?: boolean;
  isDisabled?: boolean;
  /** Whether the label is shown only within the empty field. */
  isLabelHidden?: boolean;
  /** Whether the field takes the focus when it appears. */
  takesFocus?: boolean;
  autocomplete?: string;
  placeholder?: string;
  min?: number;
  max?: number;
  /** Buttons beside the field. */
  children?: ComponentChildren;
  /** Receives the input when its text is complete. */
  onCommit?: (input: HTMLInputElement) => void;
}

const leftToRight = new Set(["url", "email", "number"]);

/** A labelled text. */
export function TextField({
  field,
  label,
  help,
  rows,
  id: given,
  takesFocus,
  isLabelHidden = false,
  children,
  ...more
}: TextFieldProps) {
  const own = useId();
  const id = given ?? own;
  const control = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    if (takesFocus === true) control.current?.focus();
  }, []);
  const { type = "text", isRequired, isDisabled, onCommit, autocomplete = "off", ...others } = more;
  const attributes: object = {
    ...attributesOf(id, field, help),
    ...others,
    ref: control,
    dir: leftToRight.has(type) ? "ltr" : "auto",
    autocomplete,
    required: isRequired,
    disabled: isDisabled,
    maxLength: field.maxLength,
    ...(isLabelHidden && { placeholder: label }),
    value: field.value,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      field.set(currentTarget.value),
    ...(rows === undefined ? { type } : { rows }),
    ...(onCommit !== undefined && {
      onChange: ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => onCommit(currentTarget),
    }),
  };
  const shown = rows === undefined ? <input {...attributes} /> : <textarea {...attributes} />;
  return (
    <p class="field">
      <label for={id} class={isLabelHidden ? "visually-hidden" : undefined}>
        {label}
      </label>
      {children === undefined ? (
        shown
      ) : (
        <span class="with-button">
          {shown}
          {children}
        </span>
      )}
      <Remarks id={id} fault={field.fault} help={help} />
    </p>
  );
}

/** A value and its name for people. */
export type Choice<Value = string> = readonly [value: Value, name: string];

/** A labelled list of choices. */
export function ChoiceField<Value extends string>({
  field,
  label,
  help,
  choices,
  isRequired,
}: Labels & { field: Field<Value>; choices: readonly Choice<Value>[]; isRequired?: boolean }) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select
        {...attributesOf(id, field, help)}
        value={field.value}
        required={isRequired}
        onChange={({ currentTarget }) => field.set(currentTarget.value as Value)}
      >
        {choices.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      <Remarks id={id} fault={field.fault} help={help} />
    </p>
  );
}

/** A labelled box to tick. */
export function CheckField({ field, label, help }: Labels & { field: Field<boolean> }) {
  const id = useId();
  return (
    <div class="check-field">
      <p class="check">
        <input
          {...attributesOf(id, field, help)}
          type="checkbox"
          checked={field.value}
          onChange={({ currentTarget }) => field.set(currentTarget.checked)}
        />
        <label for={id}>{label}</label>
      </p>
      <Remarks id={id} fault={field.fault} help={help} />
    </div>
  );
}

/** Choices that are all in sight, with what each means. */
export function RadioField<Value extends string>({
  field,
  label,
  help,
  choices,
}: Labels & {
  field: Field<Value>;
  choices: readonly (readonly [value: Value, text: ComponentChildren])[];
}) {
  const id = useId();
  return (
    <Fieldset field={field} label={label} help={help}>
      {choices.map(([value, text]) => (
        <label key={value} class="check" dir="auto">
          <input type="radio" name={id} checked={field.value === value} onChange={() => field.set(value)} />
          <span>{text}</span>
        </label>
      ))}
    </Fieldset>
  );
}

/** Several controls for one field. If something is wrong with it, the first control gets the focus. */
export function Fieldset({
  field,
  label,
  help,
  children,
}: Labels & { field: { fault?: string }; children: ComponentChildren }) {
  const id = useId();
  const { "aria-describedby": described, "aria-invalid": invalid } = attributesOf(id, field, help);
  return (
    <fieldset data-invalid={invalid} aria-describedby={described}>
      <legend>{label}</legend>
      {children}
      <Remarks id={id} fault={field.fault} help={help} />
    </fieldset>
  );
}
