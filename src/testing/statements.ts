import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import { PostgresPool } from "../database/postgres/pool.ts";
import { PreparedQueries } from "../database/prepared-queries.ts";
import { ReadWorker } from "../database/read-worker.ts";

/*
 * The statements of lists, searches and counts differ with each request: the code puts them together, for each engine
 * in its own dialect. tests/statements.test.ts runs a selection of requests on both engines and keeps the statements in
 * golden files. Every other test may then run on SQLite alone, because it fails if it builds a statement with a phrase
 * that the golden files do not have: code that PostgreSQL may never have run.
 */

const goldenFolder = path.join(import.meta.dirname, "../../tests/statements");

/** Receives the text of each statement. */
let receive: (statement: string) => void = check;

/** The statements that `work` builds and runs, each once. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const statements = new Set<string>();
  receive = (statement) => statements.add(statement);
  try {
    await work();
  } finally {
    receive = check;
  }
  return [...statements];
}

const newPhrases = new Set<string>();
const newPhrasesIn = new Map<string, readonly string[]>();
let goldenPhrases: ReadonlySet<string> | null = null;

function check(statement: string): void {
  // The tests of this folder run statements of their own.
  if (expect.getState().testPath?.includes("/src/database/") === true) return;
  let phrases = newPhrasesIn.get(statement);
  if (phrases === undefined) {
    const golden = (goldenPhrases ??= readGoldenPhrases());
    phrases = [...phrasesOf(statement)].filter((phrase) => !golden.has(phrase));
    newPhrasesIn.set(statement, phrases);
  }
  for (const phrase of phrases) newPhrases.add(phrase);
}

function readGoldenPhrases(): Set<string> {
  const phrases = new Set<string>();
  for (const name of globSync("*.sql", { cwd: goldenFolder })) {
    const text = readFileSync(path.join(goldenFolder, name), "utf8").replaceAll(/^--.*$/gm, "");
    for (const statement of text.split("\n\n")) {
      for (const phrase of phrasesOf(statement)) phrases.add(phrase);
    }
  }
  return phrases;
}

/** Throws if a statement since the last call has a phrase that no golden file has. */
export function refuseNewPhrases(): void {
  const phrases = [...newPhrases];
  newPhrases.clear();
  if (phrases.length === 0) return;
  throw new Error(
    `tests/statements.test.ts runs no statement with these phrases on PostgreSQL. Add a request that leads to them,
and write the golden files again (npx vitest run tests/statements.test.ts -u):\n${phrases.join("\n")}`,
  );
}

const tokens =
  /('(?:[^']|'')*'|[(),+]|\|\||\b(?:select|from|where|and|or|order by|group by|limit|offset|union|when)\b)/;

/**
 * A statement's phrases: the texts between parentheses, commas, `+`, `||`, `and`, `or`, `when` and the beginnings of
 * clauses. `(…)` stands for what is in parentheses, which has phrases of its own. Numbers and parameters are all the
 * same.
 */
export function phrasesOf(statement: string): Set<string> {
  const text = onOneLine(statement)
    .replaceAll(/\$\d+/g, "?")
    .replaceAll(/\b\d+(?:\.\d+)?\b/g, "0")
    .replaceAll(/"([a-z_]+)\d*"/g, "$1");
  const phrases = new Set<string>();
  const enclosing: string[] = [];
  let phrase = "";
  const begin = (next: string): void => {
    phrases.add(phrase.trim());
    phrase = next;
  };
  for (const token of text.split(tokens)) {
    if (token === "(") {
      enclosing.push(phrase);
      phrase = "";
    } else if (token === ")") begin(`${enclosing.pop() ?? ""}(…)`);
    else if (/^(?:[,+]|\|\||where|and|or)$/.test(token)) begin("");
    else if (!token.startsWith("'") && tokens.test(token)) begin(token);
    else phrase += token;
  }
  begin("");
  return phrases;
}

/** The statement with a line for each clause, indented as deep as its selects. */
export function formatted(statement: string): string {
  const lines = [""];
  const selects: boolean[] = [];
  const beginLine = (): void => {
    lines.push("  ".repeat(selects.filter(Boolean).length));
  };
  const pieces = onOneLine(statement).split(tokens);
  for (const [index, piece] of pieces.entries()) {
    const isInSelect = selects.at(-1) !== false;
    if (piece === ")" && selects.pop() === true) beginLine();
    const isClause = /^(?:select|from|where|order by|group by|limit|union)$/.test(piece);
    if (isClause && isInSelect) beginLine();
    lines[lines.length - 1] += piece;
    if (piece === "(") {
      const inside = `${pieces[index + 1] ?? ""}${pieces[index + 2] ?? ""}`;
      selects.push(/^\s*(?:select|with|\()/.test(inside));
    }
  }
  return lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== "")
    .join("\n");
}

function onOneLine(statement: string): string {
  return statement.replaceAll(/\s+/g, " ").trim();
}

/** Passes on the text of every statement that is built in this process, for whichever database. */
function watchStatements(): void {
  type Given = Parameters<PreparedQueries["rows"]>;
  watch(PreparedQueries.prototype, "rows", ([shape, build, values, more]: Given): Given => {
    const watchedBuild = (): ReturnType<typeof build> => {
      const query = build();
      const compile: typeof query.compile = (executor) => {
        const compiled = query.compile(executor);
        receive(compiled.sql);
        return compiled;
      };
      return Object.assign(Object.create(query) as typeof query, { compile });
    };
    return [shape, watchedBuild, values, more];
  });
  watch(ReadWorker.prototype, "rows", (given: Parameters<ReadWorker["rows"]>) => {
    receive(given[0].sql);
    return given;
  });
  watch(PostgresPool.prototype, "queryWithin", (given: Parameters<PostgresPool["queryWithin"]>) => {
    receive(given[1].text);
    return given;
  });
}

/** From now on, a method of a class gets what `replace` makes of its arguments. */
function watch<Given extends unknown[]>(
  prototype: object,
  name: string,
  replace: (given: Given) => Given,
): void {
  const method = Reflect.get(prototype, name) as (...given: Given) => unknown;
  Reflect.set(prototype, name, function watched(this: unknown, ...given: Given) {
    return method.apply(this, replace(given));
  });
}

watchStatements();
