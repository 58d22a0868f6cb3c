import { shownPath } from "../unpack/shown-path.ts";
import { openContainer } from "../unpack/unpack.ts";
import type { Converted } from "./conversion.ts";
import { TextPages } from "./text-pages.ts";
import { endText } from "./text-to-pdf.ts";

const maxListed = 20_000;

/** Writes the list of what is in an archive. */
export async function contentsToPdf(from: string, extension: string, to: string): Promise<Converted> {
  const pages = new TextPages(to, "prose");
  const { entries, close } = await openContainer(from, extension);
  let count = 0;
  try {
    for await (const { path } of entries) {
      count += 1;
      if (count <= maxListed) pages.add(shownPath(path));
    }
  } finally {
    close?.();
  }
  if (count === 0) pages.add("This archive is empty");
  if (count > maxListed) pages.add(`… and ${count - maxListed} more`);
  return endText("contents", pages);
}
