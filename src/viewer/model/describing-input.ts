import {
  type DescribingField,
  type DescribingName,
  describingFields,
} from "../../contract/describing-fields.ts";

/** The attributes of the input for a text that describes a document. With `rows` it is a text area. */
export function inputFor(name: DescribingName, rows = 3): object {
  const { kind, maxLength }: DescribingField = describingFields[name];
  switch (kind) {
    case "line":
      return { maxLength, dir: "auto" };
    case "lines":
      return { maxLength, dir: "auto", rows };
    case "address":
      return { maxLength, dir: "ltr", type: "url" };
  }
}
