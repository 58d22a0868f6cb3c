import cluster from "node:cluster";

/* Loaded before a program that the bench starts: ends it when the bench has ended. */
if (!cluster.isWorker) {
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
