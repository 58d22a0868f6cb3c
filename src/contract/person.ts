import { type Static, Type, dateTime, enumeration, id, nullable, oneOf, uriOrEmpty, uuid } from "./shape.ts";

const forMembers = "only to its members, where one organization is read or expanded";

export const Organization = Type.Object(
  {
    id: id(),
    avatar_url: uriOrEmpty(),
    individual: Type.Boolean({ description: "whether it is one user's own" }),
    name: Type.String(),
    slug: Type.String(),
    uuid: uuid("that of its user, if it is one user's own"),
    monthly_credits: Type.Optional(Type.Integer({ description: forMembers })),
    purchased_credits: Type.Optional(Type.Integer({ description: forMembers })),
    credit_reset_date: Type.Optional(nullable(Type.String({ format: "date", description: forMembers }))),
    monthly_credit_allowance: Type.Optional(Type.Integer({ description: forMembers })),
    plan: Type.Optional(Type.String({ description: forMembers })),
  },
  { $id: "Organization" },
);
export type Organization = Static<typeof Organization>;

export const User = Type.Object(
  {
    id: id(),
    uuid: uuid(),
    username: Type.String(),
    name: Type.String(),
    avatar_url: uriOrEmpty(),
    feature_level: Type.Optional(Type.Integer({ description: "only to yourself, at users/me/" })),
    is_staff: Type.Optional(Type.Boolean({ description: "only to administrators" })),
    organization: oneOf(
      [id(), Organization, Type.Null()],
      "id of the active one; the organization, if expanded; null for who was only named in a record",
    ),
    organizations: Type.Array(id()),
    admin_organizations: Type.Array(id()),
    verified_journalist: Type.Boolean(),
    email: Type.Optional(
      nullable(Type.String({ description: "only to yourself, at users/me/; empty if unknown" })),
    ),
  },
  { $id: "User" },
);
export type User = Static<typeof User>;

/** The people who may see what arrives at an address, besides its owner and the collaborators of the project. */
export const mailKeyAccesses = ["private", "organization"] as const;
export type MailKeyAccess = (typeof mailKeyAccesses)[number];

export const NewMailKey = Type.Object(
  { mailkey: uuid("the part of the address before the @; it is shown only this once") },
  { $id: "NewMailKey" },
);

export const RefusedMail = Type.Object(
  {
    id: id(),
    way: enumeration(["smtp", "imap"]),
    sender: Type.String({ description: "as the mail server names it; empty if it names none" }),
    username: nullable(Type.String({ description: "whose address it was sent to" })),
    reason: Type.String(),
    times: Type.Integer({ minimum: 1, description: "how often it was refused" }),
    arrived_at: dateTime(),
  },
  { $id: "RefusedMail" },
);
export type RefusedMail = Static<typeof RefusedMail>;
