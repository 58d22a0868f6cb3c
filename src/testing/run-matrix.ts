import { expect } from "vitest";
import type { AppRoute } from "./app-routes.ts";
import { type Asked, type Asker, type Reply, ask, jsonOf, withoutIds } from "./ask.ts";
import { marksIn } from "./marks.ts";
import type { MatrixRow } from "./matrix.ts";
import { isInFull, selectionOn, shareOf } from "./runs.ts";
import { linesApart, stateOf } from "./state.ts";
import type { TestApp } from "./test-app.ts";

/** A refusal: the status and, if the answer is JSON, its body. A body that is undefined may be any. */
export type Refusal = readonly [status: number, body?: unknown];

/** The words of a table that are not a status: refusals. */
export type Words = Readonly<Record<string, Refusal>>;

/** A matrix of rights: who may do what with the things of one kind. `Thing` is what requests are about. */
export interface Matrix<Role extends string, Thing> {
  app: TestApp;
  people: Readonly<Record<Role, Asker | null>>;
  words: Words;
  things: readonly Thing[];
  /** How a failure names a thing: "private document that waits". */
  nameOf: (thing: Thing) => string;
  /** The expected word; null if there is no such case. */
  wordFor: (row: MatrixRow, role: Role, thing: Thing) => string | null;
  /** The request of a row about a thing. */
  askedOf: (row: MatrixRow, thing: Thing, role: Role) => Asked;
  /** If the role must not learn that the thing exists: a thing that never existed. */
  unless: (row: MatrixRow, role: Role, thing: Thing) => Thing | null;
  /** The ids that an answer about the thing may repeat. */
  idsOf: (row: MatrixRow, thing: Thing, role: Role) => Readonly<Record<string, number | string>>;
  /** Whether a role may see the words of the thing with this id (see marks.ts), in an answer of this row. */
  maySee: (row: MatrixRow, role: Role, id: number) => boolean;
  /** Whether the thing is among the few that every row asks about in full, in other ways too, and that are changed. */
  isSelected: (thing: Thing) => boolean;
  /** Adds things like these, for changes. */
  copiesOf: (row: MatrixRow, cells: readonly Case<Role, Thing>[]) => Promise<Thing[]>;
  /** Whether changes of this row may change this line of the state, which was there before; by default none. */
  mayChange?: (row: MatrixRow, line: string) => boolean;
  /** Whether requests of this row change nothing, in spite of their method. */
  onlyReads?: (row: MatrixRow) => boolean;
  /** Whether a request that was answered with success did what it should: "done", or what was found instead. */
  effectOf: (row: MatrixRow, cell: Case<Role, Thing>, reply: Reply) => Promise<string>;
}

/** Somebody, and what they ask about. */
export interface Case<Role, Thing> {
  role: Role;
  thing: Thing;
}

/** One more way to ask what a row asks. */
interface Way {
  name: string;
  of(asked: Asked): Asked;
}

const withHeaders = (asked: Asked, headers: Record<string, string>): Asked => ({
  ...asked,
  headers: { ...asked.headers, ...headers },
});

const plainly: Way = { name: "plainly", of: (asked) => asked };
const asPage: Way = {
  name: "as a page",
  of: ({ by = "session", ...asked }) => withHeaders({ ...asked, by }, { accept: "text/html" }),
};

const waysOfReading: readonly Way[] = [
  asPage,
  { name: "by HEAD", of: (asked) => ({ ...asked, method: "HEAD" }) },
  { name: "if it has changed", of: (asked) => withHeaders(asked, { "if-none-match": "*" }) },
  { name: "a range of it", of: (asked) => withHeaders(asked, { range: "bytes=0-0" }) },
  { name: "compressed", of: (asked) => withHeaders(asked, { "accept-encoding": "gzip" }) },
];

/** Credentials with which nobody may change anything. */
const powerless: readonly Way[] = [
  { name: "with a token that may only read", of: (asked) => ({ ...asked, by: "read-only token" }) },
  {
    name: "without the CSRF token",
    of: (asked) => (asked.by === "token" ? asked : { ...asked, by: "session without CSRF token" }),
  },
];

const waysOfChanging: readonly Way[] = [
  asPage,
  {
    name: "with a broken body",
    of: ({ value, ...asked }) =>
      value === undefined
        ? asked
        : withHeaders({ ...asked, body: "{" }, { "content-type": "application/json" }),
  },
  { name: "if it is unchanged", of: (asked) => withHeaders(asked, { "if-match": '"x"' }) },
  ...powerless,
];

interface Cell<Role, Thing> extends Case<Role, Thing> {
  word: string;
}

/** The number of requests at a time: as many archives as one viewer may have. */
const atOnce = 4;
/** The number of differences that a failure shows: one is often enough, and hundreds are of no use. */
const maxShown = 3;
/** The rows share the cells that not every row asks about: each row has one cell of so many. */
const sharing = { sqlite: 3, postgres: 12 };

/**
 * Runs one row: every role asks about the selected things, and some about the others. What a role must not learn of has
 * the same answer as what never existed, in every way to ask, and what a role may not change is unchanged.
 */
export async function runRow<Role extends string, Thing>(
  matrix: Matrix<Role, Thing>,
  row: MatrixRow,
): Promise<void> {
  const asking = new RowAsking(matrix, row);
  const isRead = readingMethods.has(row.method);
  const isChange = !isRead && matrix.onlyReads?.(row) !== true;
  const ways = isChange ? waysOfChanging : isRead ? waysOfReading : [];
  const cells = cellsOf(matrix, row);
  const isAllowed = ({ word }: Cell<Role, Thing>): boolean => /^\d/.test(word);
  // A change that is made needs a copy of its thing, which takes longer than many requests.
  const allowed = cells.filter((cell) => isAllowed(cell) && (!isChange || matrix.isSelected(cell.thing)));
  const before = await stateOf(matrix.app);
  const refused = cells.filter((cell) => !isAllowed(cell));
  await each(refused, (cell) => asking.refused(cell, ways));
  await each(allowed, (cell) => (isChange ? asking.powerless(cell) : asking.read(cell, ways)));
  expect(asking.shown()).toEqual([]);
  expect(changedLines(before, await stateOf(matrix.app)).slice(0, maxShown)).toEqual([]);
  if (!isChange || allowed.length === 0) return;
  const copies = await matrix.copiesOf(row, allowed);
  await each(allowed, (cell, index) => asking.done({ ...cell, thing: copies[index] as Thing }));
  expect(asking.shown()).toEqual([]);
  // Nothing else has changed: every row that was there before the copies is as it was.
  const others = linesApart(before, await stateOf(matrix.app));
  const wrong = others.filter((line) => matrix.mayChange?.(row, line) !== true);
  expect(wrong.slice(0, maxShown)).toEqual([]);
}

/**
 * Asks for every address of these rows with the methods that it does not have, with OPTIONS, and without its slash. The
 * answers tell nothing about a thing that is hidden, and change nothing.
 */
export async function runOtherMethods<Role extends string, Thing>(
  matrix: Matrix<Role, Thing>,
  rows: readonly MatrixRow[],
): Promise<void> {
  const roles = Object.keys(matrix.people) as Role[];
  const before = await stateOf(matrix.app);
  const found: string[] = [];
  let turn = 0;
  const { engine } = matrix.app.context.database;
  for (const other of selectionOn(engine, otherRows(matrix.app.routes, rows))) {
    const asking = new RowAsking(matrix, other);
    // The roles and the things take turns: each address gets a few of them.
    const cells = shareOf(roles, 3, turn++).flatMap((role) => {
      const things = matrix.things.filter((thing) => matrix.isSelected(thing));
      const hidden = things.filter((thing) => matrix.unless(other, role, thing) !== null);
      return [...shareOf(hidden, 4, turn), ...shareOf(things, 8, turn)].map((thing) => ({
        role,
        thing,
        word: "",
      }));
    });
    await each(cells, (cell) => asking.other(cell));
    found.push(...asking.differences.slice(0, 1));
  }
  expect(found.slice(0, maxShown)).toEqual([]);
  expect(changedLines(before, await stateOf(matrix.app)).slice(0, maxShown)).toEqual([]);
}

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Rows for what the addresses of these rows do not have. */
function otherRows(routes: readonly AppRoute[], rows: readonly MatrixRow[]): MatrixRow[] {
  const byPath = new Map(rows.map((row) => [row.path, row]));
  return routes.flatMap(({ method, path, kind }) => {
    const row = byPath.get(kind === "redirect" ? `${path}/` : path);
    if (row === undefined) return [];
    const isAsked =
      kind === "redirect" ? ["GET", "POST"].includes(method) : kind === "refusal" || method === "OPTIONS";
    const variant = path.endsWith("*") || row.variant.startsWith("?") ? row.variant : "";
    return isAsked ? [{ name: `${method} ${path}`, method, path, variant, words: [] }] : [];
  });
}

/**
 * The cells of a row. Where matrices run in full, it has every role for each selected thing, and the rows share the
 * other cells; elsewhere they share all. A row has each of its words at least once. Deep runs have all cells.
 */
function cellsOf<Role extends string, Thing>(
  { app, people, things, wordFor, isSelected }: Matrix<Role, Thing>,
  row: MatrixRow,
): Cell<Role, Thing>[] {
  const isCovered = isInFull(app.context.database.engine);
  const words = new Set<string>();
  return (Object.keys(people) as Role[]).flatMap((role, turn) => {
    // Every role begins with another thing, so that each thing gets some of the roles.
    const shared = new Set(shareOf(things, sharing[app.context.database.engine], turnOf(row) + turn));
    return things.flatMap((thing) => {
      const word = wordFor(row, role, thing);
      if (word === null) return [];
      if (!shared.has(thing) && words.has(word) && !(isCovered && isSelected(thing))) return [];
      words.add(word);
      return [{ role, thing, word }];
    });
  });
}

/** A number that differs from row to row. It is the same in every run, also in one of a single row. */
function turnOf({ name }: MatrixRow): number {
  let sum = 0;
  for (const letter of name) sum += letter.charCodeAt(0);
  return sum;
}

/** The lines that one state has and the other has not, in either direction. */
function changedLines(before: string, after: string): string[] {
  return before === after ? [] : [...linesApart(before, after), ...linesApart(after, before)];
}

/** Asks what one row asks, and collects the answers that are not as they should be. */
class RowAsking<Role extends string, Thing> {
  readonly differences: string[] = [];
  readonly #matrix: Matrix<Role, Thing>;
  readonly #row: MatrixRow;
  readonly #nevers = new Map<string, Promise<Reply>>();
  readonly #turn: number;

  constructor(matrix: Matrix<Role, Thing>, row: MatrixRow) {
    this.#matrix = matrix;
    this.#row = row;
    this.#turn = turnOf(row);
  }

  shown(): string[] {
    return this.differences.slice(0, maxShown);
  }

  /** A request that is refused, and the same request in another way. */
  async refused(cell: Cell<Role, Thing>, ways: readonly Way[]): Promise<void> {
    const reply = await this.#ask(cell, plainly);
    const [status, body] = this.#matrix.words[cell.word] ?? [0];
    const told = jsonOf(reply);
    const hasOtherBody = told !== null && body !== undefined && JSON.stringify(told) !== JSON.stringify(body);
    if (reply.status !== status || hasOtherBody) {
      this.#differ(cell, plainly, `expected ${status} ${JSON.stringify(body) ?? ""}, got ${shortly(reply)}`);
    }
    await this.#compare(cell, plainly, reply);
    const way = this.#nextWay(cell, ways);
    if (way === null) return;
    const other = await this.#ask(cell, way);
    if (other.status < 300) this.#differ(cell, way, `expected a refusal, got ${shortly(other)}`);
    await this.#compare(cell, way, other);
  }

  /** A request to read that is answered, and the same request in another way. */
  async read(cell: Cell<Role, Thing>, ways: readonly Way[]): Promise<void> {
    const plain = await this.done(cell);
    const way = this.#nextWay(cell, ways);
    if (way === null) return;
    const other = await this.#ask(cell, way);
    if (other.status >= 400) this.#differ(cell, way, `expected an answer, got ${shortly(other)}`);
    const repeatsId = plain.repeatsId === true || other.repeatsId === true;
    await this.#compare(cell, way, { ...other, repeatsId });
  }

  /** A request for a change that would be made, with credentials that may change nothing. */
  async powerless(cell: Cell<Role, Thing>): Promise<void> {
    const way = this.#nextWay(cell, powerless);
    if (way === null) return;
    const reply = await this.#ask(cell, way);
    if (reply.status < 400) this.#differ(cell, way, `expected a refusal, got ${shortly(reply)}`);
  }

  /** A request with a method that the address does not have. */
  async other(cell: Cell<Role, Thing>): Promise<void> {
    const reply = await this.#ask(cell, plainly);
    const isRefused = reply.status >= 300 || this.#row.method === "OPTIONS";
    if (!isRefused) this.#differ(cell, plainly, `expected a refusal, got ${shortly(reply)}`);
    await this.#compare(cell, plainly, reply);
  }

  /** A request that is answered: its status, and its effect. */
  async done(cell: Cell<Role, Thing>): Promise<Reply> {
    const reply = await this.#ask(cell, plainly);
    if (reply.status !== Number.parseInt(cell.word, 10))
      this.#differ(cell, plainly, `expected ${cell.word}, got ${shortly(reply)}`);
    const effect = await this.#matrix.effectOf(this.#row, cell, reply);
    if (effect !== "done") this.#differ(cell, plainly, `has another effect: ${effect}`);
    await this.#compare(cell, plainly, reply);
    return reply;
  }

  /**
   * The ways take turns: a role asks in one of them in this row, and in others in other rows. So what never existed is
   * asked for only once for each role and row. Where tests do not run in full, every fourth role asks in another way.
   */
  #nextWay({ role, thing }: Cell<Role, Thing>, ways: readonly Way[]): Way | null {
    const { app, people, isSelected } = this.#matrix;
    if (!isSelected(thing)) return null;
    const turn = this.#turn + Object.keys(people).indexOf(role);
    if (isInFull(app.context.database.engine)) return ways[turn % ways.length] ?? null;
    return turn % 4 === 0 ? (ways[(turn / 4) % ways.length] ?? null) : null;
  }

  /** What is hidden gets the same answer as what never existed. */
  async #compare(cell: Cell<Role, Thing>, way: Way, reply: Reply): Promise<void> {
    const thing = this.#matrix.unless(this.#row, cell.role, cell.thing);
    if (thing === null) return;
    const asked = this.#matrix.askedOf(this.#row, thing, cell.role);
    const key = JSON.stringify([cell.role, way.name, asked]);
    const asking = this.#nevers.get(key) ?? this.#ask({ ...cell, thing }, way);
    this.#nevers.set(key, asking);
    const never = await asking;
    const textOf = ({ status, headers, body }: Reply): string => {
      const compared = reply.repeatsId === true ? headers.replace(/^etag: .*$/m, "etag") : headers;
      return `${status}\n${compared}\n${body}`;
    };
    const [told, other] = [textOf(reply), textOf(never)];
    if (told === other) return;
    const lines = {
      told: linesApart(told, other).slice(0, maxShown),
      never: linesApart(other, told).slice(0, maxShown),
    };
    this.#differ(
      cell,
      way,
      `differs from what never existed (${never.status}): ${reply.status} ${JSON.stringify(lines)}`,
    );
  }

  async #ask(cell: Cell<Role, Thing>, way: Way): Promise<Reply> {
    const { app, people, askedOf, idsOf, maySee } = this.#matrix;
    const asked = way.of(askedOf(this.#row, cell.thing, cell.role));
    const reply = await ask(app, people[cell.role], asked);
    const leaked = marksIn(reply.headers + reply.body).filter((id) => !maySee(this.#row, cell.role, id));
    if (leaked.length > 0) this.#differ(cell, way, `shows the words of ${leaked.join()}, which it must not`);
    return withoutIds(reply, idsOf(this.#row, cell.thing, cell.role));
  }

  #differ({ role, thing }: Cell<Role, Thing>, way: Way, what: string): void {
    this.differences.push(`${this.#row.name} ${way.name}, ${role}, ${this.#matrix.nameOf(thing)}: ${what}`);
  }
}

function shortly({ status, body }: Reply): string {
  return `${status} ${body.slice(0, 200)}`;
}

/** Runs the action for a few items at a time. */
async function each<T>(
  items: readonly T[],
  action: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      await action(items[index] as T, index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
