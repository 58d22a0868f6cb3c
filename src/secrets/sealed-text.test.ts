import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { altered } from "../testing/texts.ts";
import { openText, sealText } from "./sealed-text.ts";
import { Secrets } from "./secrets.ts";

const [one, other] = ["a".repeat(40), "b".repeat(40)];

describe("a sealed text", () => {
  it("opens with the secret that sealed it, even behind a newer one", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const sealed = sealText(new Secrets([one]), "a", text, "document 1");
        expect(openText(new Secrets([one]), "a", sealed, "document 1")).toBe(text);
        expect(openText(new Secrets([other, one]), "a", sealed, "document 1")).toBe(text);
      }),
    );
  });

  it("opens with nothing else, and differs each time", () => {
    const secrets = new Secrets([one]);
    const sealed = sealText(secrets, "a", "geheim", "document 1");
    expect(openText(new Secrets([other]), "a", sealed, "document 1")).toBeNull();
    expect(openText(secrets, "b", sealed, "document 1")).toBeNull();
    expect(openText(secrets, "a", sealed, "document 2")).toBeNull();
    expect(openText(secrets, "a", "", "document 1")).toBeNull();
    expect(openText(secrets, "a", altered(sealed, -3), "document 1")).toBeNull();
    expect(sealText(secrets, "a", "geheim", "document 1")).not.toBe(sealed);
  });
});
