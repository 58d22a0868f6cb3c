import type { AddressSettings } from "../http/text/addresses.ts";
import type { PageScript, Site } from "../http/browsable/page-shell.ts";
import { utcEnglish } from "../texts/formats.ts";
import type { Language } from "../texts/languages.ts";
import type { StaticFiles } from "./static-routes.ts";

/**
 * The addresses to which pages link. They are paths, so that they work under any host name. Only the home page has an
 * absolute address, if a setting puts the web pages on another host.
 */
export function siteOf({ url, webUrl }: AddressSettings, files: StaticFiles): Site {
  const { stylesheet, icon, script, viewerScripts, viewerStylesheet, deskScripts, deskStylesheet } = files;
  const basePath = url === null ? "" : new URL(url).pathname.replace(/\/$/, "");
  return {
    home: webUrl === null || webUrl === url ? `${basePath}/` : `${webUrl}/`,
    api: `${basePath}/api/`,
    signIn: `${basePath}/sign-in/`,
    signOut: `${basePath}/sign-out/`,
    account: `${basePath}/account/`,
    setPassword: `${basePath}/set-password/`,
    forgotPassword: `${basePath}/forgot-password/`,
    stylesheet: `${basePath}${stylesheet}`,
    icon: `${basePath}${icon}`,
    script: `${basePath}${script}`,
    viewerScripts: below(basePath, viewerScripts),
    viewerStylesheet: `${basePath}${viewerStylesheet}`,
    shared: `${basePath}/shared/`,
    ...utcEnglish,
    deskScripts: below(basePath, deskScripts),
    upload: `${basePath}/upload/`,
    manage: `${basePath}/documents/`,
    admin: `${basePath}/admin/`,
    deskStylesheet: `${basePath}${deskStylesheet}`,
  };
}

/** The scripts with a path before their addresses. Each language stays unread until a page needs it. */
function below(
  basePath: string,
  scripts: Readonly<Record<Language, PageScript>>,
): Readonly<Record<Language, PageScript>> {
  const placed = ({ address, chunks }: PageScript): PageScript => ({
    address: `${basePath}${address}`,
    chunks: chunks.map((path) => `${basePath}${path}`),
  });
  return {
    get en() {
      return placed(scripts.en);
    },
    get de() {
      return placed(scripts.de);
    },
  };
}
