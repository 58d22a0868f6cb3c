import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../../../testing/factories.ts";
import { buildXlsx } from "../../../testing/office.ts";
import type { Person } from "../../../testing/people.ts";
import { sendAs } from "../../../testing/requests.ts";
import { useApp } from "../../../testing/test-app.ts";

const app = useApp("sqlite");
const owner = app.person("owner", { organizations: [1] });

/** The id of a document with this original. */
async function documentOf(
  extension: string,
  bytes: string | Buffer | null,
  access = "public",
): Promise<number> {
  const row = { slug: "a", user_id: owner.id, original_extension: extension, access };
  const [id = 0] = await addDocuments(app.context, [row]);
  const key = `documents/${id}/original/a.${extension}`;
  if (bytes !== null) await app.context.files.put(key, Readable.from([Buffer.from(bytes)]));
  return id;
}

const get = (target: string, person: Person | null = null): ReturnType<typeof sendAs> =>
  sendAs(app, person, "GET", target);

describe("the table of a document", () => {
  it("has the rows of a CSV file, a part at a time", async () => {
    const lines = ["name;note", '"Cod; ""fresh""";"two\nlines"', "", "Größe;", "last;1"];
    const id = await documentOf("csv", lines.join("\r\n"));
    const whole = [
      ["name", "note"],
      ['Cod; "fresh"', "two\nlines"],
      ["Größe", ""],
      ["last", "1"],
    ];
    const target = `/api/documents/${id}/table/`;
    const { status, body } = await get(target);
    expect([status, body]).toEqual([200, { sheets: [""], sheet: 0, offset: 0, rows: whole, next: null }]);
    const walked: string[][] = [];
    for (let next: string | null = `${app.url}${target}?limit=3`; next !== null;) {
      const page: { offset: number; rows: string[][]; next: string | null } = (
        await get(next.slice(app.url.length))
      ).body;
      expect(page.offset).toBe(walked.length);
      walked.push(...page.rows);
      next = page.next;
    }
    expect(walked).toEqual(whole);
    expect((await get(`${target}?offset=99`)).body).toMatchObject({ rows: [], next: null });
    expect((await get(`${target}?sheet=1`)).status).toBe(404);
  });

  it("has the rows of a workbook's sheet", async () => {
    const cells = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1"><v>7</v></c></row><row r="3"><c r="B3" t="b"><v>1</v></c></row>`;
    const id = await documentOf("xlsx", buildXlsx("Ships &amp; more", cells, ["Month"]));
    const { status, body } = await get(`/api/documents/${id}/table/`);
    expect([status, body]).toEqual([
      200,
      {
        sheets: ["Ships & more"],
        sheet: 0,
        offset: 0,
        rows: [
          ["Month", "", "7"],
          ["", "TRUE"],
        ],
        next: null,
      },
    ]);
    const second = await get(`/api/documents/${id}/table/?offset=1&limit=1`);
    expect(second.body.rows).toEqual([["", "TRUE"]]);
  });

  it("is cut where the rows would be too long together, and continues from there", async () => {
    const id = await documentOf("csv", Array.from({ length: 120 }, () => "x".repeat(32_000)).join("\n"));
    const { body } = await get(`/api/documents/${id}/table/?limit=1000`);
    expect(body.rows).toHaveLength(62);
    expect(body.next).toBe(`${app.url}/api/documents/${id}/table/?limit=1000&offset=62`);
  });

  it("says why a file cannot be read", async () => {
    const id = await documentOf("xlsx", "not a workbook");
    for (const _time of [1, 2]) {
      const { status, body } = await get(`/api/documents/${id}/table/`);
      expect([status, Object.keys(body)]).toEqual([400, ["error"]]);
    }
  });
});

describe("the mail of a document", () => {
  const mail = [
    "From: Ada <ada@example.org>",
    "To: =?utf-8?q?J=C3=B8rgen?= <j@example.org>, Crew: a@example.org, b@example.org;",
    "Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
    "Date: Fri, 31 Jan 2025 12:00:00 +0000",
    "X-Harbour: yes",
    "MIME-Version: 1.0",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "Hello",
    "--b",
    'Content-Type: text/csv; name="ships.csv"',
    'Content-Disposition: attachment; filename="ships.csv"',
    "",
    "a,b",
    "--b--",
    "",
  ].join("\r\n");

  it("has its sender, recipients, headers and attachments", async () => {
    const { status, body } = await get(`/api/documents/${await documentOf("eml", mail)}/mail/`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      from: [{ name: "Ada", address: "ada@example.org" }],
      to: [
        { name: "Jørgen", address: "j@example.org" },
        { name: "", address: "a@example.org" },
        { name: "", address: "b@example.org" },
      ],
      cc: [],
      bcc: [],
      subject: "Grüße",
      date: "Fri, 31 Jan 2025 12:00:00 +0000",
      attachments: [{ name: "ships.csv", content_type: "text/csv", size: expect.any(Number) }],
    });
    expect(body.headers).toContainEqual({ name: "X-Harbour", value: "yes" });
  });
});

it("a table or mail that is hidden, of another type, on another server or missing returns the same 404", async () => {
  const hidden = await documentOf("csv", "a,b", "private");
  const [elsewhere] = await addDocuments(app.context, [
    { original_extension: "csv", asset_url: "https://files.example.org/" },
  ]);
  const missing = await get("/api/documents/999999/table/");
  for (const target of [
    `/api/documents/${hidden}/table/`,
    `/api/documents/${elsewhere}/table/`,
    `/api/documents/${await documentOf("csv", null)}/table/`,
    `/api/documents/${await documentOf("pdf", "x")}/table/`,
    `/api/documents/${await documentOf("csv", "a,b")}/mail/`,
    `/api/documents/${await documentOf("eml", "From: a\r\n\r\n")}/table/`,
    "/api/documents/x/mail/",
  ]) {
    const { status, body } = await get(target);
    expect([target, status, body]).toEqual([target, 404, missing.body]);
  }
  expect((await get(`/api/documents/${hidden}/table/`, owner)).body.rows).toEqual([["a", "b"]]);
});
