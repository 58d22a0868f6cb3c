import { brandingLimits } from "../../contract/limits.ts";
import { type Field, FieldError } from "../../http/fields/fields.ts";
import { text, url } from "../../http/fields/field-kinds.ts";

/** A text that has to match a pattern unless it is empty. */
function matching(field: Field<string>, pattern: RegExp, problem: string): Field<string> {
  return {
    ...field,
    read(value) {
      const read = field.read(value);
      if (read !== "" && !pattern.test(read)) throw new FieldError(problem);
      return read;
    },
  };
}

const line = (label: string, maxLength: number, help: string, example: string): Field<string> =>
  matching(text({ maxLength, blank: true, label, help, example }), /^\P{Cc}*$/u, "Enter a text on one line.");

/** An image in base64 is a third longer than its bytes. */
const maxLogoLength = Math.ceil(brandingLimits.logoBytes / 3) * 4;

export const brandingFields = {
  name: line("Name", brandingLimits.name, "In the bar at the top and in titles of pages", "Harbour News"),
  about: line(
    "What the site is",
    brandingLimits.about,
    "A sentence, the heading of the first page",
    "The papers behind our reporting",
  ),
  colour: matching(
    text({
      maxLength: 7,
      blank: true,
      label: "Colour",
      help: "Each shade is adjusted until it can be read",
      example: "#8a1c2b",
    }),
    /^#[\da-f]{6}$/i,
    "Enter a colour such as #8a1c2b.",
  ),
  imprint_url: url({ blank: true, label: "Imprint", example: "https://example.org/imprint" }),
  privacy_url: url({ blank: true, label: "Privacy notice", example: "https://example.org/privacy" }),
  logo: matching(
    text({
      maxLength: maxLogoLength,
      blank: true,
      label: "Logo",
      help: "A PNG, JPEG or WebP in base64, which is drawn again; empty for Quire's sign",
      example: "",
    }),
    /^[A-Za-z\d+/]+={0,2}$/,
    "Enter an image in base64.",
  ),
};
