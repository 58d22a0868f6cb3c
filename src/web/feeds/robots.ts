import type { Config } from "../../config.ts";
import { notFound } from "../../errors.ts";
import type { Addresses } from "../../http/text/addresses.ts";

/** The names under which programs ask robots.txt that collect texts to train models, as their operators state them. */
const collectors = [
  "Amazonbot",
  "Applebot-Extended",
  "Bytespider",
  "CCBot",
  "ClaudeBot",
  "Google-Extended",
  "GPTBot",
  "meta-externalagent",
];

/** What robots may read: RFC 9309. */
export function robotsText({ robots }: Pick<Config, "robots">, { api }: Addresses): string {
  const lines = {
    everyone: [...signing, "", `Sitemap: ${api}/sitemap.xml`],
    search: [
      ...collectors.map((name) => `User-agent: ${name}`),
      "Disallow: /",
      "",
      ...signing,
      "",
      `Sitemap: ${api}/sitemap.xml`,
    ],
    nobody: ["User-agent: *", "Disallow: /"],
  }[robots];
  return `${lines.join("\n")}\n`;
}

const signing = ["User-agent: *", "Disallow: /sign-in/", "Disallow: /sign-out/"];

/** What a language model finds here, in the form of llmstxt.org. */
export function llmsText({ llmsText: isThere }: Pick<Config, "llmsText">, { api, web }: Addresses): string {
  if (!isThere) throw notFound();
  return [
    "# Quire",
    "",
    "> A document service: documents with their text, notes and metadata, as pages and as a JSON API.",
    "",
    "## For programs",
    "",
    `- [The list of documents](${api}/api/documents/): JSON, newest first; follow \`next\` to the end`,
    `- [Search](${api}/api/documents/search/?q=): finds words in texts, notes and metadata, with the parameter \`q\``,
    `- [Check of a quotation](${api}/api/quotations/?quote=): whether words stand in a document, exactly`,
    `- [The API as an OpenAPI document](${api}/api/schema/): all addresses, parameters and shapes`,
    `- [The same for people](${api}/api/schema/docs/)`,
    "",
    "The text of a document is at its `asset_url`, in `documents/<id>/<slug>.txt`; that of a page in",
    "`documents/<id>/pages/<slug>-p<number>.txt`.",
    "",
    `Assistants speak the Model Context Protocol at \`${api}/mcp\`, by streamable HTTP.`,
    "",
    "## Optional",
    "",
    `- [All public documents](${api}/sitemap.xml): a sitemap`,
    `- [The newest documents](${web}/documents/feed.atom): an Atom feed`,
    "",
  ].join("\n");
}
