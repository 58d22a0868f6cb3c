import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Certificate, Disposition, RetentionRule } from "../../contract/keeping.ts";
import { retentionLimits } from "../../contract/limits.ts";
import { Dialog } from "../../viewer/dialog.tsx";
import { Draft } from "../../viewer/form/draft.ts";
import { ChoiceField, TextField } from "../../viewer/form/field.tsx";
import { Form } from "../../viewer/form/form.tsx";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { texts as viewerTexts } from "../../viewer/texts/texts.ts";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import { adminTexts } from "../model/admin-texts.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { AddForm, AdminList, AdminPage, AdminRow, RowButton, useFresh } from "./parts.tsx";

const words = adminTexts.retention;
const folder = "admin/retention_rules/";
const dispositions = "admin/dispositions/";

type Rules = AdminResource<ListAnswer<RetentionRule>>;
type Proposals = AdminResource<ListAnswer<Disposition>>;

/** The page on which administrators say how long documents are kept, and decide about what has run out. */
export function RetentionPage({ api }: { api: DeskApi }) {
  const rules = useMemo<Rules>(() => new AdminResource(api, folder), [api]);
  const proposals = useMemo<Proposals>(() => new AdminResource(api, `${dispositions}?state=proposed`), [api]);
  const certificates = useMemo(
    () => new AdminResource<ListAnswer<Certificate>>(api, "admin/certificates/"),
    [api],
  );
  const resources = useMemo(() => [rules, proposals, certificates], [rules, proposals, certificates]);
  const approved = useSignal<readonly Disposition[]>([]);
  useEffect(() => void Promise.all(resources.map((resource) => resource.load())), [resources]);
  useFresh(resources, rules.answer.value?.results.some((rule) => rule.approved > 0) === true);
  const keep = async ({ id }: Disposition): Promise<void> => {
    await rules.act("POST", dispositions, { decision: "keep", dispositions: [id] }, words.isKept);
    await proposals.refresh();
  };
  const shown = proposals.answer.value?.results ?? [];
  return (
    <AdminPage api={api} current="retention" message={rules.message}>
      <p class="help">{words.help}</p>
      <NewRule rules={rules} />
      <RuleList rules={rules} onEnd={() => void proposals.load()} />
      <h2>{words.proposals}</h2>
      <AdminList resource={proposals} label={words.proposals}>
        {(one) => (
          <AdminRow
            key={one.id}
            title={titleOf(one)}
            facts={[words.pages(one.pages), words.dueAt(momentInWords(one.due_at)), words.rule(one.rule)]}
          >
            <RowButton action={words.keep} of={titleOf(one)} onClick={() => void keep(one)} />
            <RowButton
              action={words.approve}
              of={titleOf(one)}
              isDangerous
              onClick={() => (approved.value = [one])}
            />
          </AdminRow>
        )}
      </AdminList>
      {shown.length > 1 && (
        <p class="buttons">
          <button type="button" class="button" onClick={() => (approved.value = shown)}>
            {words.approveShown(shown.length)}
          </button>
        </p>
      )}
      <CertificateList certificates={certificates} />
      {approved.value.length > 0 && (
        <ApproveDialog
          chosen={approved.value}
          rules={rules}
          onClose={() => {
            approved.value = [];
            void proposals.refresh();
          }}
        />
      )}
    </AdminPage>
  );
}

function RuleList({ rules, onEnd }: { rules: Rules; onEnd: () => void }) {
  return (
    <>
      <h2>{words.list}</h2>
      <AdminList resource={rules} label={words.list}>
        {(rule) => (
          <AdminRow key={rule.id} title={rule.name} facts={factsOf(rule)}>
            {rule.ended_at === null && (
              <RowButton
                action={words.end}
                of={rule.name}
                onClick={() =>
                  void rules.act("DELETE", `${folder}${rule.id}/`, undefined, words.isEnded).then(onEnd)
                }
              />
            )}
          </AdminRow>
        )}
      </AdminList>
    </>
  );
}

function CertificateList({ certificates }: { certificates: AdminResource<ListAnswer<Certificate>> }) {
  return (
    <>
      <h2>{words.certificates}</h2>
      <AdminList resource={certificates} label={words.certificates}>
        {(one) => (
          <AdminRow
            key={one.id}
            title={one.title}
            facts={[
              words.document(one.document),
              words.pages(one.pages),
              one.file_hash !== "" && words.hash(one.file_hash),
              words.byRule(one.rule),
              words.deletedAt(momentInWords(one.at)),
              words.approvedAt(momentInWords(one.approved_at), one.approved_by),
            ]}
          />
        )}
      </AdminList>
    </>
  );
}

const titleOf = ({ title, document }: Disposition): string => title ?? words.document(document);

const factsOf = ({ query, project, period, unit, starts, data_key, ...rule }: RetentionRule) => [
  query !== null && words.ofQuery(query),
  project !== null && words.ofProject(project),
  words.periods[unit](period),
  starts === "data" ? words.fromData(data_key ?? "") : words.starts[starts],
  rule.proposed > 0 && words.proposed(rule.proposed),
  rule.approved > 0 && words.approved(rule.approved),
  rule.kept > 0 && words.kept(rule.kept),
  rule.ended_at !== null && words.endedAt(momentInWords(rule.ended_at)),
];

const options = {
  limits: { name: retentionLimits.name, data_key: retentionLimits.dataKey },
  aliases: { project: "covered", query: "covered", non_field_errors: "covered" } as const,
  check: (values: RuleValues): [keyof RuleValues, string][] =>
    (["name", "covered", "period"] as const).flatMap((name) =>
      values[name].trim() === "" ? [[name, viewerTexts.form.needed]] : [],
    ),
  gone: adminTexts.notFound,
};

interface RuleValues {
  name: string;
  kind: "query" | "project";
  covered: string;
  period: string;
  unit: RetentionRule["unit"];
  starts: RetentionRule["starts"];
  data_key: string;
}

const blank: RuleValues = {
  name: "",
  kind: "query",
  covered: "",
  period: "10",
  unit: "years",
  starts: "created_at",
  data_key: "",
};

function NewRule({ rules }: { rules: Rules }) {
  const [draft] = useState(() => new Draft(blank, options));
  const { kind, starts: chosen } = draft.values.value;
  const create = async ({ kind: covers, covered, ...values }: RuleValues): Promise<void> => {
    await rules.api.send("POST", folder, { ...values, [covers]: covered.trim() });
    draft.reset();
    await rules.noteChange(words.created(values.name));
  };
  return (
    <AddForm title={words.add} draft={draft} send={create} submit={words.create}>
      <TextField field={draft.field("name")} label={words.name} isRequired />
      <ChoiceField
        field={draft.field("kind")}
        label={words.covers}
        choices={(["query", "project"] as const).map((one) => [one, words.kinds[one]])}
      />
      <TextField field={draft.field("covered")} label={words.coveredLabels[kind]} isRequired />
      <TextField field={draft.field("period")} label={words.period} type="number" min={1} isRequired />
      <ChoiceField
        field={draft.field("unit")}
        label={words.unit}
        choices={(["days", "months", "years"] as const).map((one) => [one, words.units[one]])}
      />
      <ChoiceField
        field={draft.field("starts")}
        label={words.startsLabel}
        choices={(["created_at", "published", "data"] as const).map((one) => [one, words.starts[one]])}
      />
      {chosen === "data" && (
        <TextField
          field={draft.field("data_key")}
          label={words.dataKey}
          help={words.dataKeyHelp}
          isRequired
        />
      )}
    </AddForm>
  );
}

/** Asks before documents are deleted for good. */
function ApproveDialog({
  chosen,
  rules,
  onClose,
}: {
  chosen: readonly Disposition[];
  rules: Rules;
  onClose: () => void;
}) {
  const [draft] = useState(() => new Draft({}, { gone: adminTexts.notFound }));
  const approve = async (): Promise<void> => {
    const ids = chosen.map(({ id }) => id);
    await rules.api.send("POST", dispositions, { decision: "approve", dispositions: ids });
    await rules.noteChange(words.areApproved(ids.length));
  };
  const send = async (): Promise<void> => {
    if (await draft.submit(approve)) onClose();
  };
  return (
    <Dialog title={words.approveTitle(chosen.length)} onClose={onClose}>
      <Form draft={draft} send={send} submit={words.approve} isDangerous onCancel={onClose}>
        <p>{words.approveHelp}</p>
      </Form>
    </Dialog>
  );
}
