import { setImmediate } from "node:timers/promises";

/*
 * Work whose size the contents decide, such as the notes of a document, done in slices. Between two slices the event
 * loop serves other requests.
 */

/** As `Array.map` does, `atOnce` items in a slice. */
export async function mapInSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
  atOnce = 250,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % atOnce === 0) await setImmediate();
    results.push(map(item, index));
  }
  return results;
}

/** The same items. However fast they are taken, other requests are served after each. */
export async function* oneByOne<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    yield item;
    await setImmediate();
  }
}

const sliceLength = 64 * 1024;

/** The JSON of a value, as `JSON.stringify` writes it, in slices of some length. */
export async function* jsonInSlices(value: unknown): AsyncGenerator<string> {
  let slice = "";
  for (const piece of piecesOf(value)) {
    slice += piece;
    if (slice.length < sliceLength) continue;
    yield slice;
    slice = "";
    await setImmediate();
  }
  yield slice;
}

/** Arrays that are longer are written element by element, and so is whatever has one within a few levels. */
const longLength = 50;
const levels = 4;

function* piecesOf(value: unknown): Generator<string> {
  if (!isLong(value, levels)) yield JSON.stringify(value) ?? "null";
  else if (Array.isArray(value)) yield* piecesOfArray(value);
  else yield* piecesOfObject(value as object);
}

function* piecesOfArray(elements: readonly unknown[]): Generator<string> {
  for (const [index, element] of elements.entries()) {
    yield index === 0 ? "[" : ",";
    yield* piecesOf(element);
  }
  yield "]";
}

function* piecesOfObject(value: object): Generator<string> {
  let isFirst = true;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === "function") continue;
    yield `${isFirst ? "{" : ","}${JSON.stringify(name)}:`;
    yield* piecesOf(member);
    isFirst = false;
  }
  yield "}";
}

function isLong(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null || depth === 0 || "toJSON" in value) return false;
  if (Array.isArray(value) && value.length > longLength) return true;
  return Object.values(value).some((member) => isLong(member, depth - 1));
}
