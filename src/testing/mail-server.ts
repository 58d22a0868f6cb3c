import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll } from "vitest";

/** A mail server on this machine that accepts every mail, or refuses them all. */
export class TestMailServer {
  readonly received: { to: string; text: string }[] = [];
  /** The code with which it refuses all recipients; null to accept them. */
  refusal: number | null = null;
  readonly #server = new SMTPServer({
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo: (_address, _session, done) => {
      const { refusal } = this;
      done(refusal === null ? undefined : Object.assign(new Error("Refused"), { responseCode: refusal }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(",");
        this.received.push({ to, text: decoded(Buffer.concat(chunks).toString()) });
        done();
      });
    },
  });

  /** The settings of an application that sends its mails here. */
  get settings(): Record<string, string> {
    return {
      QUIRE_URL: "https://quire.example",
      QUIRE_MAIL_URL: `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`,
      QUIRE_MAIL_FROM: "Quire <quire@quire.example>",
    };
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }
}

/** Starts a mail server before the tests of a `describe`, and ends it after them. */
export function useMailServer(): TestMailServer {
  const server = new TestMailServer();
  beforeAll(() => server.start());
  afterAll(() => server.stop());
  return server;
}

/** Undoes quoted-printable, in which mails with letters beyond ASCII or long lines are sent. */
const decoded = (text: string): string =>
  Buffer.from(
    text
      .replaceAll(/=\r?\n/g, "")
      .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1",
  ).toString();
