import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type DeskOptions,
  type DeskPage,
  OptionsError,
  type ViewerOptions,
  adminPageNames,
  deskAttributes,
  readDeskPage,
  readViewerOptions,
  viewerAttributes,
} from "./page-options.ts";

/** What a browser makes of attributes whose names begin with `data-`. */
const datasetOf = (attributes: readonly (readonly [string, string | true])[]): Record<string, string> =>
  Object.fromEntries(
    attributes.map(([name, value]) => [name.replace("data-", ""), value === true ? "" : value]),
  );

const options: DeskOptions = {
  api: "/api/",
  assets: "https://quire.test/files/",
  files: "/files/",
  tus: "/uploads/tus/",
  csrfToken: "a token",
  user: 7,
  userName: "Ada",
  maxBytes: 1000,
  extensions: ["pdf", "txt"],
  languages: ["eng"],
  images: [],
  trashDays: 30,
  trash: "/documents/trash/",
  upload: "/upload/",
  addons: "/account/addons/",
};

const pages: DeskPage[] = [
  { name: "documents", own: {} },
  { name: "redact", own: {} },
  { name: "trash", own: {} },
  { name: "upload", own: {} },
  { name: "replace", own: { replace: 7 } },
  {
    name: "project",
    own: { project: 7, projectPage: "https://quire.test/projects/7/", projects: "/projects/", mailIn: "" },
  },
  ...adminPageNames.map(
    (adminPage) =>
      ({
        name: "admin",
        own: {
          adminPage,
          hasMail: false,
          hasMailIn: true,
          isAdministrator: false,
          organizations: [{ id: 7, name: "Harbour Press" }],
        },
      }) as const,
  ),
];

describe("the options of the viewer", () => {
  it("are read as they were written", () => {
    const texts = fc.option(fc.string());
    const written: fc.Arbitrary<ViewerOptions> = fc.record({
      document: fc.nat(),
      api: fc.string(),
      files: fc.string(),
      fragment: texts,
      language: fc.string(),
      images: texts,
      reading: fc.boolean(),
      addons: texts,
      events: fc.boolean(),
      csrf: texts,
      stage: texts,
      said: texts,
    });
    fc.assert(
      fc.property(written, (given) => {
        expect(readViewerOptions(datasetOf(viewerAttributes(given)))).toEqual(given);
      }),
    );
  });

  it.each([
    [{ api: "/api/", files: "/files/" }, "data-document"],
    [{ document: "seven", api: "/api/", files: "/files/" }, "data-document"],
    [{ document: "7", files: "/files/" }, "data-api"],
    [{ document: "7", api: "/api/" }, "data-files"],
  ])("are refused as %j, which names the fault", (dataset, name) => {
    expect(() => readViewerOptions(dataset)).toThrow(new OptionsError(name));
  });
});

describe("the options of the desk", () => {
  it.each(pages)("on the page $name are read as they were written", (page) => {
    expect(readDeskPage(datasetOf(deskAttributes(page, options)))).toEqual({ page, options });
  });

  it.each(pages)("on the page $name are refused if one is missing or has another type", (page) => {
    const whole = { ...options, ...page.own } as Record<string, unknown>;
    for (const name of Object.keys(whole)) {
      const { [name]: _, ...others } = whole;
      for (const wrong of [others, { ...others, [name]: null }, { ...others, [name]: {} }]) {
        const dataset = { desk: page.name, options: JSON.stringify(wrong) };
        expect(() => readDeskPage(dataset)).toThrow(new OptionsError(name));
      }
    }
  });

  it.each(["", "shelf", "constructor"])("are refused for a page with the name %j", (desk) => {
    expect(() => readDeskPage({ desk, options: JSON.stringify(options) })).toThrow(OptionsError);
  });

  it("are refused where the page has none", () => {
    expect(() => readDeskPage({ desk: "documents" })).toThrow(OptionsError);
  });
});
