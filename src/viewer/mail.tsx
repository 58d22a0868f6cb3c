import { useEffect, useState } from "preact/hooks";
import { AnswerError, type Mail, type MailPerson } from "./model/api.ts";
import type { Reading } from "./model/reading.ts";

/** The headers and attachments of a document whose original is an email message. Its text is on the pages. */
export function MailPanel({ reading }: { reading: Reading }) {
  const [mail, setMail] = useState<Mail | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    reading.api.mail().then(setMail, (error: unknown) => {
      const reason = error instanceof AnswerError ? error.reason : null;
      setFault(`The message could not be read${reason === null ? "." : `: ${reason}`}`);
    });
  }, []);
  if (fault !== null) return <p class="problem">{fault}</p>;
  if (mail === null) return <p class="quiet">Loading…</p>;
  const facts: readonly (readonly [string, string])[] = [
    ["From", people(mail.from)],
    ["To", people(mail.to)],
    ["Cc", people(mail.cc)],
    ["Bcc", people(mail.bcc)],
    ["Subject", mail.subject],
    ["Date", dateInWords(mail.date)],
  ];
  return (
    <>
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
      </dl>
      <h3>Attachments</h3>
      {mail.attachments.length === 0 ? (
        <p class="quiet">None</p>
      ) : (
        <>
          <ul class="attachments">
            {mail.attachments.map(({ name, content_type, size }, index) => (
              <li key={index}>
                <bdi>{name === "" ? "Unnamed" : name}</bdi>
                <span class="quiet">
                  {" "}
                  {content_type}, {bytesInWords(size)}
                </span>
              </li>
            ))}
          </ul>
          <p class="quiet">To get them, download the original file under "About".</p>
        </>
      )}
      <details>
        <summary>All headers</summary>
        <dl class="facts mail-headers">
          {mail.headers.map(({ name, value }, index) => (
            <div key={index}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function people(list: readonly MailPerson[]): string {
  return list.map(({ name, address }) => (name === "" ? address : `${name} <${address}>`)).join(", ");
}

/** A date in the reader's language and time zone. An invalid date is returned unchanged. */
function dateInWords(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return text;
  return new Intl.DateTimeFormat(undefined, { dateStyle: "long", timeStyle: "short" }).format(date);
}

function bytesInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, "kB"] : [bytes / 1_000_000, "MB"];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}
