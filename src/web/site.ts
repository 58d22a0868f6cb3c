import type { Config } from "../config.ts";
import type { AddressSettings } from "../http/text/addresses.ts";
import type { PageBundle, Site } from "../http/browsable/page-shell.ts";
import { utcEnglish } from "../texts/formats.ts";
import { type Language, inEachLanguage } from "../texts/languages.ts";
import type { StaticFiles } from "./static-routes.ts";
import type { SiteBrand } from "./style/site-brand.ts";

/**
 * The addresses to which pages link. They are paths, so that they work under any host name. Only the home page has an
 * absolute address, if a setting puts the web pages on another host.
 */
export function siteOf(
  config: AddressSettings & Pick<Config, "addonRunner" | "banner" | "mailInDomain" | "readOnly">,
  files: StaticFiles,
  siteBrand: Pick<SiteBrand, "current">,
): Site {
  const { url, webUrl, banner, readOnly, addonRunner, mailInDomain } = config;
  const { stylesheet, fonts, icon, script, passkeyScript, trayScript, viewer, desk } = files;
  const within = (path: string | null): string | null => (path === null ? null : `${basePath}${path}`);
  const basePath = url === null ? "" : new URL(url).pathname.replace(/\/$/, "");
  return {
    // Administrators may change it while pages are served.
    get brand() {
      const { logo, colours, ...brand } = siteBrand.current;
      return { ...brand, logo: within(logo), colours: within(colours) };
    },
    home: webUrl === null || webUrl === url ? `${basePath}/` : `${webUrl}/`,
    api: `${basePath}/api/`,
    signIn: `${basePath}/sign-in/`,
    signOut: `${basePath}/sign-out/`,
    account: `${basePath}/account/`,
    setPassword: `${basePath}/set-password/`,
    forgotPassword: `${basePath}/forgot-password/`,
    stylesheet: `${basePath}${stylesheet}`,
    fonts: fonts.map((path) => `${basePath}${path}`),
    icon: `${basePath}${icon}`,
    script: `${basePath}${script}`,
    passkeyScript: `${basePath}${passkeyScript}`,
    trayScript: `${basePath}${trayScript}`,
    viewer: below(basePath, viewer),
    desk: below(basePath, desk),
    shared: `${basePath}/shared/`,
    ...utcEnglish,
    upload: `${basePath}/upload/`,
    manage: `${basePath}/documents/`,
    work: `${basePath}/running/`,
    addons: addonRunner === null ? null : `${basePath}/account/addons/`,
    mailIn: mailInDomain === null ? null : `${basePath}/account/mail/`,
    admin: `${basePath}/admin/`,
    banner,
    isReadOnly: readOnly,
  };
}

/** The bundles with a path before their addresses. Each language stays unread until a page needs it. */
function below(
  basePath: string,
  bundles: Readonly<Record<Language, PageBundle>>,
): Readonly<Record<Language, PageBundle>> {
  return inEachLanguage((language) => {
    const { script, stylesheet, chunks } = bundles[language];
    return {
      script: `${basePath}${script}`,
      stylesheet: `${basePath}${stylesheet}`,
      chunks: chunks.map((path) => `${basePath}${path}`),
    };
  });
}
