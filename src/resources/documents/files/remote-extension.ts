import { extensionOfType } from "../../../files/content-types.ts";
import { fileKinds } from "../../../file-kinds.ts";

/** The extension at the end of an address; null unless documents can have it. */
export function extensionOfAddress(address: string): string | null {
  return URL.canParse(address) ? extensionOfName(new URL(address).pathname) : null;
}

export function extensionOfName(name: string): string | null {
  const [, extension = ""] = /\.(\w+)\s*$/.exec(name.toLowerCase()) ?? [];
  return fileKinds.has(extension) ? extension : null;
}

interface Described {
  url: URL;
  name: string | null;
  contentType: string | null;
}

/**
 * The extension that the remote server's response implies. Its file name takes precedence, because many servers send
 * the same content type for all files.
 */
export function extensionOfRemote({ url, name, contentType }: Described): string {
  const ofType = extensionOfType(contentType ?? "") ?? "";
  return (
    extensionOfName(name ?? "") ?? extensionOfAddress(url.href) ?? (fileKinds.has(ofType) ? ofType : "pdf")
  );
}
