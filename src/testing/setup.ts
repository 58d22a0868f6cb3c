import { configureGlobal } from "fast-check";
import { afterEach } from "vitest";
import { runs, seed } from "./runs.ts";
import { refuseNewPhrases } from "./statements.ts";

/** The default options of properties. A property that fails prints its seed. */
configureGlobal({ numRuns: runs(100), seed });

afterEach(refuseNewPhrases);
