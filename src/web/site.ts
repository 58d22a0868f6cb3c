import type { AddressSettings } from "../http/text/addresses.ts";
import type { Site } from "../http/browsable/page-shell.ts";
import { utcEnglish } from "../texts/formats.ts";
import type { StaticFiles } from "./static-routes.ts";

/**
 * The addresses to which pages link. They are paths, so that they work under any host name. Only the home page has an
 * absolute address, if a setting puts the web pages on another host.
 */
export function siteOf({ url, webUrl }: AddressSettings, files: StaticFiles): Site {
  const { stylesheet, icon, script, viewer, desk } = files;
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
    // Getters, because these files are bundled when a page names them.
    viewer: {
      get script() {
        return `${basePath}${viewer.script}`;
      },
      get stylesheet() {
        return `${basePath}${viewer.stylesheet}`;
      },
      get chunks() {
        return viewer.chunks.map((path) => `${basePath}${path}`);
      },
    },
    desk: {
      scripts: {
        get en() {
          return `${basePath}${desk.scripts.en}`;
        },
        get de() {
          return `${basePath}${desk.scripts.de}`;
        },
      },
      get stylesheet() {
        return `${basePath}${desk.stylesheet}`;
      },
    },
    shared: `${basePath}/shared/`,
    ...utcEnglish,
    upload: `${basePath}/upload/`,
    manage: `${basePath}/documents/`,
    admin: `${basePath}/admin/`,
  };
}
