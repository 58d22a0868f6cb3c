import { extensionOfType } from "../../../files/content-types.ts";
import { fileExtensions } from "../file-extensions.ts";

/** The extension at the end of an address, if it is one that a document can have. */
export function extensionOfAddress(address: string): string | null {
  return URL.canParse(address) ? extensionOfName(new URL(address).pathname) : null;
}

export function extensionOfName(name: string): string | null {
  const [, extension = ""] = /\.(\w+)\s*$/.exec(name.toLowerCase()) ?? [];
  return fileExtensions.has(extension) ? extension : null;
}

interface Described {
  url: URL;
  name: string | null;
  contentType: string | null;
}

/** What a file is by what the other side says of it: its name first, since many send all as one type. */
export function extensionOfRemote({ url, name, contentType }: Described): string {
  return (
    extensionOfName(name ?? "") ?? extensionOfAddress(url.href) ?? extensionOfType(contentType ?? "") ?? "pdf"
  );
}
