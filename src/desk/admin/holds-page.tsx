import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { HeldDocument, Hold } from "../../contract/keeping.ts";
import { holdLimits } from "../../contract/limits.ts";
import type { OwnDeskOptions } from "../../contract/page-options.ts";
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
  /** The id of the only organization whose documents are covered; empty for all. */
  organization: string;
}

interface HoldsPageProps extends Pick<OwnDeskOptions<"admin">, "isAdministrator" | "organizations"> {
  api: DeskApi;
}

/** The page on which administrators, and the admins of organizations, set legal holds and release them. */
export function HoldsPage({ api, isAdministrator, organizations }: HoldsPageProps) {
  const holds = useMemo<Holds>(() => new AdminResource(api, folder), [api]);
  const released = useSignal<Hold | null>(null);
  useEffect(() => void holds.load(), [holds]);
  return (
    <AdminPage api={api} current="holds" message={holds.message} isAlone={!isAdministrator}>
      <p class="help">{words.help}</p>
      <NewHold holds={holds} isAdministrator={isAdministrator} organizations={organizations} />
      <AdminList resource={holds} label={words.list}>
        {(hold) => (
          <AdminRow
            key={hold.id}
            title={hold.name}
            facts={factsOf(hold)}
            more={hold.count > 0 && <HeldDocuments api={api} hold={hold} />}
          >
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

/** The documents that a hold has found, which are read when they are unfolded. */
function HeldDocuments({ api, hold: { id, name } }: { api: DeskApi; hold: Hold }) {
  const held = useMemo(
    () => new AdminResource<ListAnswer<HeldDocument>>(api, `${folder}${id}/documents/`),
    [api, id],
  );
  return (
    <details onToggle={({ currentTarget: { open } }) => open && void held.load()}>
      <summary>{words.documents}</summary>
      <AdminList resource={held} label={words.documentsOf(name)}>
        {(one) => (
          <AdminRow
            key={one.document}
            title={
              one.is_deleted ? (
                one.title
              ) : (
                <a href={api.pageAddress(`documents/${one.document}/`)}>{one.title}</a>
              )
            }
            facts={[words.document(one.document), words.pages(one.pages), one.is_deleted && words.inTrash]}
          />
        )}
      </AdminList>
    </details>
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

function NewHold({ holds, isAdministrator, organizations }: Omit<HoldsPageProps, "api"> & { holds: Holds }) {
  const only = isAdministrator ? "" : String(organizations[0]?.id ?? "");
  const [draft] = useState(
    () =>
      new Draft<HoldValues>(
        { name: "", reason: "", kind: "query", covered: "", organization: only },
        options,
      ),
  );
  const { kind } = draft.values.value;
  const set = async (values: HoldValues): Promise<void> => {
    const { name, reason, organization } = values;
    const of = organization === "" ? {} : { organization: Number(organization) };
    await holds.api.send("POST", folder, { name, reason, ...of, ...coverOf(values) });
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
      {organizations.length > 0 && (
        <ChoiceField
          field={draft.field("organization")}
          label={words.organization}
          choices={[
            ...(isAdministrator ? [["", words.allOrganizations] as const] : []),
            ...organizations.map(({ id, name }) => [String(id), name] as const),
          ]}
        />
      )}
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
