import { useEffect, useState } from "preact/hooks";
import type { DocumentMail, MailPerson } from "../contract/document.ts";
import type { ViewerState } from "./state/viewer-state.ts";
import { RefusedError } from "./model/send.ts";
import { momentInWords } from "./texts/moments.ts";
import { texts } from "./texts/texts.ts";

/** The headers and attachments of a document whose original is an email message. Its text is on the pages. */
export function MailPanel({ viewer }: { viewer: ViewerState }) {
  const [mail, setMail] = useState<DocumentMail | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    viewer.api.mail().then(setMail, (error: unknown) => {
      const reason = error instanceof RefusedError ? error.fields.get("error") : undefined;
      setFault(texts.mailUnreadable(reason ?? null));
    });
  }, []);
  if (fault !== null) return <p class="problem">{fault}</p>;
  if (mail === null) return <p class="quiet">{texts.loading}</p>;
  const facts: readonly (readonly [string, string])[] = [
    [texts.mailFields.from, people(mail.from)],
    [texts.mailFields.to, people(mail.to)],
    [texts.mailFields.cc, people(mail.cc)],
    [texts.mailFields.bcc, people(mail.bcc)],
    [texts.mailFields.subject, mail.subject],
    [texts.mailFields.date, dateInWords(mail.date)],
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
      <h3>{texts.attachments}</h3>
      {mail.attachments.length === 0 ? (
        <p class="quiet">{texts.noAttachments}</p>
      ) : (
        <>
          <ul class="attachments">
            {mail.attachments.map(({ name, content_type, size }, index) => (
              <li key={index}>
                <bdi>{name === "" ? texts.unnamed : name}</bdi>
                <span class="quiet">
                  {" "}
                  {content_type}, {texts.formats.bytes(size, texts.bytes)}
                </span>
              </li>
            ))}
          </ul>
          <p class="quiet">{texts.attachmentHelp}</p>
        </>
      )}
      <details>
        <summary>{texts.allHeaders}</summary>
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
  return list
    .map(({ name, address }) => (name !== "" && address !== "" ? `${name} <${address}>` : name || address))
    .join(", ");
}

/** The moment of a header. An invalid date is returned unchanged. */
function dateInWords(text: string): string {
  return Number.isNaN(Date.parse(text)) ? text : momentInWords(text);
}
