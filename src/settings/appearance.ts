import { matching, path, webAddress } from "../value-kinds.ts";
import type { SettingTable } from "./setting.ts";

/** Whose site it is, as every page shows it. */
export const appearance = {
  siteName: {
    variable: "QUIRE_SITE_NAME",
    kind: matching(/^[^\p{Cc}]{1,60}$/u, "a text of at most 60 characters on one line"),
    default: null,
    otherwise: "Quire",
    help: "The name of the site, in the bar at the top and in the titles of pages.",
  },
  siteAbout: {
    variable: "QUIRE_SITE_ABOUT",
    kind: matching(/^[^\p{Cc}]{1,300}$/u, "a text of at most 300 characters on one line"),
    default: null,
    otherwise: "a sentence about documents in general",
    help: "What the site is, in a sentence: the heading of its first page.",
  },
  siteLogo: {
    variable: "QUIRE_SITE_LOGO",
    kind: path,
    default: null,
    otherwise: "Quire's sign",
    help: "The path of an image, SVG, PNG, JPEG or WebP, that stands beside the name.",
  },
  siteColour: {
    variable: "QUIRE_SITE_COLOUR",
    kind: matching(/^#[\da-f]{6}$/i, "a colour such as #8a1c2b"),
    default: null,
    otherwise: "Quire's blue",
    help: "The colour of links, buttons and marks; each shade is adjusted until it can be read.",
  },
  imprintUrl: {
    variable: "QUIRE_IMPRINT_URL",
    kind: webAddress,
    default: null,
    otherwise: "no link",
    help: "The address of the imprint, to which every page links at its end.",
  },
  privacyUrl: {
    variable: "QUIRE_PRIVACY_URL",
    kind: webAddress,
    default: null,
    otherwise: "no link",
    help: "The address of the privacy notice, to which every page links at its end.",
  },
} satisfies Partial<SettingTable>;
