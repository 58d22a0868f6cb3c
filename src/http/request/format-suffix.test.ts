import { describe, expect, it } from "vitest";
import { withoutFormatSuffix } from "./format-suffix.ts";

describe("an address with a format suffix", () => {
  it.each([
    ["/api/documents.json", "/api/documents/?format=json"],
    ["/api/documents.api", "/api/documents/?format=api"],
    ["/api/documents/1/sections.json?page_number=2", "/api/documents/1/sections/?format=json&page_number=2"],
    ["/api/documents/1.json?", "/api/documents/1/?format=json"],
  ])("%s is %s", (address, expected) => {
    expect(withoutFormatSuffix(address)).toBe(expected);
  });

  it.each([
    "/api/documents/",
    "/api/documents/?q=a.json",
    "/api/documents/1.xml",
    "/api/documents/.json/",
    "/api/.json",
    "/api/oembed.json?url=x",
    "/files/documents/1/minutes.txt.json",
    "/documents/1.json",
    "/",
  ])("%s is unchanged", (address) => {
    expect(withoutFormatSuffix(address)).toBe(address);
  });
});
