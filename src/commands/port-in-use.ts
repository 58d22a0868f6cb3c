import type { Config } from "../config.ts";

const answerMilliseconds = 3000;

/** Explains that a server cannot listen on a port that is in use. Returns any other error as it is. */
export async function explainedPort(error: unknown, { host, port }: Config): Promise<unknown> {
  if (!(error instanceof Error) || (error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const listener = (await isQuire(host, port))
    ? "Another Quire answers there. If it was told to stop, it is still stopping: it answers its last " +
      "requests first. " +
      "Wait until it has ended"
    : "Another program listens there, or a Quire that is still stopping. Stop it, or wait until it has ended";
  return new Error(`${address} is in use. ${listener}, or choose another port with QUIRE_PORT`, {
    cause: error,
  });
}

async function isQuire(host: string, port: number): Promise<boolean> {
  const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const name = everywhere[host] ?? (host.includes(":") ? `[${host}]` : host);
  try {
    const answer = await fetch(`http://${name}:${port}/livez`, {
      signal: AbortSignal.timeout(answerMilliseconds),
      redirect: "error",
    });
    // Quire gives each request an id.
    return answer.headers.has("x-request-id") && (await answer.text()) === '{"status":"ok"}';
  } catch {
    return false;
  }
}
