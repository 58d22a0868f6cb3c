import { useEffect, useMemo } from "preact/hooks";
import type { Queue, ServerHealth } from "../../contract/administration.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { AdminResource } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { sizeInWords, texts } from "../model/texts.ts";
import { AdminPage, durationInWords, useFresh } from "./parts.tsx";

const words = adminTexts.overview;

/** The first page for administrators: the state of the server. */
export function OverviewPage({ api }: { api: DeskApi }) {
  const health = useMemo(() => new AdminResource<ServerHealth>(api, "admin/health/"), [api]);
  const queue = useMemo(() => new AdminResource<Queue>(api, "admin/queue/"), [api]);
  const resources = useMemo(() => [health, queue], [health, queue]);
  useEffect(() => {
    void health.load();
    void queue.load();
  }, [health, queue]);
  const facts = health.answer.value;
  const counts = queue.answer.value;
  // In this order, so that nothing moves when the first answer is the second one.
  const isAnswered = facts !== null || health.message.value.isProblem;
  useFresh(resources, (counts?.kinds.length ?? 0) > 0);
  return (
    <AdminPage api={api} current="" message={health.message}>
      {facts !== null && (
        <section aria-labelledby="health">
          <h2 id="health">{words.health}</h2>
          <dl class="admin-facts">
            <dt>{words.database}</dt>
            <dd>{`${words.engines[facts.engine] ?? facts.engine}: ${facts.database}`}</dd>
            <dt>{words.files}</dt>
            <dd>{facts.files}</dd>
            <dt>{words.disk}</dt>
            <dd>{words.diskOf(sizeInWords(facts.disk_free_bytes), sizeInWords(facts.disk_bytes))}</dd>
            <dt>{words.oldest}</dt>
            <dd>
              {facts.oldest_job_seconds === 0 ? words.noneDue : durationInWords(facts.oldest_job_seconds)}
            </dd>
            <dt>{words.backup}</dt>
            {facts.backups.length === 0 && <dd>{words.noBackup}</dd>}
            {facts.backups.map((run) => (
              <dd key={run.repository}>
                {words.backupOf(run.good_at === null ? null : ageInWords(run.good_at), run.repository)}
                {run.problem !== null && (
                  <p class="problem">{words.backupProblem(run.problem, momentInWords(run.ended_at))}</p>
                )}
              </dd>
            ))}
            <dt>{words.node}</dt>
            <dd>{facts.node}</dd>
          </dl>
        </section>
      )}
      {isAnswered && counts !== null && (
        <section aria-labelledby="queue">
          <h2 id="queue">{words.queue}</h2>
          <dl class="admin-facts">
            {counts.kinds.map((kind) => [
              <dt key={kind.kind}>{adminTexts.queue.kinds[kind.kind] ?? kind.kind}</dt>,
              <dd key={`${kind.kind} count`}>{adminTexts.queue.counts(kind)}</dd>,
            ])}
            <dt>{words.failed}</dt>
            <dd>{texts.formats.number(counts.failed)}</dd>
          </dl>
        </section>
      )}
    </AdminPage>
  );
}

const ageInWords = (time: string): string =>
  durationInWords(Math.max(0, Math.round((Date.now() - Date.parse(time)) / 1000)));
