import { setImmediate as nextTurn } from "node:timers/promises";
import type { DatabaseSettings, Writer } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { Chance } from "../chance.ts";
import { addDocument, projectIds, sortColumns } from "./population.ts";

/*
 * Runs in a separate process: writes in transactions of a few changes each until it is told to stop, then reports what
 * it did.
 */
export interface WriterWork {
  settings: DatabaseSettings;
  seed: number;
  edited: number[];
  drifters: number[];
}

type Action = "inserted" | "deleted" | "moved" | "hidden" | "shown" | "edited";
export type ActionCounts = Record<Action, number>;

const stopping = new AbortController();
process.channel?.ref();
process.on("message", (message: WriterWork | "stop" | "usage") => {
  if (message === "stop") stopping.abort();
  else if (message !== "usage") void write(message);
});

async function write({ settings, seed, ...documents }: WriterWork): Promise<void> {
  const database = await openDatabase(settings);
  process.send?.("writing");
  const hand = new WritingHand(new Chance(seed), documents);
  const counts: ActionCounts = { inserted: 0, deleted: 0, moved: 0, hidden: 0, shown: 0, edited: 0 };
  while (!stopping.signal.aborted) {
    const actions = await database.write((writer) => hand.writeSome(writer));
    for (const action of actions) counts[action] += 1;
    await nextTurn();
  }
  await database.close();
  process.send?.(counts);
}

class WritingHand {
  readonly #chance: Chance;
  readonly #edited: readonly number[];
  readonly #drifters: number[];
  readonly #usual: number;

  constructor(chance: Chance, { edited, drifters }: Pick<WriterWork, "edited" | "drifters">) {
    this.#chance = chance;
    this.#edited = edited;
    this.#drifters = drifters;
    this.#usual = drifters.length;
  }

  async writeSome(writer: Writer): Promise<Action[]> {
    const actions: Action[] = [];
    for (let left = 1 + this.#chance.below(6); left > 0; left--) actions.push(await this.#act(writer));
    return actions;
  }

  #act(writer: Writer): Promise<Action> {
    const one = this.#chance.below(12);
    if (one < 2) return this.#edit(writer);
    if (one < 4) return this.#setVisible(writer, this.#chance.is(0.6));
    if (one < 6) return this.#drifters.length > this.#usual / 2 ? this.#remove(writer) : this.#insert(writer);
    if (one < 8)
      return this.#drifters.length < this.#usual * 1.5 ? this.#insert(writer) : this.#remove(writer);
    return this.#move(writer);
  }

  async #insert(writer: Writer): Promise<Action> {
    this.#drifters.push(await addDocument(writer, this.#chance));
    return "inserted";
  }

  async #remove(writer: Writer): Promise<Action> {
    const [id] = this.#drifters.splice(this.#chance.below(this.#drifters.length), 1);
    await writer
      .deleteFrom("documents")
      .where("id", "=", id ?? 0)
      .execute();
    return "deleted";
  }

  /** Changes one of the columns, or sometimes all of them. */
  async #move(writer: Writer): Promise<Action> {
    const columns = Object.entries(sortColumns(this.#chance));
    const changed = this.#chance.is(0.2) ? columns : [this.#chance.pick(columns)];
    await writer
      .updateTable("documents")
      .set(Object.fromEntries(changed))
      .where("id", "=", this.#chance.pick(this.#drifters))
      .execute();
    return "moved";
  }

  async #setVisible(writer: Writer, visible: boolean): Promise<Action> {
    const hidden = this.#chance.is(0.5) ? { access: "private" } : { status: "pending" };
    await writer
      .updateTable("documents")
      .set(visible ? { access: "public", status: this.#chance.pick(["success", "readable"]) } : hidden)
      .where("id", "=", this.#chance.pick(this.#drifters))
      .execute();
    return visible ? "shown" : "hidden";
  }

  /** Changes members of the record that no list is sorted by. */
  async #edit(writer: Writer): Promise<Action> {
    const id = this.#chance.pick(this.#edited);
    if (this.#chance.is(0.7)) {
      const description = this.#chance.hexadecimal(8);
      await writer.updateTable("documents").set({ description }).where("id", "=", id).execute();
      return "edited";
    }
    const project_id = this.#chance.pick(projectIds);
    const { numDeletedRows } = await writer
      .deleteFrom("project_memberships")
      .where("project_id", "=", project_id)
      .where("document_id", "=", id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) {
      const membership = { project_id, document_id: id, edit_access: false };
      await writer.insertInto("project_memberships").values(membership).execute();
    }
    return "edited";
  }
}
