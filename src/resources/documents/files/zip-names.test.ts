import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../testing/runs.ts";
import { ZipNames } from "./zip-names.ts";

const texts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "../../etc/passwd",
    "C:\\x",
    "CON",
    "nul.txt",
    "a/b",
    "..",
    "",
    " ",
    "x".repeat(300),
    "é",
    "e\u0301",
  ),
);

describe("the names of files in an archive", () => {
  it("are safe on every system and different, even where case and accents do not count", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(texts, fc.constantFrom("pdf", "PDF", "docx", "", "t/x")), { maxLength: 12 }),
        (all) => {
          const names = new ZipNames(["Left out.txt"]);
          const given = all.map(([title, extension]) => names.nameFor(title, extension));
          for (const name of given) {
            expect(name).not.toMatch(/[/\\:*?"<>|\p{Cc}\p{Cf}]|^[. ]|[. ]$/u);
            expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
            expect(name.isWellFormed()).toBe(true);
            expect(Buffer.byteLength(name)).toBeLessThan(256);
          }
          const compared = new Set([
            "left out.txt",
            ...given.map((name) => name.normalize("NFC").toLowerCase()),
          ]);
          expect(compared.size).toBe(given.length + 1);
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("are titles with the extension, and a number if there is one already", () => {
    const names = new ZipNames(["Left out.txt"]);
    expect(names.nameFor("Minutes of May", "pdf")).toBe("Minutes of May.pdf");
    expect(names.nameFor("minutes of may.PDF", "pdf")).toBe("minutes of may (2).pdf");
    expect(names.nameFor("Budget 3/4: draft?", "xlsx")).toBe("Budget 3_4_ draft_.xlsx");
    expect(names.nameFor("Left out", "txt")).toBe("Left out (2).txt");
    expect(names.nameFor("..", "pdf")).toBe("Untitled.pdf");
    expect(names.nameFor("con", "pdf")).toBe("_con.pdf");
  });
});
