import { Chance } from "./chance.ts";
import { Child } from "./child.ts";
import { answersPerSecond } from "./load.ts";
import { type ContestResult, type Pace, type ServerSide, contest, serverSide } from "./contest.ts";
import type { QuireServer } from "./quire-server.ts";
import { firstId } from "./sample-documents.ts";

/** A running Quire and its data. */
export interface Target {
  server: QuireServer;
  processes: number;
  lastId: number;
  /** Set if it uses PostgreSQL. */
  databaseUrl?: string;
}

/** Compares a Quire with a bare server, or with the Quire `beside` it. */
export type Measure = (pace: Pace, target: Target, beside: Target) => Promise<ContestResult>;

const list = "/api/documents/";
const pathsInRound = 20_000;
const warmUpSeconds = 6;

/**
 * V8 compiles and optimises during the first ten thousand pages or so, which take several times as long as later ones.
 */
export async function warmUp({ server: { port }, lastId }: Target): Promise<void> {
  const paths = cursorPaths(0, firstId, lastId);
  await answersPerSecond({ port, paths, headers: {}, connections: 16, seconds: warmUpSeconds });
}

/** The list's first page, repeatedly. */
export const hotPage: Measure = async (pace, target) => {
  const { bytes } = await fetchPage(target.server, list);
  return againstBare(pace, target, { status: 200, bytes }, { paths: () => [list] });
};

/** The same request from a client that has the response already. */
export const notModified: Measure = async (pace, target) => {
  const { etag } = await fetchPage(target.server, list);
  const headers = { "if-none-match": etag };
  return againstBare(pace, target, { status: 304, bytes: 0 }, { paths: () => [list], headers });
};

/** Random pages of the list, hardly ever the same one twice. */
export const randomCursors: Measure = async (pace, target) => {
  const paths = (round: number): string[] => cursorPaths(round, firstId, target.lastId);
  let bytes = 0;
  const sample = paths(1000).slice(0, 200);
  for (const path of sample) bytes += (await fetchPage(target.server, path)).bytes / sample.length;
  return againstBare(pace, target, { status: 200, bytes: Math.round(bytes) }, { paths });
};

/** Pages among the list's last documents, compared with pages among its first. */
export const farAgainstFront: Measure = (pace, { server: { port }, lastId }) => {
  const distance = Math.min(20_000, Math.floor((lastId - firstId) / 2));
  const front = { port, paths: (round: number) => cursorPaths(round, firstId, firstId + distance) };
  const far = { port, paths: (round: number) => cursorPaths(round, lastId - distance, lastId) };
  return contest(pace, serverSide(front), serverSide(far));
};

/** Random pages, compared with the same statement on as many connections to PostgreSQL, without HTTP. */
export const againstPlainPostgres: Measure = async (pace, { server: { port }, lastId, databaseUrl = "" }) => {
  const args = [databaseUrl, lastId, pace.connections].map(String);
  const plain = new Child("plain-pages.ts", { args });
  try {
    await plain.hear<{ ready: true }>();
    const paths = (round: number): string[] => cursorPaths(round, firstId, lastId);
    const baseline = async (_: number, { seconds }: Pace): Promise<number> =>
      (await plain.ask<{ perSecond: number }>(seconds)).perSecond;
    return await contest(pace, baseline, serverSide({ port, paths }));
  } finally {
    await plain.stop();
  }
};

/**
 * The same cursors in a list where hardly anything is public, compared with one where everything is. There are so few
 * cursors that the records of both stay in memory, and only the way to them differs. A parameter that is always
 * different prevents cached responses.
 */
export const rareVisibility: Measure = (pace, rare, all) => compareSparsely(pace, rare, all, {});

/** The same in the list where hardly anything is public, for a viewer who sees more than anonymous viewers. */
export function asViewer({ token }: { token: string }): Measure {
  return (pace, rare, all) => compareSparsely(pace, rare, all, { authorization: `Bearer ${token}` });
}

function compareSparsely(
  pace: Pace,
  rare: Target,
  all: Target,
  headers: Record<string, string>,
): Promise<ContestResult> {
  const step = (all.lastId - firstId) / 400;
  const paths = (round: number): string[] => {
    const chance = new Chance(round);
    return Array.from({ length: pathsInRound }, (_, index) => {
      const id = firstId + Math.floor(chance.below(380) * step);
      return `${cursorPath(id)}&page=${round * pathsInRound + index}`;
    });
  };
  return contest(
    pace,
    serverSide({ port: all.server.port, paths }),
    serverSide({ port: rare.server.port, paths, headers }),
  );
}

async function againstBare(
  pace: Pace,
  { server, processes }: Target,
  { status, bytes }: { status: number; bytes: number },
  asked: Omit<ServerSide, "port">,
): Promise<ContestResult> {
  const bare = new Child("bare-server.ts", { args: [status, bytes, processes].map(String) });
  try {
    const { port } = await bare.hear<{ port: number }>();
    return await contest(
      pace,
      serverSide({ port, paths: asked.paths }),
      serverSide({ port: server.port, ...asked }),
    );
  } finally {
    await bare.stop();
  }
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
