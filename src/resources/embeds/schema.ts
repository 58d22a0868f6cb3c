import { Type } from "typebox";

const number = (description: string) => Type.Optional(Type.String({ description }));

export const embedding = {
  summary: "What to put into another page so that it shows a document, a page, a note or a project",
  querystring: Type.Object({
    url: Type.String({ description: "the address of what is to be shown" }),
    maxwidth: number("in pixels"),
    maxheight: number("in pixels"),
  }),
  response: {
    200: Type.Object({
      version: Type.Literal("1.0"),
      provider_name: Type.String(),
      provider_url: Type.String(),
      cache_age: Type.Integer(),
      title: Type.String(),
      width: Type.Optional(Type.Number()),
      height: Type.Optional(Type.Number()),
      html: Type.String(),
      type: Type.Literal("rich"),
    }),
    400: Type.Object({ error: Type.String() }),
    404: Type.Object({ detail: Type.String() }),
  },
};
