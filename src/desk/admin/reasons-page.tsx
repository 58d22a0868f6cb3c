import { useEffect, useMemo, useState } from "preact/hooks";
import { reasonLimits } from "../../contract/limits.ts";
import type { OwnReason } from "../../contract/withheld.ts";
import { Draft } from "../../viewer/form/draft.ts";
import { TextField } from "../../viewer/form/field.tsx";
import { AdminResource } from "../model/admin-resource.ts";
import { adminTexts } from "../model/admin-texts.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { texts } from "../model/texts.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { AddForm, AdminPage, AdminRow, RowButton } from "./parts.tsx";

const words = adminTexts.reasons;
const path = "admin/redaction_reasons/";

const blank: OwnReason = { code: "", label: "" };

const options = {
  limits: { code: reasonLimits.code, label: reasonLimits.label },
  check: (reason: OwnReason): ["code" | "label", string][] =>
    (["code", "label"] as const).flatMap((name) =>
      reason[name].trim() === "" ? [[name, viewerTexts.form.needed]] : [],
    ),
  gone: adminTexts.notFound,
};

/** The page on which administrators add reasons for redactions to those that every installation has. */
export function ReasonsPage({ api }: { api: DeskApi }) {
  const reasons = useMemo(() => new AdminResource<OwnReason[]>(api, path), [api]);
  const [draft] = useState(() => new Draft(blank, options));
  useEffect(() => void reasons.load(), [reasons]);
  const own = reasons.answer.value ?? [];
  // The API takes the whole list: what another administrator has added meanwhile stays.
  const add = async (reason: OwnReason): Promise<void> => {
    await api.send("PUT", path, [...(await api.get<OwnReason[]>(path)), reason]);
    await reasons.noteChange(words.added);
    draft.reset();
  };
  const remove = async (code: string): Promise<void> => {
    await reasons.load();
    const others = (reasons.answer.value ?? own).filter((reason) => reason.code !== code);
    await reasons.act("PUT", path, others, words.removed);
  };
  return (
    <AdminPage api={api} current="reasons" message={reasons.message}>
      <p class="help">{words.help}</p>
      <AddForm title={words.add} draft={draft} send={add} submit={words.add}>
        <TextField field={draft.field("code")} label={words.code} help={words.codeHelp} isRequired />
        <TextField field={draft.field("label")} label={words.meaning} isRequired />
      </AddForm>
      <section aria-label={words.list}>
        {reasons.answer.value === null && <p>{texts.loading}</p>}
        {reasons.answer.value !== null && own.length === 0 && <p class="notice">{adminTexts.nothing}</p>}
        <ul class="admin-rows">
          {own.map(({ code, label }) => (
            <AdminRow key={code} title={code} facts={[label]}>
              <RowButton action={texts.remove} of={code} isDangerous onClick={() => void remove(code)} />
            </AdminRow>
          ))}
        </ul>
      </section>
    </AdminPage>
  );
}
