import account from "./account.json" with { type: "json" };
import adminPages from "./admin-pages.json" with { type: "json" };
import addons from "./addons.json" with { type: "json" };
import common from "./common.json" with { type: "json" };
import document from "./document.json" with { type: "json" };
import fields from "./fields.json" with { type: "json" };
import formats from "./formats.json" with { type: "json" };
import guests from "./guests.json" with { type: "json" };
import imports from "./imports.json" with { type: "json" };
import mailkeys from "./mailkeys.json" with { type: "json" };
import mails from "./mails.json" with { type: "json" };
import pages from "./pages.json" with { type: "json" };
import productions from "./productions.json" with { type: "json" };
import reasons from "./reasons.json" with { type: "json" };
import searches from "./searches.json" with { type: "json" };
import tree from "./tree.json" with { type: "json" };
import visibility from "./visibility.json" with { type: "json" };
import webhooks from "./webhooks.json" with { type: "json" };

/** The words of the server's pages and mails. */
export const fr = {
  account,
  addons,
  adminPages,
  common,
  document,
  fields,
  formats,
  guests,
  imports,
  mailkeys,
  mails,
  pages,
  productions,
  reasons,
  searches,
  tree,
  visibility,
  webhooks,
};
