import type { Kysely } from "kysely";
import type { Database, Writer } from "./database.ts";
import { withStaged } from "./staging-table.ts";
import type { Tables } from "./tables.ts";

/**
 * The transactions of a database. `begin` is called before each, and `check` within each: it throws if nothing can be
 * written.
 */
export function writing(
  kysely: Kysely<Tables>,
  { begin, check }: { begin?: () => void; check?: () => void } = {},
): Pick<Database, "write" | "writeStaged" | "beforeCommit" | "afterCommit"> {
  const committed = new Set<() => void>();
  let finish: ((writer: Writer) => Promise<void>) | null = null;
  const write = async <T>(on: Kysely<Tables>, work: (writer: Writer) => Promise<T>): Promise<T> => {
    begin?.();
    const done = await on.transaction().execute(async (writer) => {
      check?.();
      const result = await work(writer);
      await finish?.(writer);
      return result;
    });
    for (const listener of committed) listener();
    return done;
  };
  return {
    write: (work) => write(kysely, work),
    writeStaged: (staged, work) =>
      kysely
        .connection()
        .execute((connection) => withStaged(connection, staged, () => write(connection, work))),
    beforeCommit: (given) => {
      finish = given;
    },
    afterCommit: (listener) => void committed.add(listener),
  };
}
