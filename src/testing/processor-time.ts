/**
 * The processor time that this process and its threads have used since the returned function was made, in milliseconds.
 * It says how much work something is. On a busy machine the time on the clock says how busy the machine is.
 */
export function processorTimer(): () => number {
  const begun = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
}
