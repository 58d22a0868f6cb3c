import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { AuditEntry } from "../../contract/keeping.ts";
import { ChoiceField, TextField, fieldOf } from "../../viewer/form/field.tsx";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { detailsInWords } from "../model/audit-words.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { AdminList, AdminPage, AdminRow, Filter } from "./parts.tsx";

const words = adminTexts.audit;
const list = "admin/audit_entries/";

function queryOf(values: Readonly<Record<string, { value: string }>>): string {
  const given = Object.entries(values).filter(([, { value }]) => value !== "");
  return new URLSearchParams(given.map(([name, { value }]) => [name, value])).toString();
}

/** The page on which administrators see who did what, and from which they download it. */
export function AuditPage({ api }: { api: DeskApi }) {
  const entries = useMemo(() => new AdminResource<ListAnswer<AuditEntry>>(api, list), [api]);
  const [since, until, user] = [useSignal(""), useSignal(""), useSignal("")];
  const [source, format] = [useSignal(""), useSignal("csv")];
  const limits = { since, until, user, source };
  const show = (): void => void entries.load(`${list}?${queryOf(limits)}`);
  useEffect(show, [entries]);
  return (
    <AdminPage api={api} current="audit" message={entries.message}>
      <p class="help">{words.help}</p>
      <Filter onSubmit={show}>
        <TextField field={fieldOf(since)} label={words.since} type="date" />
        <TextField field={fieldOf(until)} label={words.until} type="date" />
        <TextField field={fieldOf(user)} label={words.user} help={words.userHelp} type="number" min={1} />
        <ChoiceField
          field={fieldOf(source)}
          label={words.source}
          choices={[["", words.all], ...Object.entries(words.sources)]}
        />
        <ChoiceField
          field={fieldOf(format)}
          label={words.format}
          choices={[
            ["csv", words.csv],
            ["jsonl", words.jsonl],
          ]}
        />
        <p class="buttons">
          <button type="submit" class="button">
            {words.show}
          </button>
          <a
            class="button"
            href={`${api.options.api}admin/audit/?${queryOf({ as: format, ...limits })}`}
            download={`audit.${format.value}`}
          >
            {words.download}
          </a>
        </p>
      </Filter>
      <AdminList resource={entries} label={words.list}>
        {(entry) => (
          <AdminRow
            key={`${entry.source} ${entry.id} ${entry.action}`}
            title={words.of(actionOf(entry), entry.username ?? words.itself)}
            facts={[momentInWords(entry.at), entry.document !== null && words.document(entry.document)]}
            more={<Details of={entry} />}
          />
        )}
      </AdminList>
    </AdminPage>
  );
}

function actionOf({ source, action }: AuditEntry): string {
  if (source === "sign_in") return adminTexts.signIns.kinds[action] ?? action;
  return words.actions[`${source} ${action}`] ?? action;
}

/** What the log says besides. */
function Details({ of }: { of: AuditEntry }) {
  const lines = detailsInWords(of);
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>{words.details}</summary>
      <ul class="facts" dir="auto">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}
