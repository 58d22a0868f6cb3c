import type { Usage } from "./child.ts";

/*
 * Loaded before the program in every process that is measured: it says what the process has used when it is asked,
 * and ends the process when nobody is left to ask.
 */
process.on("message", (question) => {
  if (question !== "usage") return;
  const { user, system } = process.cpuUsage();
  process.send?.({
    cpuMicroseconds: user + system,
    residentBytes: process.memoryUsage.rss(),
  } satisfies Usage);
});
process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
