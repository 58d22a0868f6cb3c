import {
  type DescribingField as FieldKind,
  type DescribingName,
  describingFields,
} from "../../contract/describing-fields.ts";
import type { FieldWords } from "../../texts/fields.ts";
import type { Field } from "./draft.ts";
import { TextField } from "./field.tsx";

/** A text that describes a document. A description has `rows` rows. */
export function DescribingField({
  name,
  words,
  field,
  rows = 3,
  help,
}: {
  name: DescribingName;
  words: Readonly<Record<DescribingName, FieldWords>>;
  field: Field<string>;
  rows?: number;
  help?: string;
}) {
  const { kind, maxLength }: FieldKind = describingFields[name];
  return (
    <TextField
      field={{ ...field, maxLength }}
      label={words[name].label}
      type={kind === "address" ? "url" : "text"}
      {...(kind === "lines" && { rows })}
      {...(help !== undefined && { help })}
    />
  );
}
