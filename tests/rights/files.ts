import { type Role, columnOf, rightOf } from "../../src/testing/access-rights.ts";
import { type FilledDocument, worldFile, worldSlug } from "../../src/testing/access-world.ts";
import type { Asked } from "../../src/testing/ask.ts";
import { type MatrixRow, matrixOf, targetOf } from "../../src/testing/matrix.ts";
import type { Words } from "../../src/testing/run-matrix.ts";
import { writtenText } from "./documents.ts";

/*
 * The expected answer for each right (see access-rights.ts) on the routes that work on a document's file or show its
 * texts and images. `201/busy`: the second answer applies while the file is being processed. `201?full`: the second
 * applies unless the document waits for its file.
 */
export const fileRows = matrixOf(`
  route                                                  n           a           -        v           e            E
  POST   /api/documents/:id/redactions/                  signin      signin      nothing  unedited    201/busy     201/busy
  POST   /api/documents/:id/redacted_copies/             signin      signin      nothing  unedited    201/busy     201/busy
  POST   /api/documents/:id/modifications/               signin      signin      nothing  unedited    201/busy     201/busy
  POST   /api/documents/:id/modifications/post_process/  signin      signin      never    never       never        never
  POST   /api/documents/:id/process/                     signin      signin      nothing  unprocessed 200/doing    200/doing
  DELETE /api/documents/:id/process/                     signin      signin      nothing  denied      denied       idle/200
  POST   /api/documents/process/             several     signin      signin      unfound  unfound     200/unfound  200/unfound
  POST   /api/documents/process/             ids         signin      signin      unfound  unfound     200/unfound  200/unfound
  POST   /api/documents/:id/file/                        signin      signin      nothing  unedited    200/doing    200/doing
  PATCH  /api/documents/:id/                 pages       signin      signin      nothing  denied      200/working  200/working
  PUT    /api/documents/:id/                 pages       signin      signin      nothing  denied      200/working  200/working
  PATCH  /api/documents/                     pages       signin      signin      missing  missing     200/workings 200/workings
  POST   /uploads/tus/                       new         signin      signin      unknown  unknown     201?full     201?full
  POST   /uploads/tus/                       replacement signin      signin      nothing  unedited    201/doing    201/doing
  POST   /upload/                            ?replace=:id signin     signin      nothing  unedited    303/doing    303/doing
  PUT    /uploads/documents/:id/*            unsigned    unsigned    unsigned    unsigned unsigned    unsigned     unsigned
  GET    /api/documents/:id/process/                     nothing     200         nothing  200         200          200
  GET    /api/documents/:id/process/events/              nothing     200         nothing  200         200          200
  GET    /api/documents/:id/receipts/                    nothing     denied      nothing  denied      200          200
  GET    /api/documents/:id/mentions/        ?q=harbour  nothing     denied      nothing  denied      200          200
  GET    /api/documents/:id/redacted_copies/             nothing     200         nothing  200         200          200
  GET    /api/documents/:id/withheld/                    nothing     200         nothing  200         200          200
  GET    /api/documents/:id/family/                      nothing     200         nothing  200         200          200
  GET    /api/documents/:id/errors/                      nothing     200         nothing  200         200          200
  GET    /api/documents/:id/pending/                     nothing     200         nothing  200         200          200
  GET    /api/documents/:id/search/          ?q=harbour  nothing     200         nothing  200         200          200
  GET    /api/quotations/        ?document=:id&quote=harbour nothing 200      nothing  200         200          200
  GET    /quotations/            ?document=:id&quote=harbour nothing 200      nothing  200         200          200
  GET    /api/documents/:id/outline/                     nothing     200         nothing  200         200          200
  GET    /api/documents/:id/table/                       nothing     200         nothing  200         200          200
  GET    /api/documents/:id/mail/                        nothing     200         nothing  200         200          200
  GET    /files/documents/:id/*              :slug.txt   nothing     200         nothing  200         200          200
  GET    /files/documents/:id/*              original/:slug.csv nothing 200         nothing  200         200          200
  GET    /files/documents/:id/*              :slug.txt.json  nothing 200         nothing  200         200          200
  GET    /files/documents/:id/*              pages/:slug-p1.txt nothing 200      nothing  200         200          200
  GET    /files/documents/:id/*              pages/:slug-p1.position.json nothing 200 nothing 200     200          200
  GET    /files/documents/:id/*              pages/:slug-p1-thumbnail.gif nothing 200 nothing 200     200          200
  GET    /files/documents/:id/*              address     nothing     200         nothing  200         200          200
  GET    /iiif/:id/manifest.json                         nothing     200         nothing  200         200          200
  GET    /iiif/:id/text/:page.json                       nothing     200         nothing  200         200          200
  GET    /iiif/:id/notes/:page.json                      nothing     200         nothing  200         200          200
  GET    /iiif/:id/image/:page/info.json                 nothing     200         nothing  200         200          200
  GET    /iiif/:id/image/:page/full/:size/0/default.webp nothing     302         nothing  302         302          302
  GET    /iiif/:id/search/1.json             ?q=harbour  nothing     200         nothing  200         200          200
  GET    /iiif/:id/search/2.json             ?q=harbour  nothing     200         nothing  200         200          200
  GET    /embed/documents/:id/                           nothing     200         nothing  200         200          200
  GET    /documents/:id/pages/:page/                     nothing     200         nothing  200         200          200
  GET    /documents/:id/annotations/:note/               nothing     200         nothing  200         200          200
  GET    /documents/*                        :id/        nothing     302         nothing  302         302          302
  GET    /documents/*       :id-:slug/search/?q=harbour  nothing     200         nothing  200         200          200
  GET    /api/oembed/                        ?url=:address nothing   200         nothing  200         200          200
  GET    /api/oembed                         ?url=:address nothing   200         nothing  200         200          200
  GET    /api/oembed.json                    ?url=:address nothing   200         nothing  200         200          200
  GET    /api/oembed/                        note        nothing     200         nothing  200         200          200
  POST   /mcp                                get_document untold    200         untold   200         200          200
  POST   /mcp                                read_pages   untold    200         untold   200         200          200
  POST   /mcp                                read_notes   untold    200         untold   200         200          200
  POST   /mcp                                verify_quote untold    200         untold   200         200          200
  GET    /api/documents/process/events/      ?id__in=:id 200         200         200      200         200          200
  GET    /api/documents/zip/                 ?id__in=:id 200         200         200      200         200          200
  GET    /upload/                            ?replace=:id tosignin   tosignin    200      200         200          200
`);

export const fileWords: Words = {
  nothing: [404, { detail: "Not found." }],
  signin: [403, { detail: "Authentication credentials were not provided." }],
  denied: [403, { detail: "You do not have permission to perform this action." }],
  unedited: [403, { detail: "You may not edit this document" }],
  never: [403, { detail: "You do not have permission to post-process modifications" }],
  unsigned: [403, { detail: "This upload address is invalid or has expired." }],
  unprocessed: [400, { error: "You do not have permission to edit document <id>" }],
  busy: [400, { error: "Already processing" }],
  doing: [400, { error: "Already processing: <id>" }],
  working: [400, ["You may not update `pages` while the document is processing"]],
  workings: [400, [["You may not update `pages` while the document is processing"]]],
  idle: [400, { error: "Not processing" }],
  unfound: [400, ["Could not find all documents to process."]],
  missing: [400, ["Could not find all objects to update."]],
  unknown: [400, { document: ['Invalid pk "<id>" - object does not exist.'] }],
  full: [400, { document: ["It has its file already."] }],
  tosignin: [302],
  /** The protocol's answer is a success; what the tool was refused is in it. */
  untold: [200],
};

/** The expected word for a role's right to the document and the state of its file. */
export function fileWord({ words }: MatrixRow, role: Role, document: FilledDocument): string {
  const word = words[columnOf(rightOf(role, document))] ?? "";
  const [first = "", sign = "", second = ""] = word.split(/([/?])/);
  const { status } = document;
  const isBusy = status === "pending" || status === "readable";
  const isSecond = sign === "/" ? isBusy : sign === "?" && status !== "nofile";
  return isSecond ? second : first;
}

/** A form with a file, in place of JSON. */
const form = {
  body: [
    "--x",
    'content-disposition: form-data; name="file"; filename="a.txt"',
    "",
    "Another text",
    "--x--",
    "",
  ].join("\r\n"),
  headers: { "content-type": "multipart/form-data; boundary=x" },
};

const beginning = (metadata: string): Pick<Asked, "headers"> => ({
  headers: { "tus-resumable": "1.0.0", "upload-length": "5", "upload-metadata": metadata },
});

const pages = [{ page_number: 0, text: writtenText }];

const redaction = { x1: 0.1, x2: 0.2, y1: 0.1, y2: 0.2, page_number: 0 };

/** What the requests of rows have besides their addresses, by the rows' names. */
const rests: Record<string, (document: FilledDocument) => Partial<Asked>> = {
  "POST /api/documents/:id/redactions/": () => ({ value: [redaction] }),
  "POST /api/documents/:id/redacted_copies/": () => ({ value: { redactions: [redaction] } }),
  "POST /api/documents/:id/modifications/": () => ({ value: [{ page: "0,0" }] }),
  "POST /api/documents/:id/modifications/post_process/": () => ({ value: {} }),
  "POST /api/documents/:id/process/": () => ({ value: { force_ocr: true } }),
  "POST /api/documents/process/ several": ({ id }) => ({ value: [{ id, force_ocr: true }] }),
  "POST /api/documents/process/ ids": ({ id }) => ({ value: { ids: [id] } }),
  "POST /api/documents/:id/file/": () => form,
  "PATCH /api/documents/:id/ pages": () => ({ value: { pages } }),
  "PUT /api/documents/:id/ pages": ({ access }) => ({ value: { pages, title: writtenText, access } }),
  "PATCH /api/documents/ pages": ({ id }) => ({ value: [{ id, pages }] }),
  "POST /uploads/tus/ new": ({ id }) => beginning(`document ${base64(id)}`),
  "POST /uploads/tus/ replacement": ({ id }) =>
    beginning(`document ${base64(id)},replace ${base64("true")},filename ${base64("a.pdf")}`),
  "POST /upload/ ?replace=:id": () => ({ ...form, by: "session" }),
  "PUT /uploads/documents/:id/* unsigned": ({ id }) => ({
    target: `/uploads/documents/${id}/${worldSlug}.pdf?viewer=1&expires=99999999999&signature=${"x".repeat(43)}`,
    body: "%PDF-",
  }),
  "GET /files/documents/:id/* address": ({ id }) => ({
    target: `/files/${worldFile(id)}`,
    headers: { accept: "application/json" },
  }),
  "GET /upload/ ?replace=:id": () => ({ by: "session" }),
  "POST /mcp get_document": ({ id }) => calling("get_document", { document: id }),
  "POST /mcp read_pages": ({ id }) => calling("read_pages", { document: id, first_page: 1 }),
  "POST /mcp read_notes": ({ id }) => calling("read_notes", { document: id }),
  "POST /mcp verify_quote": ({ id }) => calling("verify_quote", { document: id, quote: "harbour" }),
};

/** A message of the Model Context Protocol. */
const calling = (name: string, given: object): Partial<Asked> => ({
  value: { jsonrpc: "2.0", id: "a", method: "tools/call", params: { name, arguments: given } },
  headers: { accept: "application/json, text/event-stream" },
});

/** Whether a tool has done what it was called for. */
export const hasAnswered = (body: string): boolean =>
  body.includes('"result":') && !body.includes('"isError":true');

const base64 = (text: string | number): string => Buffer.from(String(text)).toString("base64");

/** The request of a row. `url` is that of the application. */
export function fileRequest(url: string, row: MatrixRow, document: FilledDocument): Asked {
  const { id, note } = document;
  const address = encodeURIComponent(`${url}/documents/${id}-${worldSlug}/`);
  const isOfNote = row.name === "GET /api/oembed/ note";
  const noted = encodeURIComponent(`${url}/documents/${id}/annotations/${note}.html`);
  return {
    method: row.method,
    target: isOfNote
      ? `/api/oembed/?url=${noted}`
      : targetOf(row, { id, note, page: 1, size: "max", slug: worldSlug, address }),
    ...rests[row.name]?.(document),
  };
}
