import { configureGlobal } from "fast-check";
import { runs, seed } from "./runs.ts";

/** What a property runs with unless its test says otherwise. A property that fails prints its seed. */
configureGlobal({ numRuns: runs(100), ...(seed !== undefined && { seed }) });
