import { useSignal } from "@preact/signals";
import type { Examination } from "../../contract/administration.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { useEffect, useId, useMemo } from "preact/hooks";
import { AdminResource } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { CheckField, fieldOf } from "../../viewer/form/field.tsx";
import { AdminPage, AdminRow, useFresh } from "./parts.tsx";

const words = adminTexts.checks;

/** The page on which administrators have the server compare its database, files and index. */
export function ChecksPage({ api }: { api: DeskApi }) {
  const id = useId();
  const path = "admin/examination/";
  const examination = useMemo(() => new AdminResource<Examination>(api, path), [api]);
  const resources = useMemo(() => [examination], [examination]);
  const hashes = useSignal(false);
  useEffect(() => void examination.load(), [examination]);
  const begin = (repairs: boolean): Promise<unknown> =>
    examination.act("POST", path, { repairs, hashes: hashes.value }, words.isRequested);
  const facts = examination.answer.value;
  useFresh(resources, facts?.is_running === true);
  return (
    <AdminPage api={api} current="checks" message={examination.message}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void begin(false);
        }}
      >
        <p>{words.intro}</p>
        <CheckField label={words.hashes} field={fieldOf(hashes)} />
        <p class="buttons">
          <button class="button primary" disabled={facts?.is_running === true}>
            {words.check}
          </button>
          <button
            type="button"
            class="button"
            disabled={facts?.is_running === true}
            onClick={() => void begin(true)}
          >
            {words.repair}
          </button>
        </p>
      </form>
      {facts !== null && (
        <section aria-labelledby={id}>
          <h2 id={id}>{words.findings}</h2>
          <p>{stateInWords(facts)}</p>
          {facts.findings.length > 0 && (
            <ul class="admin-rows">
              {facts.findings.map((finding) => (
                <AdminRow
                  key={finding.id}
                  title={finding.what}
                  facts={[words.outcomes[finding.outcome] ?? finding.outcome, finding.problem]}
                />
              ))}
            </ul>
          )}
        </section>
      )}
    </AdminPage>
  );
}

function stateInWords(facts: Examination): string {
  if (facts.is_running) return words.running(facts.examined, facts.documents);
  if (facts.problem !== null) return words.givenUp(facts.problem);
  if (facts.ended_at === null) return words.never;
  const outcome = facts.found === 0 ? words.nothing : words.found(facts.found, facts.mended);
  return `${words.ended(momentInWords(facts.ended_at))} ${outcome}`;
}
