/**
 * What a note says may hold HTML, from whoever may write one. Clients of that API get it as it was sent and have to clean
 * it; here they also get it cleaned: simple formatting, and links that lend their target no standing and give it no hold
 * on the page. sanitize-html takes a good part of a tenth of a second to load, so the first note that needs it
 * loads it.
 */
export async function htmlCleaner(content: unknown): Promise<(text: string) => string> {
  if (typeof content !== "string" || !/[<>&]/.test(content)) return (text) => text;
  const { default: sanitize } = await import("sanitize-html");
  return (text) => sanitize(text, rules);
}

const words = (text: string): string[] => text.split(" ");

const rules = {
  allowedTags: words("a b blockquote br code em h3 h4 h5 h6 hr i li ol p pre q s small strong sub sup u ul"),
  allowedAttributes: { a: ["href", "title", "rel"] },
  allowedSchemes: ["http", "https", "mailto"],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName: string, attribs: Record<string, string>) => ({
      tagName,
      attribs: { ...attribs, rel: "noopener nofollow" },
    }),
  },
};
