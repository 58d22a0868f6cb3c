import cluster from "node:cluster";

/* Loaded into each program that the bench starts. Ends the program when the bench has ended. */
if (!cluster.isWorker) {
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel?.unref();
}
