import { isUtf8 } from "../text-encoding.ts";

/*
 * Old programs wrote the letters of headers, and of texts too, without saying in which encoding. The parser of mails
 * takes them for UTF-8.
 */

/** In bytes: enough for the headers of the parts that have the text. */
const sample = 65_536;

/** The mail with its headers in UTF-8, and with its text too if nothing says what that is in. */
export function withLettersInUtf8(mail: Uint8Array, headers: Uint8Array): Uint8Array {
  const isBodyDeclared =
    /^content-type:\s*(?!text\/)\w|\bcharset\s*=|^content-transfer-encoding:\s*(?:base64|quoted)/im;
  const body = mail.subarray(headers.length);
  const isBodySound = isBodyDeclared.test(latin1(headers)) || isUtf8(body);
  const areHeadersSound = isUtf8(headers);
  if (areHeadersSound && isBodySound) return mail;
  const decoder = new TextDecoder(encodingOf(mail));
  const inUtf8 = (bytes: Uint8Array): Uint8Array => Buffer.from(decoder.decode(bytes));
  return Buffer.concat([areHeadersSound ? headers : inUtf8(headers), isBodySound ? body : inUtf8(body)]);
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

/** The first encoding that the mail names, if it is not Unicode; else that of Western Europe. */
function encodingOf(mail: Uint8Array): string {
  const [, charset = ""] = /\bcharset\s*=\s*"?([\w.:-]+)/i.exec(latin1(mail.subarray(0, sample))) ?? [];
  try {
    const { encoding } = new TextDecoder(charset);
    if (!encoding.startsWith("utf")) return encoding;
  } catch {
    // The mail names an encoding that nobody knows.
  }
  return "windows-1252";
}
