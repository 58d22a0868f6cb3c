import { useEffect, useId, useMemo } from "preact/hooks";
import type { StorageUse } from "../../contract/administration.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { AdminResource } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { sizeInWords } from "../model/texts.ts";
import { AdminPage, AdminRow, useFresh } from "./parts.tsx";

const words = adminTexts.storage;

/** The page that shows how much storage each person and project takes. */
export function StoragePage({ api }: { api: DeskApi }) {
  const storage = useMemo(() => new AdminResource<StorageUse>(api, "admin/storage/"), [api]);
  const resources = useMemo(() => [storage], [storage]);
  useEffect(() => void storage.load(), [storage]);
  const facts = storage.answer.value;
  useFresh(resources, facts?.is_measuring === true);
  return (
    <AdminPage api={api} current="storage" message={storage.message}>
      {facts !== null && (
        <>
          <div>
            <p>
              {facts.measured_at === null
                ? words.notMeasured
                : words.measured(momentInWords(facts.measured_at))}
            </p>
            {facts.is_measuring && <p>{words.measuring}</p>}
            <p class="help">{words.help}</p>
            <p class="buttons admin-pages">
              <button
                type="button"
                class="button"
                disabled={facts.is_measuring}
                onClick={() => void storage.act("POST", "admin/storage/", {}, words.isRequested)}
              >
                {words.measure}
              </button>
            </p>
          </div>
          <Limits limits={facts.limits} />
          {facts.measured_at !== null && (
            <>
              <Total figures={facts.total} />
              <FigureList title={words.users} rows={facts.users} />
              <FigureList title={words.organizations} rows={facts.organizations} />
              <FigureList title={words.projects} rows={facts.projects} />
            </>
          )}
        </>
      )}
    </AdminPage>
  );
}

/** Nothing where settings set no limits. */
function Limits({ limits }: Pick<StorageUse, "limits">) {
  const id = useId();
  const megabyte = 1024 * 1024;
  const sentences = [
    limits.person_megabytes > 0 && words.personBytes(limits.person_megabytes * megabyte),
    limits.person_pages_per_day > 0 && words.personPages(limits.person_pages_per_day),
    limits.organization_megabytes > 0 && words.organizationBytes(limits.organization_megabytes * megabyte),
    limits.organization_pages_per_day > 0 && words.organizationPages(limits.organization_pages_per_day),
  ].filter((sentence) => sentence !== false);
  if (sentences.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.limits}</h2>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  );
}

function Total({ figures }: { figures: StorageUse["total"] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.total}</h2>
      <p>{factsOf(figures).join(", ")}</p>
    </section>
  );
}

const factsOf = ({ bytes, documents, pages }: StorageUse["total"]): string[] => [
  sizeInWords(bytes),
  adminTexts.queue.documents(documents),
  words.pages(pages),
];

function FigureList({ title, rows }: { title: string; rows: StorageUse["users"] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 && <p>{adminTexts.nothing}</p>}
      {rows.length > 0 && (
        <ul class="admin-rows">
          {rows.map((row) => (
            <AdminRow key={row.id} title={row.name} facts={factsOf(row)} />
          ))}
        </ul>
      )}
    </section>
  );
}
