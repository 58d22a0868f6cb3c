import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { DeskOptions } from "../contract/page-options.ts";
import type { Project } from "../contract/project.ts";
import { languageName, texts } from "./model/texts.ts";

/** The pattern of an input that takes more than blanks. */
export const notBlank = String.raw`.*\S.*`;

/** A labelled list of choices, with a line of help below it. */
export function ChoiceField({
  label,
  value,
  choices,
  help,
  isRequired = false,
  onChange,
}: {
  label: string;
  value: string;
  choices: readonly (readonly [value: string, text: string])[];
  help?: ComponentChildren;
  isRequired?: boolean;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        required={isRequired}
        aria-describedby={help === undefined ? undefined : `${id}-help`}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
      {help !== undefined && (
        <span class="help" id={`${id}-help`}>
          {help}
        </span>
      )}
    </p>
  );
}

/** Chooses who can see documents. */
export function AccessField(props: {
  value: string;
  help?: ComponentChildren;
  onChange: (value: string) => void;
}) {
  return <ChoiceField label={texts.access.label} choices={Object.entries(texts.access.levels)} {...props} />;
}

/** Chooses a project by its id. The empty value stands for no project. */
export function ProjectField({
  projects,
  ...props
}: {
  projects: readonly Project[];
  value: string;
  isRequired?: boolean;
  onChange: (value: string) => void;
}) {
  const choices = projects.map(({ id, title }) => [String(id), title] as const);
  return (
    <ChoiceField
      label={texts.project.label}
      choices={[["", props.isRequired === true ? texts.project.choose : texts.project.none], ...choices]}
      {...props}
    />
  );
}

/** Chooses a language by its code. If it is required, the empty value stands for none chosen yet. */
export function LanguageField({
  languages,
  ...props
}: {
  languages: DeskOptions["languages"];
  value: string;
  help?: ComponentChildren;
  isRequired?: boolean;
  onChange: (value: string) => void;
}) {
  const choices = namesOf(languages);
  return (
    <ChoiceField
      label={texts.language}
      choices={props.isRequired === true ? [["", texts.chooseLanguage], ...choices] : choices}
      {...props}
    />
  );
}

let names: readonly (readonly [code: string, name: string])[] | undefined;

/** The languages with their names, sorted by name. */
function namesOf(codes: readonly string[]): NonNullable<typeof names> {
  names ??= codes
    .map((code) => [code, languageName(code)] as const)
    .toSorted(([, left], [, right]) => left.localeCompare(right));
  return names;
}
