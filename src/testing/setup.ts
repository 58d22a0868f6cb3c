import { flushCompileCache } from "node:module";
import { configureGlobal } from "fast-check";
import { afterEach, beforeAll } from "vitest";
import { runs, seed } from "./runs.ts";
import { refuseNewPhrases } from "./statements.ts";

/** The default options of properties. A property that fails prints its seed. */
configureGlobal({ numRuns: runs(100), seed });

/** Otherwise a worker writes what it has compiled when it ends, and the servers that tests start compile it again. */
beforeAll(() => flushCompileCache());

afterEach(refuseNewPhrases);
