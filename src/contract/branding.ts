import { brandingMembers } from "./limits.ts";
import { type Static, Type, enumeration, nullable, uriOrEmpty } from "./shape.ts";

const orDefault = (what: string): { description: string } => ({
  description: `${what}; empty for the default`,
});

export const SiteBranding = Type.Object(
  {
    name: Type.String(orDefault("The name of the site")),
    shown_name: Type.String({ description: "The name as pages show it" }),
    about: Type.String(orDefault("What the site is, in a sentence")),
    colour: Type.String(orDefault("As in #8a1c2b")),
    imprint_url: uriOrEmpty(orDefault("The address of the imprint").description),
    privacy_url: uriOrEmpty(orDefault("The address of the privacy notice").description),
    logo: nullable(Type.String({ description: "The path of the logo; null for Quire's sign" })),
    colours: nullable(
      Type.String({ description: "The path of a stylesheet with the colour; null for Quire's" }),
    ),
    set_in_environment: Type.Array(enumeration(brandingMembers), {
      description: "What a setting of the server says, so that it cannot be changed here",
    }),
  },
  { $id: "SiteBranding" },
);
export type SiteBranding = Static<typeof SiteBranding>;
