import {
  type Import,
  type ImportFile,
  type ImportFileState,
  type ImportProgress,
  type ImportState,
  importFileStates,
} from "../../contract/work.ts";
import { timestampAt } from "../../jobs/clock.ts";
import { busyStatuses } from "../document-states.ts";
import { documentAddress } from "../documents/present.ts";
import type { DocumentRow } from "../documents/store.ts";
import { type FileGroup, type ImportFileRow, type ImportRow, stateOf } from "./store.ts";

/** A process that has said nothing for so long was killed: it says every 20 seconds that it is alive. */
const silentMilliseconds = 60_000;
/** Browsers let a page in the background do something once a minute. */
const silentPageMilliseconds = 150_000;
/** What "now" is for a rate. */
const recentMilliseconds = 60_000;

/** The moment after which something has happened "now". */
export const recentTime = (): string => timestampAt(Date.now() - recentMilliseconds);

/** `document` is the archive that it is about, if the viewer may see it. */
export function presentImport(row: ImportRow, document: DocumentRow | null): Import {
  const { id, kind, name, version, started_at, ended_at, added, changed, known, skipped, failed } = row;
  return {
    id,
    kind,
    name: document?.title ?? name,
    document: row.document_id,
    user: row.user_id ?? document?.user_id ?? null,
    version,
    state: importState(row, document),
    started_at,
    ended_at,
    seen: row.seen,
    added,
    changed,
    known,
    skipped,
    failed,
  };
}

function importState(row: ImportRow, document: DocumentRow | null): ImportState {
  if (row.outcome !== null) return row.outcome;
  const isAlive =
    row.document_id === null
      ? Date.parse(row.updated_at) >
        Date.now() - (row.kind === "upload" ? silentPageMilliseconds : silentMilliseconds)
      : document !== null && busyStatuses.includes(document.status);
  return isAlive ? "running" : "interrupted";
}

/** `groups` count what has become of the files, and what has happened since {@link recentTime}. */
export function presentProgress(
  row: ImportRow,
  document: DocumentRow | null,
  groups: readonly FileGroup[],
): ImportProgress {
  const shown = presentImport(row, document);
  const in_ = (state: ImportFileState): number => sum(groups.filter((group) => stateOf(group) === state));
  const [waiting, read, unreadable] = [in_("waiting"), in_("read"), in_("unreadable")];
  const isRunning = shown.state === "running";
  const taken = groups.filter(({ outcome }) => outcome === "added");
  const ended = taken.filter((group) => ["read", "unreadable"].includes(stateOf(group)));
  const last = ended
    .map((group) => group.last ?? "")
    .toSorted()
    .at(-1);
  const readUntil = waiting > 0 || last === undefined || last === "" ? Date.now() : Date.parse(last);
  const takenUntil = row.ended_at === null ? Date.now() : Date.parse(row.ended_at);
  const per_second = {
    taken_in: {
      now: isRunning ? perSecond(sumOf(taken, "made"), recentMilliseconds) : 0,
      since_start: perSecond(sum(taken), takenUntil - Date.parse(row.started_at)),
    },
    read: {
      now: waiting > 0 ? perSecond(sumOf(ended, "ended"), recentMilliseconds) : 0,
      since_start: perSecond(sum(ended), readUntil - Date.parse(row.started_at)),
    },
  };
  const left = waiting + (isRunning ? stillToCome(shown) : 0);
  return {
    ...shown,
    waiting,
    read,
    unreadable,
    deleted: Math.max(0, shown.added - waiting - read - unreadable),
    per_second,
    seconds_left: secondsLeft(left, per_second.read.now),
    kinds: kindsOf(groups),
  };
}

const sum = (groups: readonly FileGroup[]): number => sumOf(groups, "files");

const sumOf = (groups: readonly FileGroup[], column: "files" | "made" | "ended"): number =>
  groups.reduce((total, group) => total + group[column], 0);

/** To two digits after the point. */
const perSecond = (count: number, milliseconds: number): number =>
  milliseconds <= 0 ? 0 : Math.round((count / milliseconds) * 100_000) / 100;

/** How many of the files that were seen have no outcome so far; NaN if nobody knows how many there are. */
function stillToCome({ seen, added, changed, known, skipped, failed }: Import): number {
  return seen === null ? Number.NaN : Math.max(0, seen - added - changed - known - skipped - failed);
}

function secondsLeft(left: number, rate: number): number | null {
  if (left === 0) return 0;
  return Number.isNaN(left) || rate === 0 ? null : Math.ceil(left / rate);
}

const total = (kind: ImportProgress["kinds"][number]): number =>
  importFileStates.reduce((files, state) => files + kind[state], 0);

function kindsOf(groups: readonly FileGroup[]): ImportProgress["kinds"] {
  const kinds = new Map<string, ImportProgress["kinds"][number]>();
  for (const group of groups) {
    const { extension, files } = group;
    const none = Object.fromEntries(importFileStates.map((state) => [state, 0] as const));
    const kind = kinds.get(extension) ?? { extension, ...(none as Record<ImportFileState, number>) };
    kind[stateOf(group)] += files;
    kinds.set(extension, kind);
  }
  return [...kinds.values()].toSorted(
    (one, other) => total(other) - total(one) || (one.extension < other.extension ? -1 : 1),
  );
}

/** `document` is the one that was made of it, or that it was known as. */
export function presentImportFile(
  row: ImportFileRow,
  { document, failure, web }: { document: DocumentRow | null; failure: string | null; web: string },
): ImportFile {
  const { id, path, extension, reason } = row;
  const state = stateOf(row);
  return {
    id,
    path,
    extension,
    state,
    reason: state === "unreadable" ? failure : reason,
    document: document?.id ?? null,
    title: document?.title ?? null,
    canonical_url: document === null ? null : documentAddress(web, document),
  };
}
