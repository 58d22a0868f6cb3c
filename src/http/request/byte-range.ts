import type { ByteRange } from "../../files/file-store.ts";

/**
 * Parses the `Range` header for a file of `size` bytes (RFC 9110, 14.1.2): one range; "all" if there is no header, or
 * one that may be ignored (another unit, several ranges, malformed); "none" if the range is outside the file, which
 * returns 416.
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
