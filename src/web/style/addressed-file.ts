import { StaticFile } from "../../http/response/static-file.ts";

/** A file at an address that changes with its bytes, so that caches never go stale. */
export interface AddressedFile {
  /** Below the root of the service, starting with a slash. */
  path: string;
  file: StaticFile;
}

export const staticTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  js: "text/javascript; charset=utf-8",
  woff2: "font/woff2",
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
};

export function addressed(file: { name: string; extension: string; body: Buffer }): AddressedFile {
  const { name, extension, body } = file;
  const served = new StaticFile(staticTypes[extension] ?? "", body);
  return { path: `/static/${name}-${served.digest}.${extension}`, file: served };
}
