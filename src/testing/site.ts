import type { PageBundle } from "../http/browsable/page-shell.ts";
import { inEachLanguage } from "../texts/languages.ts";

const bundleOf = (name: string): PageBundle => ({
  script: `/static/${name}.js`,
  stylesheet: `/static/${name}.css`,
  chunks: [],
});

/** The addresses in a page's frame, for tests that render pages without a server. */
export const testSite = {
  brand: { name: "Quire", about: "", logo: null, colours: null, imprint: null, privacy: null },
  home: "/",
  api: "/api/",
  stylesheet: "/static/style.css",
  fonts: [],
  icon: "/static/icon.svg",
  script: "/static/forms.js",
  passkeyScript: "/static/passkeys.js",
  trayScript: "/static/tray.js",
  work: "/running/",
  viewer: inEachLanguage(() => bundleOf("viewer")),
  upload: "/upload/",
  manage: "/documents/",
  desk: inEachLanguage(() => bundleOf("desk")),
  addons: null,
  mailIn: null,
  admin: "/admin/",
  forgotPassword: "/forgot-password/",
  signIn: "/sign-in/",
  signOut: "/sign-out/",
  account: "/account/",
  setPassword: "/set-password/",
  shared: "/shared/",
  language: "en" as const,
  timeZone: "",
  banner: null,
  isReadOnly: false,
};
