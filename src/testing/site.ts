/** Where a page's frame leads, for pages that no server serves. */
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
  deskScript: "/static/desk.js",
  deskStylesheet: "/static/desk.css",
  signIn: "/sign-in/",
  signOut: "/sign-out/",
  account: "/account/",
  setPassword: "/set-password/",
};
