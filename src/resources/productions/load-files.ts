import type { Database } from "../../database/database.ts";
import type { VolumeFile } from "./fragment.ts";
import { lastNumber, written } from "./numbers.ts";
import type { ProducedFields } from "./produce-document.ts";
import { type ProductionRow, findFamilyRanges, findFirstNumbers, producedRows } from "./store.ts";

/*
 * The load files of a volume, as programs for reviewing documents read them. A DAT file has a line for each document,
 * in the form of Concordance: values between þ, divided by the control character DC4. An OPT file, in the form of
 * Opticon, has a line for each image.
 */

const quote = "\u00fe";
const divider = "\u0014";
/** Stands for an end of a line within a value. */
const newline = "\u00ae";

export const columns = [
  "BEGBATES",
  "ENDBATES",
  "BEGATTACH",
  "ENDATTACH",
  "PARENTID",
  "PAGECOUNT",
  "CUSTODIAN",
  "TITLE",
  "FROM",
  "TO",
  "CC",
  "SUBJECT",
  "DATESENT",
  "FILENAME",
  "FILEPATH",
  "FILEEXT",
  "MD5HASH",
  "SHA1HASH",
  "REDACTED",
  "CONFIDENTIALITY",
  "REMARK",
  "TEXTPATH",
  "NATIVEPATH",
] as const;

/** The mark by which programs know UTF-8. */
const byteOrderMark = "\ufeff";

/** A value as the file has it. A þ within it would end it. */
const datValue = (value: string): string =>
  `${quote}${value
    .replaceAll(divider, " ")
    .replaceAll(quote, "th")
    .replaceAll(/\r\n|\r|\n/g, newline)}${quote}`;

const datLine = (values: readonly string[]): string => `${values.map(datValue).join(divider)}\r\n`;

/** A path in the volume, as programs on Windows write it. */
const shownPath = (volume: string, path: string | undefined): string =>
  path === undefined ? "" : `${volume}\\${path.replaceAll("/", "\\")}`;

/** The lines of the DAT file, a batch at a time. */
export async function* datFile(
  database: Pick<Database, "reader">,
  production: ProductionRow,
): AsyncGenerator<Buffer> {
  const families = await findFamilyRanges(database.reader, production.id);
  const number = (value: number): string => written(production, value);
  yield Buffer.from((production.has_mark ? byteOrderMark : "") + datLine(columns));
  for await (const rows of producedRows(database.reader, production.id)) {
    const parents = rows.flatMap(({ parent_id }) => parent_id ?? []);
    const parentNumbers = await findFirstNumbers(database.reader, production.id, parents);
    const lines = rows.map((row) => {
      const fields = JSON.parse(row.fields) as ProducedFields;
      const family = families.get(row.root_id);
      const parent = parentNumbers.get(row.parent_id ?? 0);
      const last = lastNumber(row);
      const values: Readonly<Record<(typeof columns)[number], string | undefined>> = {
        BEGBATES: number(row.first_number),
        ENDBATES: number(last),
        BEGATTACH: family && number(family.first),
        ENDATTACH: family && number(family.last),
        PARENTID: parent === undefined ? "" : number(parent),
        PAGECOUNT: String(last - row.first_number + 1),
        CUSTODIAN: fields.custodian,
        TITLE: fields.title,
        FROM: fields.from,
        TO: fields.to,
        CC: fields.cc,
        SUBJECT: fields.subject,
        DATESENT: fields.sent,
        FILENAME: fields.fileName,
        FILEPATH: fields.filePath,
        FILEEXT: fields.extension,
        MD5HASH: fields.md5,
        SHA1HASH: fields.sha1,
        REDACTED: fields.isRedacted === true ? "Yes" : "No",
        CONFIDENTIALITY: production.endorsement,
        REMARK: row.reason ?? "",
        TEXTPATH: shownPath(production.volume, fields.textPath),
        NATIVEPATH: shownPath(production.volume, fields.nativePath),
      };
      return datLine(columns.map((column) => values[column] ?? ""));
    });
    yield Buffer.from(lines.join(""));
  }
}

/** The lines of the OPT file. A PDF is one image with several pages. */
export async function* optFile(
  database: Pick<Database, "reader">,
  production: ProductionRow,
): AsyncGenerator<Buffer> {
  const { volume } = production;
  for await (const rows of producedRows(database.reader, production.id)) {
    const lines = rows.flatMap((row) => {
      const images = (JSON.parse(row.files) as VolumeFile[]).filter(({ path }) => path.startsWith("IMAGES/"));
      return images.map(({ path }, index) => {
        const pages = index === 0 ? String(lastNumber(row) - row.first_number + 1) : "";
        const number = written(production, row.first_number + index);
        return `${number},${volume},${shownPath(volume, path)},${index === 0 ? "Y" : ""},,,${pages}\r\n`;
      });
    });
    yield Buffer.from(lines.join(""));
  }
}
