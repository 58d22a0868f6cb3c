import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { servedTypeOf } from "./content-types.ts";

describe("the type that a file is served as", () => {
  it.each([
    ["pdf", "application/pdf", "inline"],
    ["PDF", "application/pdf", "inline"],
    ["jpg", "image/jpeg", "inline"],
    ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "attachment"],
    ["xlsm", "application/vnd.ms-excel.sheet.macroEnabled.12", "attachment"],
    ["txt", "text/plain", "attachment"],
    ["html", "application/octet-stream", "attachment"],
    ["svg", "application/octet-stream", "attachment"],
    ["xml", "application/octet-stream", "attachment"],
    ["", "application/octet-stream", "attachment"],
    ["__proto__", "application/octet-stream", "attachment"],
    ["constructor", "application/octet-stream", "attachment"],
  ])("for %j is %s, %s", (extension, contentType, disposition) => {
    expect(servedTypeOf(extension)).toEqual({ contentType, disposition });
  });

  it("is never one that a browser executes", () => {
    const extensions = fc.constantFrom(
      "htm",
      "html",
      "xhtml",
      "svg",
      "xml",
      "xsl",
      "js",
      "mjs",
      "swf",
      "mht",
      "wasm",
    );
    fc.assert(
      fc.property(fc.oneof(extensions, fc.string()), (extension) => {
        expect(servedTypeOf(extension).contentType).not.toMatch(/html|xml$|svg|script|wasm/);
      }),
    );
  });
});
