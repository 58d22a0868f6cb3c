import { describe, expect, it } from "vitest";
import { extensionOfAddress, extensionOfRemote } from "./remote-extension.ts";

describe("the extension of a remote file", () => {
  it.each([
    ["https://example.org/a/minutes.pdf", "pdf"],
    ["https://example.org/Minutes.DOCX?download=1#page=2", "docx"],
    ["https://example.org/minutes.tar.gz", "gz"],
    ["https://example.org/minutes.exe", null],
    ["https://example.org/show.php?file=a.pdf", null],
    ["https://example.org/", null],
    ["https://example.pdf", null],
    ["no address", null],
  ])("is read from its address, %s: %j", (address, extension) => {
    expect(extensionOfAddress(address)).toBe(extension);
  });

  const found = { url: new URL("https://example.org/show"), name: null, contentType: null };
  it.each([
    [{ ...found, name: "a.xlsx", contentType: "application/octet-stream" }, "xlsx"],
    [{ ...found, url: new URL("https://example.org/files/a.txt") }, "txt"],
    [{ ...found, contentType: "Text/HTML; charset=utf-8" }, "html"],
    [{ ...found, name: "a.exe", contentType: "image/tiff" }, "tif"],
    [{ ...found, contentType: "application/octet-stream" }, "pdf"],
    [found, "pdf"],
  ])("follows the remote server's response: %j", (described, extension) => {
    expect(extensionOfRemote(described)).toBe(extension);
  });
});
