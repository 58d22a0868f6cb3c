import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ApiError } from "../../errors.ts";
import { anyText } from "../../testing/texts.ts";
import {
  checkVersion,
  chooseRepresentation,
  codingFor,
  languageFor,
  wantedIndent,
  withoutFormatSuffix,
} from "./negotiation.ts";
import { runs } from "../../testing/runs.ts";

const chromium =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8";

/** The chosen representation, or the status of the refusal. */
function attempt(accept: string): string | number {
  try {
    return chooseRepresentation(undefined, accept);
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

function refusal(format: string | undefined, accept: string | undefined): { status: number; body: unknown } {
  try {
    chooseRepresentation(format, accept);
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: error.body };
    throw error;
  }
  throw new Error("It was not refused.");
}

describe("the representation of a response", () => {
  it.each([
    [undefined, "json"],
    ["", "json"],
    ["*/*", "json"],
    ["application/json", "json"],
    ["application/*", "json"],
    ["Application/JSON", "json"],
    ["application/json; indent=4", "json"],
    ["application/json; charset=utf-8", "json"],
    ['application/json; profile="a,b;c"', "json"],
    ["application/json;version=1;q=0.5, text/html;q=0.2", "json"],
    ["application/json, text/plain, */*", "json"],
    ["image/avif,image/webp,*/*;q=0.8", "json"],
    ["text/html", "page"],
    ["text/html; charset=utf-8", "page"],
    ["text/*", "page"],
    [chromium, "page"],
    ["text/html;q=0.8, application/json;q=0.9", "json"],
    ["application/json;q=0, */*", "page"],
  ])("is, for Accept: %s, the %s", (accept, expected) => {
    expect(chooseRepresentation(undefined, accept)).toBe(expected);
    expect(chooseRepresentation("", accept)).toBe(expected);
  });

  it.each(["text/html", "application/xml", undefined])(
    "is the one that format names, whatever Accept says: %s",
    (accept) => {
      expect(chooseRepresentation("json", accept)).toBe("json");
      expect(chooseRepresentation("api", accept)).toBe("page");
    },
  );

  it.each(["xml", "JSON", "html", " json", "api,json"])("returns 404 for format=%s", (format) => {
    expect(refusal(format, "application/json")).toEqual({ status: 404, body: { detail: "Not found." } });
  });

  it.each(["application/xml", "image/png, image/*", "application/json;q=0", "nonsense", "text/plain"])(
    "is refused for Accept: %s",
    (accept) => {
      expect(refusal(undefined, accept)).toEqual({
        status: 406,
        body: { detail: "Could not satisfy the request Accept header." },
      });
    },
  );

  it("is JSON, a page or a refusal, whatever the header", () => {
    const word = fc.constantFrom(
      "application",
      "text",
      "json",
      "html",
      "*",
      "q=0.5",
      "q=x",
      "indent=4",
      "a",
      "",
    );
    const mark = fc.constantFrom("/", ";", ",", "=", " ", '"', "\\");
    const header = fc.oneof(
      anyText,
      fc.array(fc.oneof(word, mark), { maxLength: 20 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(header, (accept) => {
        expect(["json", "page", 406]).toContain(attempt(accept));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("the requested version", () => {
  it.each([undefined, "1.0", "2.0"])("may be %s", (version) => {
    expect(() => checkVersion(version)).not.toThrow();
  });

  it.each(["", "1", "2", "3.0", "latest"])("returns 404 for %j", (version) => {
    expect(() => checkVersion(version)).toThrow(
      new ApiError(404, { detail: "Invalid version in query parameter." }),
    );
  });
});

describe("the requested indentation", () => {
  it.each([
    [undefined, 0],
    ["application/json", 0],
    ["application/json; indent=4", 4],
    ["application/json;indent=0", 0],
    ["application/json; indent=99", 8],
    ["text/html; indent=4", 0],
  ])("by Accept: %s is %s", (accept, expected) => {
    expect(wantedIndent(accept)).toBe(expected);
  });
});

describe("the content coding", () => {
  it.each([
    [undefined, null],
    ["", null],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["gzip, deflate", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0.5, gzip", "gzip"],
    ["br;q=0, *", "gzip"],
    ["*", "br"],
    ["identity;q=1, gzip;q=0.5", null],
    ["gzip;q=0", null],
    ["deflate", null],
  ])("for Accept-Encoding: %s is %s", (header, expected) => {
    expect([codingFor(header), codingFor(header)]).toEqual([expected, expected]);
  });

  it("is null for a header that names no supported coding", () => {
    const others = anyText.filter((text) => !/br|gzip|\*/i.test(text));
    fc.assert(
      fc.property(others, (header) => {
        expect(codingFor(header)).toBeNull();
      }),
      { numRuns: runs(100) },
    );
  });
});

it.each([
  [undefined, "en"],
  ["", "en"],
  ["it, pt;q=0.5", "en"],
  ["fr-CA, es;q=0.5", "fr"],
  ["pt, es-419;q=0.5, en;q=0.1", "es"],
  ["de-AT, en;q=0.5", "de"],
  ["en-US, de;q=0.9", "en"],
  ["de;q=0, en", "en"],
])("chooses, for Accept-Language %j, %s", (header, language) => {
  expect(languageFor(header)).toBe(language);
});

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
