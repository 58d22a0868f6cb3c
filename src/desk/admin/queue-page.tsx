import { useSignal } from "@preact/signals";
import { failureKindOf } from "../../texts/failure-kinds.ts";
import type { Failure, Queue, QueuedJob } from "../../contract/administration.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { useEffect, useId, useMemo } from "preact/hooks";
import { AdminResource, type ListAnswer } from "../model/admin-resource.ts";
import type { DeskApi } from "../model/desk-api.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { texts } from "../model/texts.ts";
import { ChoiceField } from "../../viewer/form/field.tsx";
import { RowButton } from "../parts/row-button.tsx";
import { AdminList, AdminPage, AdminRow, Filter, durationInWords, useFresh } from "./parts.tsx";
import { ScheduleList } from "./schedule-list.tsx";

const words = adminTexts.queue;

/** The page that shows what runs, waits and has failed. */
export function QueuePage({ api }: { api: DeskApi }) {
  const queue = useMemo(() => new AdminResource<Queue>(api, "admin/queue/"), [api]);
  const jobs = useMemo(
    () => new AdminResource<ListAnswer<QueuedJob>>(api, "admin/jobs/", queue.message),
    [api, queue],
  );
  const failures = useMemo(
    () => new AdminResource<ListAnswer<Failure>>(api, "admin/failures/", queue.message),
    [api, queue],
  );
  const state = useSignal("all");
  const resources = useMemo(() => [queue, jobs, failures], [queue, jobs, failures]);
  useEffect(() => {
    for (const resource of resources) void resource.load();
  }, [resources]);

  const act = async (method: string, job: QueuedJob, done: string): Promise<void> => {
    await jobs.act(method, `admin/jobs/${job.id}/`, method === "POST" ? {} : undefined, done);
    await Promise.all([queue.load(), failures.load()]);
  };
  const retry = async (which: { reason?: string }): Promise<void> => {
    const reply = await failures.act<{ restarted: number }>("POST", "admin/failures/", which, "");
    await Promise.all([queue.load(), jobs.load()]);
    if (reply !== null) queue.notify(words.restarted(reply.restarted));
  };
  const counts = queue.answer.value;
  useFresh(resources, (counts?.kinds.length ?? 0) > 0);
  // All at once, so that nothing moves.
  if (resources.some(({ answer }) => answer.value === null))
    return (
      <AdminPage api={api} current="queue" message={queue.message}>
        {!queue.message.value.isProblem && <p>{texts.loading}</p>}
      </AdminPage>
    );
  return (
    <AdminPage api={api} current="queue" message={queue.message}>
      <Summary counts={counts} />
      <Filter>
        <ChoiceField
          field={{
            value: state.value,
            set: (chosen) => {
              state.value = chosen;
              void jobs.load(`admin/jobs/?state=${chosen}`);
            },
          }}
          label={words.state}
          choices={Object.entries(words.states)}
        />
      </Filter>
      <JobList jobs={jobs} act={act} />
      <FailureList failures={failures} retry={retry} />
      {counts !== null && <ScheduleList runs={counts.schedule} since={counts.process_started_at} />}
    </AdminPage>
  );
}

function JobList({
  jobs,
  act,
}: {
  jobs: AdminResource<ListAnswer<QueuedJob>>;
  act: (method: string, job: QueuedJob, done: string) => Promise<void>;
}) {
  return (
    <AdminList resource={jobs} label={words.jobs}>
      {(job) => (
        <AdminRow
          key={job.id}
          title={titleOf(job)}
          facts={factsOf(job)}
          more={job.last_error !== null && <Message text={job.last_error} />}
        >
          {job.state !== "running" && job.is_known && (
            <RowButton
              action={words.runNow}
              of={titleOf(job)}
              onClick={() => void act("POST", job, words.isRun)}
            />
          )}
          {job.is_cancellable && (
            <RowButton
              action={words.cancel}
              of={titleOf(job)}
              isDangerous
              onClick={() => void act("DELETE", job, words.isCancelled)}
            />
          )}
        </AdminRow>
      )}
    </AdminList>
  );
}

/** The documents that could not be processed, by reason, with buttons that process them again. */
function FailureList({
  failures,
  retry,
}: {
  failures: AdminResource<ListAnswer<Failure>>;
  retry: (which: { reason?: string }) => Promise<void>;
}) {
  return (
    <div class="admin-failures">
      <h2>{words.failures}</h2>
      <AdminList resource={failures} label={words.failures}>
        {(failure) => (
          <AdminRow
            key={failure.reason}
            title={reasonInWords(failure.reason)}
            more={<Message text={failure.reason} />}
            facts={[
              words.documents(failure.count),
              numbersOf(failure),
              ...new Set(failure.documents.map(({ owner }) => owner)),
            ]}
          >
            <RowButton
              action={words.retry}
              of={failure.reason}
              onClick={() => void retry({ reason: failure.reason })}
            />
          </AdminRow>
        )}
      </AdminList>
      {(failures.answer.value?.results.length ?? 0) > 1 && (
        <p class="buttons admin-pages">
          <button type="button" class="button" onClick={() => void retry({})}>
            {words.retryAll}
          </button>
        </p>
      )}
    </div>
  );
}

/** How many jobs of each kind there are, and how long they take. Empty until that is known. */
function Summary({ counts }: { counts: Queue | null }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.summary}</h2>
      {counts !== null && counts.kinds.length === 0 && <p>{words.empty}</p>}
      {counts !== null && counts.kinds.length > 0 && (
        <dl class="admin-facts">
          {counts.kinds.map((kind) => [
            <dt key={kind.kind}>{nameOf(kind.kind)}</dt>,
            <dd key={`${kind.kind} count`}>{words.counts(kind)}</dd>,
          ])}
        </dl>
      )}
      {(counts?.seconds_left ?? 0) > 0 && <p>{words.left(durationInWords(counts?.seconds_left ?? 0))}</p>}
    </section>
  );
}

/** A sentence for a message of a known kind; any other message as it is. */
function reasonInWords(message: string): string {
  const kind = failureKindOf(message);
  return kind === null ? message : words.reasons[kind];
}

/** The message itself, where the page shows a sentence instead. */
function Message({ text }: { text: string }) {
  if (failureKindOf(text) === null) return null;
  return (
    <details>
      <summary>{words.message}</summary>
      <p dir="auto">{text}</p>
    </details>
  );
}

const maxNumbers = 5;

/** The numbers of the documents, by which their owner finds them. */
function numbersOf({ documents, count }: Failure): string {
  const ids = documents.slice(0, maxNumbers).map(({ id }) => id);
  return words.which(ids, count - ids.length);
}

const nameOf = (kind: string): string => words.kinds[kind] ?? kind;

/** A document that the administrator may not see has its number. */
const titleOf = ({ kind, document, title }: QueuedJob): string =>
  document === null
    ? nameOf(kind)
    : texts.of(nameOf(kind), title === null || title === "" ? words.document(document) : title);

function factsOf(job: QueuedJob): (string | false)[] {
  const { owner, attempts, pages_done, pages } = job;
  return [
    job.is_known ? (words.states[job.state] ?? job.state) : words.unknown,
    owner !== null && words.ofOwner(owner),
    words.since(momentInWords(job.created_at)),
    attempts > 0 && words.attempts(attempts),
    job.state === "retrying" && words.nextAt(momentInWords(job.due_at)),
    pages_done !== null && pages !== null && words.progress(pages_done, pages),
    job.last_error !== null && reasonInWords(job.last_error),
  ];
}
