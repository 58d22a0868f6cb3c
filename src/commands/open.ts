import type { Writable } from "node:stream";
import type { Config } from "../config.ts";
import type { Context } from "../context.ts";

/** Opens a context for as long as `work` takes. */
export async function withContext<T>(
  config: Config,
  stderr: Writable,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const [{ openContext }, { default: pino }] = await Promise.all([import("../context.ts"), import("pino")]);
  const context = await openContext(config, pino({ level: config.logLevel, base: null }, stderr));
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}
