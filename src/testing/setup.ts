import { configureGlobal } from "fast-check";
import { runs, seed } from "./runs.ts";

/** The default options of properties. A property that fails prints its seed. */
configureGlobal({ numRuns: runs(100), ...(seed !== undefined && { seed }) });
