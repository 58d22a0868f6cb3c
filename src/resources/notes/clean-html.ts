/**
 * A note may contain HTML from anyone who may write notes. As in DocumentCloud, clients get it as it was sent and must
 * sanitise it. Quire also returns it sanitised: simple formatting, and links with `nofollow` and `noopener`. The
 * sanitize-html package takes almost a tenth of a second to load, so it is loaded for the first note that needs it.
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
