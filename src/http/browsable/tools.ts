import { pageTexts } from "../../texts/pages.ts";
import type { Site } from "./site.ts";

/** A page for what a person does with documents besides reading and changing them. */
export interface Tool {
  title: string;
  help: string;
  href: string;
}

/** The tools of a person who has signed in: a menu and the account page lead to them. */
export function toolsOf(site: Site): Tool[] {
  const { searches, tree, imports, productions, guests, mailkeys, addons, webhooks } = pageTexts(site);
  return [
    { texts: searches, href: `${site.account}searches/` },
    { texts: tree, href: `${site.home}tree/` },
    { texts: imports, href: `${site.home}imports/` },
    { texts: productions, href: `${site.home}productions/` },
    { texts: guests, href: `${site.account}guests/` },
    { texts: mailkeys, href: site.mailIn },
    { texts: addons, href: site.addons },
    { texts: webhooks, href: `${site.account}webhooks/` },
  ].flatMap(({ texts: { title, linkHelp }, href }) =>
    href === null ? [] : [{ title, help: linkHelp, href }],
  );
}
