import type { AddressSettings } from "../http/text/addresses.ts";
import type { Site } from "../http/browsable/page-shell.ts";
import type { StaticFiles } from "./static-routes.ts";

/**
 * Where pages link to: paths alone, so that they hold under whatever name the service is reached, but for the
 * pages for people when a setting puts these elsewhere.
 */
export function siteOf(
  { url, webUrl }: AddressSettings,
  { stylesheet, icon, script, progressScript }: StaticFiles,
): Site {
  const below = url === null ? "" : new URL(url).pathname.replace(/\/$/, "");
  return {
    home: webUrl === null || webUrl === url ? `${below}/` : `${webUrl}/`,
    api: `${below}/api/`,
    signIn: `${below}/sign-in/`,
    signOut: `${below}/sign-out/`,
    stylesheet: `${below}${stylesheet}`,
    icon: `${below}${icon}`,
    script: `${below}${script}`,
    progressScript: `${below}${progressScript}`,
  };
}
