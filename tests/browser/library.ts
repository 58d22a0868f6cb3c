import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { documentFileKey } from "../../src/files/keys.ts";
import { addDocuments } from "../../src/testing/factories.ts";
import { buildPdf } from "../../src/testing/pdf.ts";
import { addTexts } from "../../src/testing/read-documents.ts";
import { type TestApp, startTestApp, useStarted } from "../../src/testing/test-app.ts";

/** The title of a hostile document, and one that is written from right to left. */
export const hostileTitle = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;b&gt;`;
export const hebrewTitle = "דו״ח שנתי (2024) – ‏נמל חיפה‏";
/** Reverses the direction of the text after it, unless that is isolated. */
export const turningTitle = "invoice \u202efdp.exe";

/** A server with documents of every kind that pages treat differently, and enough plain ones to fill two pages. */
export interface Library extends AsyncDisposable {
  app: TestApp;
  /** The ids of the documents, by their special property. `plain` has those without one. */
  ids: Record<Special, number> & { plain: number[] };
  /** The address of the server with the file of the document `elsewhere`, without a slash at the end. */
  elsewhere: string;
}

type Special = keyof typeof specials;

const specials = {
  report: {
    title: "Annual report of the harbour office",
    slug: "annual-report-of-the-harbour-office",
    description: "What came and went, and what was built.\nWith a list of the ships.",
    source: "Harbour office",
    page_count: 3,
    page_spec: "595.28x841.89:0-1;841.89x595.28:2",
    file_hash: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    related_article: "https://news.example.org/2024/harbour?utm=a&b=c",
    published_url: "https://example.org/report",
    data: JSON.stringify({
      cid: ["12"],
      links: ["see https://example.org/a, and https://example.org/b"],
      email: ["one@example.org", "two@example.org"],
    }),
  },
  hostile: {
    title: hostileTitle,
    slug: "script",
    description: hostileTitle,
    source: hostileTitle,
    related_article: "javascript:alert(3)",
    data: JSON.stringify({ [hostileTitle]: [hostileTitle, "javascript:alert(4)"] }),
  },
  hebrew: { title: hebrewTitle, slug: "dvkh-shnty", source: hebrewTitle, language: "heb" },
  turning: { title: turningTitle, slug: "invoice", source: turningTitle },
  long: { title: "a".repeat(300), slug: "a".repeat(255), source: "b".repeat(300), file_hash: "0".repeat(40) },
  sheet: { title: "Ship arrivals by month", slug: "ship-arrivals-by-month", original_extension: "xlsx" },
  elsewhere: { title: "Kept elsewhere", slug: "kept-elsewhere" },
  lost: { title: "Without its file", slug: "without-its-file" },
  noindex: { title: "Not for search engines", slug: "not-for-search-engines", noindex: true },
} as const;

const plain = Array.from({ length: 31 }, (_, index) => ({
  title: `Letter ${index + 1}`,
  slug: `letter-${index + 1}`,
  page_count: index + 1,
  page_spec: `612x792:0-${index}`,
}));

export const reportLines = ["Annual report of the harbour office", "2024"];
const pdf = buildPdf({
  pages: [
    { width: 595.28, height: 841.89, lines: reportLines },
    { width: 595.28, height: 841.89, lines: ["The second page"] },
    { width: 841.89, height: 595.28, lines: ["A list of the ships, lying"] },
  ],
});

async function openLibrary(): Promise<Library> {
  const files = await serveFiles();
  const elsewhere = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  const app = await startTestApp("sqlite");
  const { context } = app;
  const names = Object.keys(specials) as Special[];
  const added = await addDocuments(context, [
    ...names.map((name, index) => ({
      ...specials[name],
      created_at: `2025-03-31T12:00:${String(59 - index).padStart(2, "0")}.000000Z`,
      ...(name === "elsewhere" ? { asset_url: `${elsewhere}/` } : {}),
    })),
    ...plain,
    { title: "A secret", access: "private" },
  ]);
  const idOf = (name: Special): number => added[names.indexOf(name)] as number;
  const ids = Object.fromEntries(names.map((name) => [name, idOf(name)])) as Record<Special, number>;
  const lastLetter = added[names.length + plain.length - 1] as number;
  const texts = plain.map(
    (_, index) =>
      `To the harbour office\n\nof page ${index + 1}: the ship that lies at the quay\nis to leave before the tide.\n`,
  );
  await addTexts(context, lastLetter, texts);
  for (const [name, extension, bytes] of [
    ["report", "pdf", pdf],
    ["sheet", "xlsx", Buffer.from("PK, and so on")],
  ] as const) {
    await context.files.put(
      documentFileKey(ids[name], specials[name].slug, extension),
      Readable.from([bytes]),
    );
  }
  return {
    app,
    ids: { ...ids, plain: added.slice(names.length, names.length + plain.length) },
    elsewhere,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await new Promise((closed) => files.close(closed).closeAllConnections());
    },
  };
}

const smallestGif = Buffer.from("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=", "base64");

/** Another server, which returns a page image or a PDF at every address. */
async function serveFiles(): Promise<Server> {
  const server = createServer(({ url = "" }, response) => {
    const isImage = /\.gif($|\?)/.test(url);
    const headers = {
      "content-type": isImage ? "image/gif" : "application/pdf",
      "access-control-allow-origin": "*",
    };
    response.writeHead(200, headers).end(isImage ? smallestGif : pdf);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return server;
}

/** The library of the tests of a file. */
export const useLibrary = (): Library => useStarted(openLibrary);
