import { useEffect, useMemo } from "preact/hooks";
import type { Mail } from "../../contract/administration.ts";
import type { RefusedMail } from "../../contract/person.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { texts } from "../model/texts.ts";
import { RowButton } from "../parts/row-button.tsx";
import { AdminList, AdminPage, AdminRow, useFresh } from "./parts.tsx";

const words = adminTexts.mail;

/** The page that shows which mails were sent, and which could not be sent. */
export function MailPage({
  api,
  hasMail,
  hasMailIn,
}: {
  api: DeskApi;
  hasMail: boolean;
  hasMailIn: boolean;
}) {
  const mails = useMemo(() => new AdminResource<ListAnswer<Mail>>(api, "admin/mails/"), [api]);
  const resources = useMemo(() => [mails], [mails]);
  useEffect(() => void mails.load(), [mails]);
  useFresh(resources, mails.answer.value?.results.some(({ state }) => state === "waiting") === true);
  return (
    <AdminPage api={api} current="mail" message={mails.message}>
      <p class="help">{hasMail ? words.help : words.notSetUp}</p>
      <AdminList resource={mails} label={words.list}>
        {(mail) => {
          const title = texts.of(words.kinds[mail.kind] ?? mail.kind, mail.username ?? "");
          const path = `admin/mails/${mail.id}/`;
          return (
            <AdminRow
              key={mail.id}
              title={title}
              facts={[
                words.states[mail.state] ?? mail.state,
                mail.sent_at === null
                  ? words.queued(momentInWords(mail.created_at))
                  : words.sent(momentInWords(mail.sent_at)),
                mail.problem,
              ]}
            >
              {mail.state === "failed" && (
                <RowButton
                  action={words.again}
                  of={title}
                  onClick={() => void mails.act("POST", path, {}, words.isQueued)}
                />
              )}
              <RowButton
                action={words.remove}
                of={title}
                isDangerous
                onClick={() => void mails.act("DELETE", path, undefined, words.isRemoved)}
              />
            </AdminRow>
          );
        }}
      </AdminList>
      {hasMailIn && <RefusedMails api={api} />}
    </AdminPage>
  );
}

/** The mails to addresses of people that did not become documents. */
function RefusedMails({ api }: { api: DeskApi }) {
  const refused = useMemo(
    () => new AdminResource<ListAnswer<RefusedMail>>(api, "admin/refused_mails/"),
    [api],
  );
  useEffect(() => void refused.load(), [refused]);
  if (refused.answer.value?.results.length === 0) return null;
  return (
    <>
      <h2>{words.refused}</h2>
      <p class="help">{words.refusedHelp}</p>
      <AdminList resource={refused} label={words.refused}>
        {({ id, sender, username, reason, way, times, arrived_at }) => (
          <AdminRow
            key={id}
            title={sender === "" ? words.unknownSender : sender}
            facts={[
              username === null ? null : words.refusedTo(username),
              reason,
              words.refusedAt(momentInWords(arrived_at), way.toUpperCase()),
              words.refusedTimes(times),
            ]}
          />
        )}
      </AdminList>
    </>
  );
}
