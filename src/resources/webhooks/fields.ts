import { eventTypes } from "../../contract/event.ts";
import { webhookLimits } from "../../contract/limits.ts";
import { boolean, choice, key, listOf, text, url } from "../../http/fields/field-kinds.ts";
import { type Field, FieldError } from "../../http/fields/fields.ts";

const address = url({
  label: "Address",
  help: "Where to send what happens, by POST",
  example: "https://hooks.example.org/quire",
});

/** As for files that Quire fetches: remote/destination.ts checks the rest whenever something is sent. */
const httpAddress: Field<string> = {
  ...address,
  read(value) {
    const read = address.read(value);
    const { protocol, username, password } = new URL(read);
    if (!/^https?:$/.test(protocol) || username !== "" || password !== "")
      throw new FieldError("Enter a valid URL.");
    return read;
  },
};

/** The fields of a webhook. */
export const webhookFields = {
  name: text({
    maxLength: webhookLimits.name,
    blank: true,
    label: "Name",
    help: "For yourself",
    default: "",
    example: "Newsroom chat",
  }),
  url: { ...httpAddress, required: true as const },
  project: key({
    label: "Project",
    help: "Only events about this project and its documents; empty for everything that you may see",
    nullable: true as const,
    example: 1,
  }),
  types: listOf(choice(eventTypes, {}), {
    label: "Types",
    help: "Only these types of events; empty for all",
    default: [],
    example: ["document.created"],
  }),
  enabled: boolean({ label: "Enabled", help: "Whether anything is sent", default: true }),
};
