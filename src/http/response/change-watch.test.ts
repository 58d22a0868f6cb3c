import { expect, it } from "vitest";
import { ChangeWatch } from "./change-watch.ts";

const hour = { limitMilliseconds: 3_600_000 };
const asking = { version: async () => "the same" };

it("waits no longer for a client that leaves", async () => {
  const client = new AbortController();
  const waiting = new ChangeWatch(asking).changed("the same", { ...hour, leaving: client.signal });
  client.abort();
  await expect(waiting).resolves.toBeUndefined();
});

it("does not wait for a client that has left", async () => {
  const changes = new ChangeWatch(asking);
  await expect(
    changes.changed("the same", { ...hour, leaving: AbortSignal.abort() }),
  ).resolves.toBeUndefined();
});

it("notices a change", async () => {
  let version = "the first";
  const changes = new ChangeWatch({ version: async () => version });
  const waiting = changes.changed(await changes.version(), {
    ...hour,
    leaving: new AbortController().signal,
  });
  version = "the second";
  await expect(waiting).resolves.toBeUndefined();
});
