import { type Static, Type, id, pageNumber } from "./shape.ts";

export const Section = Type.Object(
  { id: id(), page_number: pageNumber("where it begins; the first page is 0"), title: Type.String() },
  { $id: "Section" },
);
export type Section = Static<typeof Section>;
