import type { ByteRange } from "../../files/file-store.ts";

/**
 * What a `Range` header asks of a file of `size` bytes (RFC 9110, 14.1.2): one range; "all" when there is no
 * header, or one that may be left unheeded (another unit, several ranges, not well formed); "none" when nothing
 * of the file is in it, which is answered with 416.
 */
export function readRange(header: string | undefined, size: number): ByteRange | "all" | "none" {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  if (match === null) return "all";
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return "all";
  const start = from === "" ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < start) return "all";
  return start > end ? "none" : { start, end };
}
