import { addonAccesses, addonEventKinds } from "../../contract/addon.ts";
import { addonLimits } from "../../contract/limits.ts";
import { boolean, choice, integer, key, listOf, readInteger, text } from "../../http/fields/field-kinds.ts";
import { type Field, FieldError } from "../../http/fields/fields.ts";

/** An object that is stored as JSON text, with a limit in bytes. */
function jsonObject<const O extends Partial<Field<object>>>(maxBytes: number, options: O): Field<object> & O {
  return {
    type: "json",
    schema: { type: "object", additionalProperties: true },
    read(value) {
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw new FieldError("Value must be a JSON object.");
      const written = JSON.stringify(value);
      if (Buffer.byteLength(written) > maxBytes)
        throw new FieldError(`Ensure this field has no more than ${maxBytes} bytes.`);
      if (written.includes("\\u0000")) throw new FieldError("Null characters are not allowed.");
      if (/\\ud[89a-f][0-9a-f]{2}/.test(written))
        throw new FieldError("Surrogate characters are not allowed.");
      return value;
    },
    ...options,
  };
}

const progress: Field<number> = {
  ...integer({ label: "Progress", help: "A percentage", schema: { minimum: 0, maximum: 100 } }),
  read(value) {
    const read = readInteger(value);
    if (read < 0 || read > 100) throw new FieldError("`progress` must be between 0 and 100");
    return read;
  },
};

/** One of these numbers. */
function numberAmong<const O extends Partial<Field<number>>>(
  min: number,
  max: number,
  options: O,
): Field<number> & O {
  const field = integer({ min, max });
  return {
    type: "integer",
    schema: { minimum: min, maximum: max },
    read(value) {
      try {
        return field.read(value);
      } catch (error) {
        if (!(error instanceof FieldError)) throw error;
        const shown =
          typeof value === "string" || typeof value === "number" ? String(value).slice(0, 200) : "";
        throw new FieldError(`"${shown.toWellFormed()}" is not a valid choice.`);
      }
    },
    ...options,
  };
}

export const changedAddonFields = {
  active: boolean({ label: "Active", help: "Whether you have pinned it" }),
  organization: key({
    label: "Organization",
    help: "Of its owner alone: the organization whose members see it",
    nullable: true as const,
  }),
};

const keptByAddon = {
  progress,
  message: text({ maxLength: addonLimits.text, blank: true, label: "Message" }),
  file_name: text({
    maxLength: addonLimits.text,
    blank: true,
    label: "File name",
    help: "The name of the file that was uploaded",
  }),
  dismissed: boolean({ label: "Dismissed", help: "Whether lists of work leave it out" }),
  rating: numberAmong(-1, 1, { label: "Rating", help: "-1, 0 or 1" }),
  comment: text({ maxLength: addonLimits.text, blank: true, label: "Comment" }),
  data: jsonObject(addonLimits.data, { label: "Data", help: "What the add-on keeps with the run" }),
};

const addon = key({ label: "Add-on", help: "The id of the add-on", example: 1 });
const parameters = jsonObject(addonLimits.parameters, {
  label: "Parameters",
  help: "As the add-on's configuration describes them",
  example: {},
});

/** The fields of a new run, and of a PUT, which names the add-on of the run. Its parameters stay as they are. */
export const runFields = {
  addon: { ...addon, required: true as const },
  parameters: { ...parameters, required: true as const },
  documents: listOf(key({}), {
    label: "Documents",
    help: "The ids of the documents to run on",
    nullable: true as const,
    example: [1],
  }),
  query: text({
    maxLength: addonLimits.query,
    blank: true,
    label: "Query",
    help: "The search on whose results to run",
    nullable: true as const,
  }),
  ...keptByAddon,
};

export const changedRunFields = { addon, ...keptByAddon };

const eventField = numberAmong(0, addonEventKinds.length - 1, {
  label: "Event",
  help: addonEventKinds.map((kind, value) => `${value} ${kind}`).join(", "),
});

const scratch = jsonObject(addonLimits.data, {
  label: "Scratch",
  help: "What the add-on keeps between its runs",
  example: {},
});

export const changedEventFields = { addon, parameters, event: eventField, scratch };

export const eventFields = {
  ...changedEventFields,
  addon: { ...addon, required: true as const },
  parameters: { ...parameters, default: {} },
  event: { ...eventField, required: true as const },
};

export const messageFields = {
  subject: text({ maxLength: addonLimits.subject, required: true as const, label: "Subject" }),
  content: text({ maxLength: addonLimits.content, long: true, required: true as const, label: "Content" }),
};

export const creditFields = {
  ai_credits: {
    ...integer({ label: "Credits", required: true as const, schema: { minimum: 0 } }),
    read(value: unknown) {
      const read = readInteger(value);
      if (read < 0) throw new FieldError("AI credits may not be negative");
      return read;
    },
  },
  note: text({ maxLength: 1000, blank: true, label: "Note" }),
  addonrun_id: text({ maxLength: 100, blank: true, label: "Run", nullable: true as const }),
};

/** What administrators change of an add-on, which keeps its folder. */
export const administeredFields = {
  config: text({
    maxLength: addonLimits.config,
    blank: true,
    long: true,
    label: "Configuration",
    help: "The config.yaml; without a text, the file in its folder",
    example: "title: Counter",
    default: "",
  }),
  access: choice(addonAccesses, { label: "Access", default: "private", example: "public" }),
  organization: key({
    label: "Organization",
    help: "The organization whose members may run it",
    nullable: true as const,
    example: 1,
  }),
  is_default: boolean({ label: "Default", default: false }),
  is_featured: boolean({ label: "Featured", default: false }),
  is_enabled: boolean({ label: "Enabled", help: "Whether people may run it now", default: true }),
};

/** What administrators register besides. */
export const newAddonFields = {
  repository: text({
    maxLength: 141,
    label: "Folder",
    help: "Its folder below the folder of add-ons, such as owner/name",
    required: true as const,
    example: "owner/name",
  }),
};
