import { defaultLanguage } from "../contract/describing-fields.ts";
import type { ComponentChildren } from "preact";
import type { DeskOptions } from "../contract/page-options.ts";
import type { Project } from "../contract/project.ts";
import type { Field } from "../viewer/form/draft.ts";
import { type Choice, ChoiceField } from "../viewer/form/field.tsx";
import { languageName, texts } from "./model/texts.ts";

/** Chooses who can see documents. */
export function AccessField(props: { field: Field<string>; help?: ComponentChildren }) {
  return <ChoiceField label={texts.access.label} choices={Object.entries(texts.access.levels)} {...props} />;
}

/** Chooses a project by its id. The empty value stands for no project. */
export function ProjectField({
  projects,
  isRequired = false,
  field,
}: {
  projects: readonly Project[];
  isRequired?: boolean;
  field: Field<string>;
}) {
  const none: Choice = ["", isRequired ? texts.project.choose : texts.project.none];
  const choices = projects.map(({ id, title }): Choice => [String(id), title]);
  return (
    <ChoiceField
      label={texts.project.label}
      choices={[none, ...choices]}
      isRequired={isRequired}
      field={field}
    />
  );
}

/** Chooses a language by its code. If it is required, the empty value stands for none chosen yet. */
export function LanguageField({
  languages,
  isRequired = false,
  ...props
}: {
  languages: DeskOptions["languages"];
  field: Field<string>;
  help?: ComponentChildren;
  isRequired?: boolean;
}) {
  const choices = namesOf(languages);
  return (
    <ChoiceField
      label={texts.language}
      choices={isRequired ? [["", texts.chooseLanguage], ...choices] : choices}
      isRequired={isRequired}
      {...props}
    />
  );
}

let names: readonly Choice[] | undefined;

/** The languages with their names, sorted by name. */
function namesOf(codes: readonly string[]): readonly Choice[] {
  names ??= codes
    .map((code): Choice => [code, code === defaultLanguage ? texts.languageUnchosen : languageName(code)])
    .toSorted(([, left], [, right]) => left.localeCompare(right));
  return names;
}
