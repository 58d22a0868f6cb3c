import { cp, mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";
import pino from "pino";
import { afterAll, beforeAll, inject } from "vitest";
import { buildApp } from "../app.ts";
import { type Config, readConfig } from "../config.ts";
import { type Context, type ContextOptions, openContext } from "../context.ts";
import { type AppRoute, withItsRoutes } from "./app-routes.ts";
import { addDocuments } from "./factories.ts";
import { type NewPerson, type Person, addPerson, cheapPasswords } from "./people.ts";
import { type ThrowawayDatabase, createThrowawayDatabase } from "./postgres.ts";
import { type Reply, sendAs } from "./requests.ts";
import { hasPostgres, type TestEngine, isInFull } from "./runs.ts";
import { storageRoot } from "./storage-root.ts";

export type { TestEngine };

/**
 * The engines of suites about what the engines do differently: `describe.each(engines)("… on %s", (engine) => …)`.
 * Their subjects are SQL text, collation, values that only one engine takes, locks, transactions, failover, several
 * processes or writers, migrations, copying (backup, move, import, archive, mirror), search, access and the stores. Of
 * matrices and properties, PostgreSQL runs a selection (runs.ts). Where a suite has other cases as well, they come
 * last, after `if (!isInFull(engine)) return;`.
 */
export const engines: readonly TestEngine[] = hasPostgres ? ["sqlite", "postgres"] : ["sqlite"];

/**
 * The engines of all other suites: SQLite, and in deep runs PostgreSQL as well. They are about HTTP, pages, files and
 * computing. Every statement that they cause runs on PostgreSQL in a suite of the first kind, or in
 * tests/statements.test.ts.
 */
export const defaultEngines: readonly TestEngine[] = engines.filter(isInFull);

/** The real application, listening, on storage that is thrown away with it. */
export interface TestApp extends AsyncDisposable {
  /** Its URL, without a trailing slash. */
  url: string;
  context: Context;
  /** Every route that it has. */
  routes: readonly AppRoute[];
  /** The lines that it logged, parsed. */
  logged: Record<string, unknown>[];
  fetch(target: string, init?: RequestInit): Promise<Response>;
}

/** The settings without which some routes are not there. */
export const everyRoute = {
  QUIRE_ADDON_RUNNER: "true",
  QUIRE_MAIL_IN_DOMAIN: "in.quire.example",
  QUIRE_ASSISTANT_SIGN_IN: "offered",
};

/** Storage without an application. */
export interface TestStorage extends AsyncDisposable {
  config: Config;
}

/** A database with the current schema. `environment` adds to the settings: `{ QUIRE_URL: "https://…" }`. */
export async function testStorage(
  engine: TestEngine,
  environment: Record<string, string> = {},
): Promise<TestStorage> {
  return storageOf(
    engine,
    environment,
    () => createThrowawayDatabase(inject("postgresUrl"), inject("postgresTemplate")),
    (folder) => cp(inject("sqliteTemplate"), folder, { recursive: true }),
  );
}

/** Storage whose database has no tables yet. */
export async function emptyStorage(engine: TestEngine): Promise<TestStorage> {
  return storageOf(
    engine,
    {},
    () => createThrowawayDatabase(inject("postgresUrl")),
    async () => undefined,
  );
}

async function storageOf(
  engine: TestEngine,
  environment: Record<string, string>,
  createPostgres: () => Promise<ThrowawayDatabase>,
  fillFolder: (folder: string) => Promise<void>,
): Promise<TestStorage> {
  const folder = await mkdtemp(path.join(await storageRoot, "quire-test-"));
  const database = engine === "postgres" ? await createPostgres() : null;
  if (database === null) await fillFolder(folder);
  const read = readConfig({
    QUIRE_DATA: folder,
    QUIRE_PORT: "0",
    QUIRE_SAMPLES: "off",
    // A busy machine makes nothing wrong: tests of the limits themselves set their own.
    QUIRE_DATABASE_CONNECT_LIMIT_SECONDS: "60",
    QUIRE_PAGE_TIME_LIMIT_SECONDS: "60",
    ...(database === null ? {} : { QUIRE_DATABASE_URL: database.url }),
    ...environment,
  });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return {
    config: read.config,
    async [Symbol.asyncDispose]() {
      await database?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Settings that lead through PgBouncer if the tests do: `npm run test:pgbouncer`. */
export function throughPooler<Settings extends Pick<Config, "databaseUrl">>(settings: Settings): Settings {
  const { databaseUrl } = settings;
  const poolerUrl = databaseUrl === null ? null : inject("poolerUrl");
  if (poolerUrl === null || databaseUrl === null) return settings;
  const { pathname, search } = new URL(databaseUrl);
  // Some tests have a PostgreSQL of their own.
  if (search !== new URL(inject("postgresUrl")).search) return settings;
  const pooled = new URL(poolerUrl);
  pooled.pathname = pathname;
  return { ...settings, databaseUrl: pooled.href, databaseDirectUrl: databaseUrl };
}

export async function startTestApp(
  engine: TestEngine,
  environment: Record<string, string> = {},
): Promise<TestApp> {
  const storage = await testStorage(engine, environment);
  const app = await startAppOn(storage.config);
  return {
    ...app,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

/**
 * An application on storage that is there already: beside another one, it is what a second process would be. Unless
 * `options` say otherwise, its password hashes cost next to nothing.
 */
export async function startAppOn(
  config: Config,
  options: ContextOptions = { passwordCost: cheapPasswords },
): Promise<TestApp> {
  const logged: Record<string, unknown>[] = [];
  const write = (line: string): void => void logged.push(JSON.parse(line) as Record<string, unknown>);
  const context = await openContext(throughPooler(config), pino({ level: "info", base: null }, { write }), {
    servesRequests: true,
    ...options,
  });
  const [app, routes] = withItsRoutes(() => buildApp(context));
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    url,
    context,
    routes,
    logged,
    fetch: (target, init) => fetch(`${url}${target}`, init),
    async [Symbol.asyncDispose]() {
      // A client may have a whole response before the server has ended it, and keep the connection open. Browsers also
      // open connections that they never use, which Node does not count as idle.
      const idle = setInterval(() => {
        app.server.closeIdleConnections();
        for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      }, 20);
      await app.close();
      clearInterval(idle);
      await context.close();
    },
  };
}

/** The application that the tests of a `describe` share. It has no members but these two before the first test. */
export interface UsedApp extends TestApp {
  /** Adds a person before the tests, after the organizations 1 and 2. */
  person(username: string, more?: Omit<NewPerson, "username">): Person;
  /** Sends JSON as a person, or without credentials if the person is null. */
  send: (
    person: Person | null,
    method: string,
    target: string,
    value?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Reply>;
}

/**
 * Starts an application before the tests of a `describe`, and ends it after them. Settings that name a server which
 * starts before them as well are a function.
 */
export function useApp(
  engine: TestEngine,
  settings: Record<string, string> | (() => Record<string, string>) = {},
): UsedApp {
  const app = useStarted(() =>
    startTestApp(engine, typeof settings === "function" ? settings() : settings),
  ) as UsedApp;
  app.person = (username, more = {}) => {
    const person = {} as Person;
    beforeAll(async () => {
      await addDocuments(app.context, []);
      Object.assign(person, await addPerson(app.context, { username, ...more }));
    });
    return person;
  };
  app.send = (...request) => sendAs(app, ...request);
  return app;
}

/** Starts something before the tests of a `describe`, and ends it after them. It has no members until then. */
export function useStarted<Started extends AsyncDisposable>(start: () => Promise<Started>): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()));
  afterAll(() => started[Symbol.asyncDispose]());
  return started;
}
