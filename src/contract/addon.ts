import { addonLimits } from "./limits.ts";
import {
  type Static,
  Type,
  dateTime,
  dictionary,
  enumeration,
  expandable,
  id,
  nullable,
  oneOf,
  uri,
  uuid,
} from "./shape.ts";

export const addonAccesses = ["public", "organization", "private"] as const;

/** As DocumentCloud sorts add-ons. */
export const addonCategories = [
  "export",
  "ai",
  "bulk",
  "extraction",
  "file",
  "monitor",
  "statistical",
] as const;

export const runStatuses = ["queued", "in_progress", "success", "failure", "cancelled"] as const;

/** What starts an add-on by itself; the position is the value that the API has. */
export const addonEventKinds = ["disabled", "hourly", "daily", "weekly", "upload"] as const;

const json = (description: string) => dictionary(Type.Unknown(), { description });

export const Addon = Type.Object(
  {
    id: id(),
    user: nullable(id("who has registered it; null for the command line")),
    organization: nullable(id()),
    access: enumeration(addonAccesses),
    name: Type.String(),
    repository: Type.String({ description: "its folder" }),
    parameters: json("its configuration: a JSON Schema of the parameters, with a title and a description"),
    created_at: dateTime(),
    updated_at: dateTime(),
    active: Type.Boolean({ description: "whether you have pinned it" }),
    default: Type.Boolean(),
    featured: Type.Boolean(),
  },
  { $id: "AddOn" },
);
export type Addon = Static<typeof Addon>;

/** An add-on as administrators see it. */
export const AdministeredAddon = Type.Object(
  {
    id: id(),
    repository: Type.String({ description: "its folder" }),
    name: Type.String({ description: "the title in its configuration" }),
    config: Type.String({ description: "its configuration; empty if that is the file in its folder" }),
    access: enumeration(addonAccesses),
    organization: nullable(id()),
    is_default: Type.Boolean(),
    is_featured: Type.Boolean(),
    is_enabled: Type.Boolean({ description: "whether people may run it now" }),
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { $id: "AdministeredAddOn" },
);
export type AdministeredAddon = Static<typeof AdministeredAddon>;

export const AddonEvent = Type.Object(
  {
    id: id(),
    addon: expandable(Addon),
    user: id(),
    parameters: json("the parameters of each run"),
    event: Type.Integer({
      minimum: 0,
      maximum: addonEventKinds.length - 1,
      description: addonEventKinds.map((kind, value) => `${value} ${kind}`).join(", "),
    }),
    scratch: json("what the add-on keeps between its runs"),
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { $id: "AddOnEvent" },
);
export type AddonEvent = Static<typeof AddonEvent>;

export const AddonRun = Type.Object(
  {
    uuid: uuid(),
    addon: expandable(Addon),
    event: oneOf([id(), AddonEvent, Type.Null()], "the event that has started it"),
    user: id(),
    status: enumeration(runStatuses),
    progress: Type.Integer({ minimum: 0, maximum: 100, description: "a percentage" }),
    message: Type.String(),
    presigned_url: Type.Optional(uri("with `upload_file`: where to PUT the bytes of that file")),
    file_url: nullable(uri("the file that it has made")),
    file_expires_at: nullable(dateTime("how long its file is kept")),
    dismissed: Type.Boolean(),
    rating: Type.Integer({ minimum: -1, maximum: 1 }),
    comment: Type.String(),
    credits_spent: Type.Integer({ minimum: 0 }),
    created_at: dateTime(),
    updated_at: dateTime(),
    data: json("what the add-on keeps with the run"),
  },
  { $id: "AddOnRun" },
);
export type AddonRun = Static<typeof AddonRun>;

export const Message = Type.Object(
  { subject: Type.String({ maxLength: addonLimits.subject }), content: Type.String() },
  { $id: "Message" },
);

/** How many credits came from which pool. Nothing costs credits here, so that none do. */
export const SpentCredits = Type.Object(
  { monthly: Type.Integer({ minimum: 0 }), regular: Type.Integer({ minimum: 0 }) },
  { $id: "SpentCredits" },
);
