/** The addresses in a page's frame, for tests that render pages without a server. */
export const testSite = {
  home: "/",
  api: "/api/",
  stylesheet: "/static/style.css",
  icon: "/static/icon.svg",
  script: "/static/forms.js",
  viewerScripts: {
    en: { address: "/static/viewer.js", chunks: [] },
    de: { address: "/static/viewer.js", chunks: [] },
  },
  viewerStylesheet: "/static/viewer.css",
  upload: "/upload/",
  manage: "/documents/",
  deskScripts: {
    en: { address: "/static/desk.js", chunks: [] },
    de: { address: "/static/desk.js", chunks: [] },
  },
  admin: "/admin/",
  forgotPassword: "/forgot-password/",
  deskStylesheet: "/static/desk.css",
  signIn: "/sign-in/",
  signOut: "/sign-out/",
  account: "/account/",
  setPassword: "/set-password/",
  shared: "/shared/",
  language: "en" as const,
  timeZone: "",
};
