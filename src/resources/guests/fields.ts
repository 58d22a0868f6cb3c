import { guestLinkLimits } from "../../contract/limits.ts";
import { boolean, integer, key, text } from "../../http/fields/field-kinds.ts";

/** The fields of a new link. It names one of a document, a project and a saved search. A link is never changed. */
export const guestLinkFields = {
  document: key({ label: "Document", help: "The document that it opens", example: 1 }),
  project: key({
    label: "Project",
    help: "The project whose documents it opens",
    insteadOf: "document",
  }),
  search: text({
    maxLength: 36,
    label: "Saved search",
    help: "Its uuid: the link opens what it finds",
    insteadOf: "document",
  }),
  name: text({
    maxLength: guestLinkLimits.name,
    blank: true,
    label: "Name",
    help: "For yourself, and for the history",
    default: "",
    example: "For the lawyer",
  }),
  days: integer({
    min: 1,
    max: guestLinkLimits.days,
    label: "Days",
    help: "How many days it works",
    default: 30,
  }),
  password: text({
    maxLength: guestLinkLimits.password,
    blank: true,
    label: "Password",
    help: `Asked for when it is opened; empty for none. At least ${guestLinkLimits.minPassword} characters`,
    default: "",
  }),
  max_uses: integer({
    min: 1,
    max: guestLinkLimits.uses,
    nullable: true as const,
    label: "Uses",
    help: "How many browsers may open it; empty for any number",
  }),
  download: boolean({
    label: "Download",
    help: "Whether guests may have the files and texts of documents, besides looking at their pages",
    default: false,
  }),
};
