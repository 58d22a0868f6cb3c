import { signal, useSignal } from "@preact/signals";
import { ChoiceField, TextField, fieldOf } from "../../viewer/form/field.tsx";
import { adminTexts } from "../model/admin-texts.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { AdminPage, Filter } from "./parts.tsx";

const words = adminTexts.audit;
const noMessage = signal({ text: "", isProblem: false });

/** The page from which administrators download who did what. */
export function AuditPage({ api }: { api: DeskApi }) {
  const [since, until, user, format] = [useSignal(""), useSignal(""), useSignal(""), useSignal("csv")];
  const query = new URLSearchParams(
    Object.entries({ as: format, since, until, user }).flatMap(([name, { value }]) =>
      value === "" ? [] : [[name, value]],
    ),
  );
  return (
    <AdminPage api={api} current="audit" message={noMessage}>
      <p class="help">{words.help}</p>
      <Filter>
        <TextField field={fieldOf(since)} label={words.since} type="date" />
        <TextField field={fieldOf(until)} label={words.until} type="date" />
        <TextField field={fieldOf(user)} label={words.user} help={words.userHelp} type="number" min={1} />
        <ChoiceField
          field={fieldOf(format)}
          label={words.format}
          choices={[
            ["csv", words.csv],
            ["jsonl", words.jsonl],
          ]}
        />
      </Filter>
      <p class="buttons">
        <a class="button" href={`${api.options.api}admin/audit/?${query}`} download={`audit.${format.value}`}>
          {words.download}
        </a>
      </p>
    </AdminPage>
  );
}
