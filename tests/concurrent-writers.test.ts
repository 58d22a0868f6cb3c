import { describe, expect, it } from "vitest";
import { addDocuments } from "../src/testing/factories.ts";
import { addPerson } from "../src/testing/people.ts";
import { runs } from "../src/testing/runs.ts";
import { engines, startAppOn, testStorage } from "../src/testing/test-app.ts";
import { runContest } from "../src/testing/writers.ts";

const changes = runs(200);
const isOver = (done: number): boolean => done >= changes;

describe.each(engines)("64 concurrent writers and readers on %s", (engine) => {
  it("get no lock errors and lose no writes (bench/writers.ts runs longer)", async () => {
    await using storage = await testStorage(engine);
    await using one = await startAppOn(storage.config);
    await using other = await startAppOn(storage.config);
    const row = { title: "0", access: "organization" };
    const documents = await addDocuments(
      one.context,
      Array.from({ length: 8 }, () => row),
    );
    const people = [];
    for (let index = 0; index < 8; index++)
      people.push(await addPerson(one.context, { username: `writer-${index}`, organizations: [1] }));
    const contest = { servers: [one, other], people, documents, writers: 40, readers: 24, isOver };
    const outcome = await runContest(contest);
    expect(outcome).toMatchObject({ unexpected: [], lost: [] });
    expect(outcome.acknowledged).toBeGreaterThanOrEqual(changes);
    expect(outcome.read).toBeGreaterThan(changes / 6);
  });
});
