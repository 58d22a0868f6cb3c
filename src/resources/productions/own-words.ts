import type { Context } from "../../context.ts";
import { extensionsWith } from "../../file-kinds.ts";
import { UnreadableFileError } from "../../processing/unreadable-file.ts";
import { findOriginal } from "../documents/files/original-file.ts";
import type { DocumentRow } from "../documents/store.ts";

/** What a load file says of a document besides its numbers and paths. All texts may be empty. */
export interface OwnWords {
  custodian: string;
  title: string;
  from: string;
  to: string;
  cc: string;
  subject: string;
  /** In ISO 8601, UTC. */
  sent: string;
  fileName: string;
  filePath: string;
  extension: string;
}

const inMail = (values: readonly string[] | undefined): string => (values ?? []).join("; ");

/** What a document says of itself: its title, where its file was, and who wrote it to whom if it is a mail. */
export async function ownWords(
  context: Pick<Context, "converter" | "files">,
  row: DocumentRow,
  signal: AbortSignal,
): Promise<OwnWords> {
  const data = JSON.parse(row.data) as Readonly<Record<string, readonly string[] | undefined>>;
  const { title, original_extension: extension } = row;
  const [path = ""] = data["path"] ?? [];
  const name = path.split("/").at(-1) ?? "";
  const named = title.toLowerCase().endsWith(`.${extension}`) ? title : `${title}.${extension}`;
  const date = Date.parse(data["mail_date"]?.[0] ?? "");
  const people = extensionsWith("mail").includes(extension)
    ? await peopleOf(context, row, signal)
    : { from: "", to: "", cc: "" };
  return {
    custodian: inMail(data["custodian"]) || row.source,
    title,
    ...people,
    from: people.from || inMail(data["mail_from"]),
    to: people.to || inMail(data["mail_to"]),
    subject: inMail(data["mail_subject"]),
    sent: Number.isNaN(date) ? "" : new Date(date).toISOString().replace(/\.\d+Z$/, "Z"),
    fileName: name === "" ? named : name,
    filePath: path,
    extension,
  };
}

/** Who wrote a mail to whom, with their names: the mail itself says it. Empty if it cannot be read any more. */
async function peopleOf(
  { converter, files }: Pick<Context, "converter" | "files">,
  row: DocumentRow,
  signal: AbortSignal,
): Promise<Pick<OwnWords, "from" | "to" | "cc">> {
  const original = await findOriginal(files, row);
  await using file = original === null ? null : await files.borrow(original.key);
  if (file === null) return { from: "", to: "", cc: "" };
  try {
    const mail = await converter.mailParts({ from: file.path, extension: row.original_extension, signal });
    return { from: listed(mail.from), to: listed(mail.to), cc: listed(mail.cc) };
  } catch (error) {
    if (error instanceof UnreadableFileError) return { from: "", to: "", cc: "" };
    throw error;
  }
}

const listed = (people: readonly { name: string; address: string }[]): string =>
  inMail(people.map(({ name, address }) => (name === "" ? address : `${name} <${address}>`)));
