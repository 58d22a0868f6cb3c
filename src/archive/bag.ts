/*
 * An archive is a bag as RFC 8493 describes it:
 *
 *   bagit.txt                  says that the folder is a bag. Written last: without it, the folder is not a bag
 *   bag-info.txt               who made it, when, and the number of its files and bytes
 *   manifest-sha256.txt        the SHA-256 of every file below data/
 *   tagmanifest-sha256.txt     the SHA-256 of the three files above
 *   data/                      the content
 *   unfinished/                only while the bag is being written: which files have been copied
 */

export const declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";

export const declarationName = "bagit.txt";
export const infoName = "bag-info.txt";
export const unfinishedName = "unfinished";
export const dataName = "data";

export const manifestName = (algorithm: string): string => `manifest-${algorithm}.txt`;
export const tagManifestName = (algorithm: string): string => `tagmanifest-${algorithm}.txt`;

/** The line of a manifest. `path` is relative to the bag's own folder. Line ends and `%` in a path are encoded. */
export function manifestLine(hash: string, path: string): string {
  return `${hash}  ${path.replaceAll(/[%\r\n]/g, (character) => encodeURIComponent(character))}\n`;
}

/** Null for a line that does not have the format of {@link manifestLine}. */
export function readManifestLine(line: string): { hash: string; path: string } | null {
  const [, hash = "", path = ""] = /^([0-9a-fA-F]+)[ \t]+(.+)$/.exec(line) ?? [];
  if (hash === "") return null;
  // Some tools mark binary files with an asterisk.
  const written = path.replace(/^\*/, "").replace(/^\.\//, "");
  const read = written.replaceAll(/%(25|0[AaDd])/g, (encoded) => decodeURIComponent(encoded));
  return { hash: hash.toLowerCase(), path: read };
}
