import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Config } from "../../src/config.ts";
import { type ServedApp, serveOn } from "../../src/testing/served.ts";
import { type TestEngine, testStorage } from "../../src/testing/test-app.ts";

const main = path.join(import.meta.dirname, "../../src/main.ts");

export interface Account {
  username: string;
  password: string;
}

export interface NewAccount {
  username: string;
  name: string;
  organization: string;
  isAdministrator?: boolean;
}

/** A separate server, with accounts that were created on the command line. */
export interface Served extends AsyncDisposable {
  url: string;
  config: Config;
  accounts: Account[];
}

/** Starts `quire serve` on new storage, after `quire user add` has created the users who sign in. */
export async function serveFor(
  engine: TestEngine,
  people: readonly NewAccount[],
  environment: Record<string, string> = {},
): Promise<Served> {
  const storage = await testStorage(engine);
  const accounts: Account[] = [];
  for (const person of people) accounts.push(await addAccount(storage.config, person));
  const server: ServedApp = await serveOn(storage.config, environment);
  return {
    url: server.url,
    config: storage.config,
    accounts,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

async function addAccount(
  { data, databaseUrl }: Config,
  { username, name, organization, isAdministrator = false }: NewAccount,
): Promise<Account> {
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    QUIRE_DATA: data,
    ...(databaseUrl === null ? {} : { QUIRE_DATABASE_URL: databaseUrl }),
  };
  const password = `the long password of ${username}`;
  const words = [username, "--name", name, "--email", `${username}@example.org`];
  const more = ["--organization", organization, "--password-stdin", ...(isAdministrator ? ["--admin"] : [])];
  const command = spawn(process.execPath, [main, "user", "add", ...words, ...more], {
    env,
    stdio: ["pipe", "ignore", "inherit"],
  });
  command.stdin?.end(`${password}\n`);
  const [code] = (await once(command, "close")) as [number | null];
  if (code !== 0) throw new Error(`user add ended with ${code}`);
  return { username, password };
}
