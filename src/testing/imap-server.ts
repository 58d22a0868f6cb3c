import { once } from "node:events";
import { type AddressInfo, type Server, type Socket, createServer } from "node:net";

/** A mailbox on this machine, with as much of IMAP (RFC 3501) as reading it takes. */
export class TestImapServer {
  /** The mails by UID. */
  readonly mails = new Map<number, string>();
  uidValidity = 7;
  /** How many bytes of mails it sends before it closes the connection. */
  breaksAfterBytes = Infinity;
  /** The UIDs of the mails of which it was asked for the whole. */
  readonly sent: number[] = [];
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();

  /** Returns the mailbox's address, for QUIRE_MAIL_IN_IMAP. */
  async start(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    const { port } = this.#server.address() as AddressInfo;
    return `imap://quire:secret@127.0.0.1:${port}/INBOX`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => undefined);
    socket.write("* OK [CAPABILITY IMAP4rev1] ready\r\n");
    let left = "";
    socket.on("data", (bytes) => {
      const lines = (left + bytes.toString("latin1")).split("\r\n");
      left = lines.pop() ?? "";
      for (const line of lines) this.#answer(socket, line);
    });
  }

  #answer(socket: Socket, line: string): void {
    const [, tag = "*", command = "", rest = ""] = /^(\S+) (UID \w+|\w+) ?(.*)$/i.exec(line) ?? [];
    const name = command.toUpperCase();
    if (name === "LOGIN" && !/^"?quire"? "?secret"?$/.test(rest)) {
      socket.write(`${tag} NO wrong\r\n`);
      return;
    }
    const answers: Record<string, () => void> = {
      CAPABILITY: () => socket.write("* CAPABILITY IMAP4rev1\r\n"),
      LIST: () => socket.write('* LIST () "/" INBOX\r\n'),
      EXAMINE: () =>
        socket.write(
          `* FLAGS ()\r\n* ${this.mails.size} EXISTS\r\n* OK [UIDVALIDITY ${this.uidValidity}] ok\r\n`,
        ),
      "UID SEARCH": () => socket.write(`* SEARCH ${this.#uidsFrom(rest).join(" ")}\r\n`),
      "UID FETCH": () => this.#fetch(socket, rest),
    };
    answers[name]?.();
    socket.write(`${tag} OK done\r\n`);
  }

  /** A range up to * has the last mail at least, as the protocol says. */
  #uidsFrom(rest: string): number[] {
    const from = Number(/(\d+):\*/.exec(rest)?.[1] ?? 1);
    const uids = [...this.mails.keys()];
    const found = uids.filter((uid) => uid >= from);
    return found.length > 0 ? found : uids.slice(-1);
  }

  #fetch(socket: Socket, rest: string): void {
    const [, range = "", items = ""] = /^(\S+) (.*)$/.exec(rest) ?? [];
    const uids = range.split(",").flatMap((part) => {
      const [from = 0, to = from] = part.split(":").map(Number);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    });
    const all = [...this.mails.keys()];
    for (const uid of uids) {
      const mail = this.mails.get(uid);
      if (mail === undefined) continue;
      const parts = [`UID ${uid}`, `RFC822.SIZE ${Buffer.byteLength(mail)}`];
      const header = mail.slice(0, mail.indexOf("\r\n\r\n") + 4);
      if (/BODY(?:\.PEEK)?\[HEADER\]/i.test(items)) parts.push(literal("BODY[HEADER]", header));
      const [whole, start = "0", length = ""] = /BODY(?:\.PEEK)?\[\](?:<(\d+)\.(\d+)>)?/i.exec(items) ?? [];
      if (whole !== undefined) {
        if (start === "0") this.sent.push(uid);
        const bytes = Buffer.from(mail).subarray(Number(start));
        const part = length === "" ? bytes : bytes.subarray(0, Number(length));
        parts.push(literal(length === "" ? "BODY[]" : `BODY[]<${start}>`, part.toString()));
      }
      const answer = `* ${all.indexOf(uid) + 1} FETCH (${parts.join(" ")})\r\n`;
      if (whole !== undefined && answer.length > this.breaksAfterBytes) {
        socket.write(answer.slice(0, this.breaksAfterBytes), () => socket.destroy());
        return;
      }
      socket.write(answer);
    }
  }
}

const literal = (label: string, text: string): string => `${label} {${Buffer.byteLength(text)}}\r\n${text}`;
