import type { BareAnswer } from "./bare-server.ts";
import { Chance } from "./chance.ts";
import type { Child } from "./child.ts";
import { type Pace, type Side, contest } from "./contest.ts";
import type { QuireServer } from "./quire-server.ts";
import type { Comparison } from "./report.ts";
import { firstId } from "./sample-documents.ts";

export interface Bench {
  load: Child;
  bare: Child;
  pace: Pace;
}

/** A running Quire, and what is in it. */
export interface Target {
  server: QuireServer;
  lastId: number;
}

/** How a comparison is made. Given where it is made, what it found. */
export type Measure = (bench: Bench, target: Target, beside: Target) => Promise<Measured>;
export type Measured = Pick<Comparison, "result" | "ratioOf">;

const list = "/api/documents/";
const pathsInRound = 20_000;

/** The list's first page, over and over. */
export const hotPage: Measure = async (bench, { server }) => {
  const { bytes } = await fetchPage(server, list);
  const paths = (): string[] => [list];
  return againstBare(bench, { status: 200, bytes }, { ...sideOf(server), paths });
};

/** The same, asked by who has it already. */
export const notModified: Measure = async (bench, { server }) => {
  const { etag } = await fetchPage(server, list);
  const side = { ...sideOf(server), paths: () => [list], headers: { "if-none-match": etag }, status: 304 };
  return againstBare(bench, { status: 304, bytes: 0 }, side);
};

/** Pages from anywhere in the list, hardly ever the same one twice. */
export const randomCursors: Measure = async (bench, target) => {
  const paths = (round: number): string[] => cursorPaths(round, firstId, target.lastId);
  let bytes = 0;
  const sample = paths(1000).slice(0, 200);
  for (const path of sample) bytes += (await fetchPage(target.server, path)).bytes / sample.length;
  const answer = { status: 200, bytes: Math.round(bytes) };
  return againstBare(bench, answer, { ...sideOf(target.server), paths });
};

/** Pages among the list's first documents, and among its last. */
export const frontAndFar: Measure = async (bench, { server, lastId }) => {
  const reach = Math.min(20_000, Math.floor((lastId - firstId) / 2));
  const front = { ...sideOf(server), paths: (round: number) => cursorPaths(round, firstId, firstId + reach) };
  const far = { ...sideOf(server), paths: (round: number) => cursorPaths(round, lastId - reach, lastId) };
  return { result: await contest(bench.load, bench.pace, front, far), ratioOf: "time" };
};

/**
 * The same cursors where everything is public and where hardly anything is. There are so few that the records of
 * both stay at hand, and what differs is the way to them; a number that is never the same keeps whole answers from
 * being sent again.
 */
export const rareVisibility: Measure = (bench, rare, all) => compareSparsely(bench, rare, all, {});

/** The same, where hardly anything is public, for someone who sees more of it than others. */
export function asViewer({ token }: { token: string }): Measure {
  return (bench, rare, all) => compareSparsely(bench, rare, all, { authorization: `Bearer ${token}` });
}

async function compareSparsely(
  bench: Bench,
  rare: Target,
  all: Target,
  headers: Record<string, string>,
): Promise<Measured> {
  const step = (all.lastId - firstId) / 400;
  const paths = (round: number): string[] => {
    const chance = new Chance(round);
    return Array.from({ length: pathsInRound }, (_, index) => {
      const id = firstId + Math.floor(chance.below(380) * step);
      return `${cursorPath(id)}&page=${round * pathsInRound + index}`;
    });
  };
  const baseline = { ...sideOf(all.server), paths };
  const measured = { ...sideOf(rare.server), paths, headers };
  return { result: await contest(bench.load, bench.pace, baseline, measured), ratioOf: "time" };
}

async function againstBare({ load, bare, pace }: Bench, answer: BareAnswer, side: Side): Promise<Measured> {
  const { port } = await bare.ask<{ port: number }>(answer);
  const baseline = { process: bare, port, paths: side.paths, status: answer.status };
  return { result: await contest(load, pace, baseline, side), ratioOf: "rate" };
}

function sideOf({ process, port }: QuireServer): Pick<Side, "process" | "port"> {
  return { process, port };
}

function cursorPaths(round: number, first: number, last: number): string[] {
  const chance = new Chance(round);
  return Array.from({ length: pathsInRound }, () => cursorPath(first + chance.below(last - first)));
}

function cursorPath(id: number): string {
  return `${list}?cursor=${encodeURIComponent(Buffer.from(`p=${id}`).toString("base64"))}`;
}

async function fetchPage({ url }: QuireServer, path: string): Promise<{ bytes: number; etag: string }> {
  const response = await fetch(`${url}${path}`, { headers: { accept: "application/json" } });
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
  return { bytes: (await response.arrayBuffer()).byteLength, etag: response.headers.get("etag") ?? "" };
}
