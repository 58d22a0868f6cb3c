import path from "node:path";
import { shownPath } from "../unpack/shown-path.ts";
import { openContainer } from "../unpack/unpack.ts";
import type { ConversionTask, Converted } from "./conversion.ts";
import { TextPages } from "./text-pages.ts";
import { endText } from "./text-to-pdf.ts";

const maxListed = 20_000;

/** Writes the list of what is in an archive. */
export async function contentsToPdf({
  from,
  extension,
  to,
  password = "",
}: ConversionTask): Promise<Converted> {
  const pages = new TextPages(to, "prose");
  const { entries, close } = await openContainer({
    from,
    extension,
    password,
    after: -1,
    folder: path.dirname(to),
    maxFileBytes: 0,
  });
  let count = 0;
  try {
    for await (const { path: name } of entries) {
      count += 1;
      if (count <= maxListed) pages.add(shownPath(name));
    }
  } finally {
    close?.();
  }
  if (count === 0) pages.add("This archive is empty");
  if (count > maxListed) pages.add(`… and ${count - maxListed} more`);
  return endText("contents", pages);
}
