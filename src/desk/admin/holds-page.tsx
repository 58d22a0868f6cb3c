import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Hold } from "../../contract/keeping.ts";
import { holdLimits } from "../../contract/limits.ts";
import { Dialog } from "../../viewer/dialog.tsx";
import { Draft } from "../../viewer/form/draft.ts";
import { ChoiceField, TextField } from "../../viewer/form/field.tsx";
import { Form } from "../../viewer/form/form.tsx";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import { adminTexts } from "../model/admin-texts.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { AddForm, AdminList, AdminPage, AdminRow, RowButton } from "./parts.tsx";

const words = adminTexts.holds;
const folder = "holds/";

type Holds = AdminResource<ListAnswer<Hold>>;
type Covered = "query" | "project" | "documents";
interface HoldValues {
  name: string;
  reason: string;
  kind: Covered;
  covered: string;
}

/** The page on which administrators set legal holds and release them. */
export function HoldsPage({ api }: { api: DeskApi }) {
  const holds = useMemo<Holds>(() => new AdminResource(api, folder), [api]);
  const released = useSignal<Hold | null>(null);
  useEffect(() => void holds.load(), [holds]);
  return (
    <AdminPage api={api} current="holds" message={holds.message}>
      <p class="help">{words.help}</p>
      <NewHold holds={holds} />
      <AdminList resource={holds} label={words.list}>
        {(hold) => (
          <AdminRow key={hold.id} title={hold.name} facts={factsOf(hold)}>
            {hold.released_at === null && (
              <RowButton action={words.release} of={hold.name} onClick={() => (released.value = hold)} />
            )}
          </AdminRow>
        )}
      </AdminList>
      {released.value !== null && (
        <ReleaseDialog hold={released.value} holds={holds} onClose={() => (released.value = null)} />
      )}
    </AdminPage>
  );
}

const factsOf = ({ reason, query, project, organization, count, ...at }: Hold) => [
  reason,
  query !== null && words.ofQuery(query),
  project !== null && words.ofProject(project),
  query === null && project === null && words.ofDocuments,
  organization !== null && words.ofOrganization(organization),
  at.released_at === null && words.count(count),
  words.setAt(momentInWords(at.created_at)),
  at.released_at !== null && words.releasedAt(momentInWords(at.released_at)),
];

const options = {
  limits: { name: holdLimits.name, reason: holdLimits.reason },
  aliases: {
    documents: "covered",
    project: "covered",
    query: "covered",
    non_field_errors: "covered",
  } as const,
  check: (values: HoldValues): [keyof HoldValues, string][] =>
    (["name", "reason", "covered"] as const).flatMap((name) =>
      values[name].trim() === "" ? [[name, viewerTexts.form.needed]] : [],
    ),
  gone: adminTexts.notFound,
};

/** What is covered, as the API takes it. */
function coverOf({ kind, covered }: HoldValues): object {
  if (kind === "query") return { query: covered };
  return kind === "project"
    ? { project: covered.trim() }
    : { documents: covered.split(/[\s,;]+/).filter(Boolean) };
}

function NewHold({ holds }: { holds: Holds }) {
  const [draft] = useState(
    () => new Draft<HoldValues>({ name: "", reason: "", kind: "query", covered: "" }, options),
  );
  const { kind } = draft.values.value;
  const set = async (values: HoldValues): Promise<void> => {
    const { name, reason } = values;
    await holds.api.send("POST", folder, { name, reason, ...coverOf(values) });
    draft.reset();
    await holds.noteChange(words.isSet(name));
  };
  return (
    <AddForm title={words.add} draft={draft} send={set} submit={words.set}>
      <TextField field={draft.field("name")} label={words.name} isRequired />
      <TextField field={draft.field("reason")} label={words.reason} help={words.reasonHelp} isRequired />
      <ChoiceField
        field={draft.field("kind")}
        label={words.covers}
        choices={(["query", "project", "documents"] as const).map((one) => [one, words.kinds[one]])}
      />
      <TextField
        field={draft.field("covered")}
        label={words.coveredLabels[kind]}
        help={words.coveredHelp[kind]}
        isRequired
      />
    </AddForm>
  );
}

/** Asks before a hold is released: what it covered may be deleted from then on. */
function ReleaseDialog({
  hold: { id, name },
  holds,
  onClose,
}: {
  hold: Hold;
  holds: Holds;
  onClose: () => void;
}) {
  const [draft] = useState(() => new Draft({}, { gone: adminTexts.notFound }));
  const release = async (): Promise<void> => {
    await holds.api.send("DELETE", `${folder}${id}/`);
    await holds.noteChange(words.released(name));
  };
  const send = async (): Promise<void> => {
    if (await draft.submit(release)) onClose();
  };
  return (
    <Dialog title={words.releaseTitle(name)} onClose={onClose}>
      <Form draft={draft} send={send} submit={words.release} isDangerous onCancel={onClose}>
        <p>{words.releaseHelp}</p>
      </Form>
    </Dialog>
  );
}
