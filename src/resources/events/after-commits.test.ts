import pino from "pino";
import { describe, expect, it } from "vitest";
import { openContext } from "../../context.ts";
import { engines, testStorage } from "../../testing/test-app.ts";
import { addOwner } from "../../testing/sent-files.ts";
import { followCommits } from "./after-commits.ts";

describe.each(engines)("followCommits on %s", (engine) => {
  it("logs nothing if the database is closed before what follows a commit", async () => {
    await using storage = await testStorage(engine);
    const logged: string[] = [];
    const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
    const context = await openContext(storage.config, log);
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    followCommits(context, {
      isWanted: async ({ reader }) => {
        resolve();
        return (await reader.selectFrom("documents").select("id").execute()).length > 0;
      },
      queue: async () => undefined,
      gatherMilliseconds: 1,
    });
    await addOwner(context);
    await context.close();
    await asked;
    // What the query throws is logged in the same turn.
    await new Promise((done) => setImmediate(done));
    expect(logged).toEqual([]);
  });
});
