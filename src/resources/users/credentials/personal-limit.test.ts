import { Readable } from "node:stream";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { documentFileKey } from "../../../files/keys.ts";
import { addDocuments } from "../../../testing/factories.ts";
import { type Person, cheapPasswords } from "../../../testing/people.ts";
import { engines, startAppOn, useApp, useStarted } from "../../../testing/test-app.ts";

const patience = { timeout: 60_000 };

interface Opened {
  /** Kept, because a response that is collected as garbage closes its connection. */
  response: Response;
  status: number;
  leave: () => void;
}

// On PostgreSQL these are two servers. On SQLite they are two processes of one server, which share its semaphores.
describe.each(engines)("a limit per person in two processes on %s", (engine) => {
  const app = useApp(engine);
  const second = useStarted(() => {
    const { config, semaphores } = app.context;
    return startAppOn(config, {
      passwordCost: cheapPasswords,
      ...(engine === "sqlite" && { semaphores }),
    });
  });
  const owner = app.person("owner", { organizations: [1] });
  const other = app.person("other", { organizations: [1] });

  beforeAll(async () => {
    await addDocuments(app.context, [{ id: 1, slug: "large" }]);
    // More than the buffers between server and client hold.
    const bytes = Buffer.alloc(24 * 1024 * 1024, "x");
    await app.context.files.put(documentFileKey(1, "large", "pdf"), Readable.from([bytes]));
  });

  const open = async (index: number, target: string, person: Person | null): Promise<Opened> => {
    const leaving = new AbortController();
    const options = { headers: { ...person?.headers }, signal: leaving.signal };
    const response = await (index % 2 === 0 ? app : second).fetch(target, options);
    return { response, status: response.status, leave: () => leaving.abort() };
  };

  /** The statuses of more requests than one person may have open, and of those that follow. */
  async function openTooMany(limit: number, target: string) {
    // Before that, PostgreSQL counts nothing.
    for (const { database } of [app.context, second.context])
      await vi.waitUntil(() => database.hints?.areHeard ?? true, patience);
    const opening = Array.from({ length: limit + 3 }, (_, index) => open(index, target, owner));
    const opened = await Promise.all(opening);
    const more = [await open(0, target, owner), await open(1, target, owner)];
    const others = [await open(0, target, other), await open(1, target, null)];
    const all = [...opened, ...more, ...others];
    for (const { leave, response } of all) if (!response.bodyUsed) leave();
    return {
      given: opened.filter(({ status }) => status === 200).length,
      refused: opened.filter(({ status }) => status === 503).length,
      more: more.map(({ status }) => status),
      others: others.map(({ status }) => status),
    };
  }

  /** The status of a request whose client leaves at once. */
  async function openBriefly(index: number, target: string): Promise<number> {
    const { status, leave } = await open(index, target, owner);
    leave();
    return status;
  }

  it.each([
    ["streams of events", 20, "/api/events/stream/"],
    ["archives of originals", 4, "/api/documents/zip/?id__in=1"],
  ])("counts %s of one person together, and those of others apart", async (_what, limit, target) => {
    const found = await openTooMany(limit, target);
    expect(found).toEqual({ given: limit, refused: 3, more: [503, 503], others: [200, 200] });
    for (const index of [0, 1]) await expect.poll(() => openBriefly(index, target), patience).toBe(200);
  });
});
