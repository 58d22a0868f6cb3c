/** The addresses in a page's frame, for tests that render pages without a server. */
export const testSite = {
  home: "/",
  api: "/api/",
  stylesheet: "/static/style.css",
  icon: "/static/icon.svg",
  script: "/static/forms.js",
  viewerScript: "/static/viewer.js",
  viewerStylesheet: "/static/viewer.css",
  upload: "/upload/",
  manage: "/documents/",
  admin: "/admin/",
  deskScript: "/static/desk.js",
  deskStylesheet: "/static/desk.css",
  signIn: "/sign-in/",
  signOut: "/sign-out/",
  account: "/account/",
  setPassword: "/set-password/",
};
