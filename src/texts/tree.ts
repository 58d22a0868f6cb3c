import type english from "./en/tree.json";
import type { Formats } from "./formats.ts";
import { textsOf } from "./texts-of.ts";

/** The texts of the tree of folders and containers. */
export function treeTexts(words: typeof english, formats: Formats) {
  return textsOf(
    words,
    {
      documents: (count: number) => ({ count }),
      documentsOrMore: (count: number) => ({ count }),
      inIt: (count: number) => ({ count }),
      inItOrMore: (count: number) => ({ count }),
      searchIn: (name: string) => ({ name }),
    },
    formats,
  );
}
