import type { FastifyInstance } from "fastify";
import { type BrandingMember, brandingMembers, brandingSettings } from "../../contract/limits.ts";
import { SiteBranding } from "../../contract/branding.ts";
import type { Config } from "../../config.ts";
import type { Context } from "../../context.ts";
import { invalidFields } from "../../errors.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { InvalidOrRefused } from "../../http/fields/schema-shapes.ts";
import { bodyOf } from "../../http/request/body.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { content } from "../../http/response/representation.ts";
import type { Branding } from "./branding.ts";
import { changeBranding } from "./branding-store.ts";
import { brandingFields } from "./fields.ts";
import { readLogo } from "./read-logo.ts";

/** The setting of the server that wins over each member. */
const settingOf = {
  name: "siteName",
  about: "siteAbout",
  colour: "siteColour",
  imprint_url: "imprintUrl",
  privacy_url: "privacyUrl",
  logo: "siteLogo",
} as const satisfies Readonly<Record<BrandingMember, keyof Config>>;

/** What the site is called and looks like, for administrators. */
export function brandingRoutes(
  app: FastifyInstance,
  { config, database }: Context,
  branding: Branding,
): void {
  resourceRoute(app, {
    path: "/api/admin/branding/",
    view: {
      name: "Site Branding",
      description: "What the site is called and looks like. Only administrators see this address.",
      fields: { PATCH: brandingFields },
    },
    reading: "hidden",
    get: {
      schema: { summary: "What the site is called and looks like", gives: SiteBranding },
      answer: () => content(present(), ["PATCH"]),
    },
    patch: {
      schema: { summary: "Change it", gives: SiteBranding, also: { 400: InvalidOrRefused } },
      async answer(request) {
        const sent = readFields(brandingFields, membersIn(brandingFields, bodyOf(request)), "part");
        const faults = brandingMembers.flatMap((name) => {
          const isFixed = sent[name] !== undefined && config[settingOf[name]] !== null;
          return isFixed ? [[name, [`The setting ${brandingSettings[name]} of the server says it`]]] : [];
        });
        if (faults.length > 0) throw invalidFields(Object.fromEntries(faults));
        const { logo = "" } = sent;
        const drawn = logo === "" ? {} : { logo: await readLogo(Buffer.from(logo, "base64")) };
        await database.write((writer) => changeBranding(writer, { ...sent, ...drawn }));
        await branding.heed();
        return content(present(), ["PATCH"]);
      },
    },
  });

  function present(): SiteBranding {
    const { stored } = branding;
    const inForce = (member: Exclude<BrandingMember, "logo">): string =>
      config[settingOf[member]] ?? stored[member];
    const { name, logo, colours } = app.site.brand;
    return {
      name: inForce("name"),
      shown_name: name,
      about: inForce("about"),
      colour: inForce("colour"),
      imprint_url: inForce("imprint_url"),
      privacy_url: inForce("privacy_url"),
      logo,
      colours,
      set_in_environment: brandingMembers.filter((member) => config[settingOf[member]] !== null),
    };
  }
}
