import { useId } from "preact/hooks";
import type { Queue } from "../../contract/administration.ts";
import { momentInWords } from "../../viewer/texts/moments.ts";
import { adminTexts } from "../model/admin-texts.ts";
import { AdminRow, durationInWords } from "./parts.tsx";

const words = adminTexts.queue.schedule;

/** What the server does by itself: how often, when last, and how that ended. */
export function ScheduleList({ runs, since }: { runs: Queue["schedule"]; since: string | null }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{words.title}</h2>
      {since !== null && <p>{words.help(momentInWords(since))}</p>}
      <ul class="admin-rows">
        {runs.map((run) => (
          <AdminRow key={run.name} title={words.names[run.name] ?? run.name} facts={factsOf(run)} />
        ))}
      </ul>
    </section>
  );
}

function factsOf({ every_seconds, last_at, problem }: Queue["schedule"][number]): string[] {
  const often =
    every_seconds < 1
      ? words.timesPerSecond(Math.round(1 / every_seconds))
      : words.every(durationInWords(every_seconds));
  if (last_at === null) return [often, words.notYet];
  const outcome = problem === null ? words.succeeded : words.failed(problem);
  return [often, words.last(momentInWords(last_at)), outcome];
}
