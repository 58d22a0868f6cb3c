import { SaxesParser } from "saxes";
import { UnreadableFileError } from "../unreadable-file.ts";

const deepest = 1000;

export interface XmlReader {
  /** Names include their prefix. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** If it returns true, the rest is not read. */
  isDone?(): boolean;
}

/**
 * Parses XML as a stream. A file with a document type is refused, because its entities could expand without limit.
 *
 * @throws {UnreadableFileError}
 */
export async function readXml(chunks: AsyncIterable<Uint8Array>, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser();
  let depth = 0;
  parser.on("error", (error) => {
    throw new UnreadableFileError("broken", `broken: ${error.message}`);
  });
  parser.on("doctype", () => {
    throw new UnreadableFileError("broken", "broken: its XML defines a document type, which it may not");
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    if (depth > deepest)
      throw new UnreadableFileError("broken", `broken: its XML is nested deeper than ${deepest}`);
    reader.open?.(name, attributes);
  });
  parser.on("text", (text) => reader.text?.(text));
  parser.on("cdata", (text) => reader.text?.(text));
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    reader.close?.(name);
  });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }));
    if (reader.isDone?.() === true) return;
  }
  parser.write(decoder.decode()).close();
}

/** A name without its prefix. */
export const localName = (name: string): string => name.slice(name.indexOf(":") + 1);
