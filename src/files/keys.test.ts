import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentFileKey, FileKeyError, namesInKey } from "./keys.ts";

describe("the key of a document's original", () => {
  it("is beside its pages for a PDF, and in a separate folder for other types", () => {
    expect(documentFileKey(7, "a-report", "pdf")).toBe("documents/7/a-report.pdf");
    expect(documentFileKey(7, "a-report", "xlsx")).toBe("documents/7/original/a-report.xlsx");
  });
});

describe("the segments of a key", () => {
  it("are its parts", () => {
    expect(namesInKey("documents/7/original/-a_b.c-.xlsx")).toEqual([
      "documents",
      "7",
      "original",
      "-a_b.c-.xlsx",
    ]);
  });

  it.each(["a\0b", "a\\b", "C:\\x", "a b", "a\n", "é", "%2e%2e/x", "~root/x", "..a", "a/.b", "a?b"])(
    "are refused in %j",
    (key) => {
      expect(() => namesInKey(key)).toThrow(FileKeyError);
    },
  );

  it("never lead out of the folder to which they are appended", () => {
    const almost = fc.stringMatching(/^[./\\a~%\0-]{0,12}$/);
    fc.assert(
      fc.property(fc.oneof(almost, fc.string()), (key) => {
        const file = pathBehind("/store", key);
        expect(file === null || (file.startsWith("/store/") && !file.includes("/."))).toBe(true);
      }),
    );
  });
});

function pathBehind(folder: string, key: string): string | null {
  try {
    return path.resolve(folder, ...namesInKey(key));
  } catch (error) {
    if (error instanceof FileKeyError) return null;
    throw error;
  }
}
