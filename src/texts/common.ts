import type english from "./en/common.json";
import type { Formats } from "./formats.ts";
import { textsOf } from "./texts-of.ts";

/** The texts of several catalogues: names of buttons, and what the server and the scripts both show. */
export function commonTexts(words: typeof english, formats: Formats) {
  return textsOf(words, { page: (page: number) => ({ page }) }, formats);
}
