import { mkdir } from "node:fs/promises";
import path from "node:path";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import type { Target } from "./comparisons.ts";
import { findOrMakeDataSet } from "./data-sets.ts";
import { fillPostgres } from "./fill-postgres.ts";
import { startQuire } from "./quire-server.ts";
import { sampleDocuments } from "./sample-documents.ts";

/** Where comparisons are made: one running Quire, or two of them that are compared. */
export type GroundName = "small" | "large" | "rare" | "postgres";

export interface Ground {
  name: string;
  target: Target;
  beside: Target | null;
  close(): Promise<void>;
}

export interface GroundSizes {
  smallDocuments: number;
  largeDocuments: number;
  postgresDocuments: number;
}

export async function openGround(
  name: GroundName,
  sizes: GroundSizes,
  scratch: string,
  say: (text: string) => void,
): Promise<Ground> {
  if (name === "postgres") return onPostgres(sizes.postgresDocuments, scratch, say);
  const documents = name === "small" ? sizes.smallDocuments : sizes.largeDocuments;
  const target = await onSqlite(documents, name === "rare" ? 1000 : 1, scratch, say);
  const beside = name === "rare" ? await onSqlite(documents, 1, scratch, say) : null;
  return {
    name: titleOf("SQLite", documents),
    target,
    beside,
    async close() {
      await target.server.process.stop();
      await beside?.server.process.stop();
    },
  };
}

async function onSqlite(
  documents: number,
  publicEvery: number,
  scratch: string,
  say: (text: string) => void,
): Promise<Target> {
  const { folder, lastId } = await findOrMakeDataSet({ documents, publicEvery }, say);
  const logFile = path.join(scratch, `log-${publicEvery}`);
  const server = await startQuire({ dataFolder: folder, databaseUrl: null, logFile });
  return { server, lastId };
}

/** A server and a database of its own, gone afterwards. */
async function onPostgres(documents: number, scratch: string, say: (text: string) => void): Promise<Ground> {
  const postgres = await startPostgres();
  try {
    const database = await createThrowawayDatabase(postgres.url);
    say(`Filling PostgreSQL …`);
    const lastId = await fillPostgres(database.url, sampleDocuments(documents));
    const dataFolder = path.join(scratch, "postgres-data");
    await mkdir(dataFolder);
    const logFile = path.join(scratch, "log-postgres");
    const server = await startQuire({ dataFolder, databaseUrl: database.url, logFile });
    return {
      name: titleOf("PostgreSQL", documents),
      target: { server, lastId },
      beside: null,
      async close() {
        await server.process.stop();
        await database.drop();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

function titleOf(engine: string, documents: number): string {
  return `${engine}, ${documents.toLocaleString("en-US")} documents`;
}
