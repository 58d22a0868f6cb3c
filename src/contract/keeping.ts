import { type Static, Type, dateTime, id, nullable } from "./shape.ts";

/** A legal hold: while it is in force, what it covers can be neither deleted nor changed in its file. */
export const Hold = Type.Object(
  {
    id: id(),
    name: Type.String(),
    reason: Type.String(),
    organization: nullable(id("it covers documents of this organization alone; null for those of all")),
    project: nullable(id("the project whose documents it covers")),
    query: nullable(Type.String({ description: "the search whose documents it covers" })),
    count: Type.Integer({ minimum: 0, description: "how many of its documents you may see" }),
    user: id("who set it"),
    created_at: dateTime(),
    released_at: nullable(dateTime("null while it is in force")),
    released_by: nullable(id()),
  },
  { $id: "Hold" },
);
export type Hold = Static<typeof Hold>;
