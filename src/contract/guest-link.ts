import { type Static, Type, dateTime, id, nullable, uri, uuid } from "./shape.ts";

/** A link that opens a document, a project or a saved search to visitors without an account. */
export const GuestLink = Type.Object(
  {
    uuid: uuid(),
    name: Type.String({ description: "for yourself, and for the history" }),
    user: id("who has made it"),
    document: nullable(id("the document that it opens; null if it opens something else")),
    project: nullable(id("the project whose documents it opens")),
    search: nullable(uuid("the saved search whose results it opens")),
    download: Type.Boolean({ description: "whether guests may have files and texts" }),
    has_password: Type.Boolean(),
    max_uses: nullable(Type.Integer({ description: "how many browsers may open it; null without a limit" })),
    uses: Type.Integer({ minimum: 0, description: "how many browsers have opened it" }),
    expires_at: dateTime(),
    created_at: dateTime(),
    revoked_at: nullable(dateTime("since when it opens nothing")),
  },
  { $id: "GuestLink" },
);
export type GuestLink = Static<typeof GuestLink>;

export const NewGuestLink = Type.Object(
  { ...GuestLink.properties, link: uri("the link itself; it is shown only this once") },
  { $id: "NewGuestLink" },
);
