/** The first descriptor that systemd passes. */
const firstDescriptor = 3;

/**
 * The descriptor of the listening socket that the process was started with, by the protocol of systemd's socket
 * activation; null if it was started without one.
 *
 * @throws if there are several, because Quire listens on one
 */
export function inheritedSocket(
  environment: Readonly<Record<string, string | undefined>>,
  pid: number,
): number | null {
  const { LISTEN_FDS: count = "", LISTEN_PID: owner = "" } = environment;
  if (count === "" || count === "0") return null;
  // The variables may have been left by a program that this one is a child of.
  if (owner !== String(pid)) return null;
  if (count !== "1") throw new Error(`LISTEN_FDS: ${count} sockets were passed, but Quire listens on one`);
  return firstDescriptor;
}
