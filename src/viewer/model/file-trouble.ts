import { batch, signal } from "@preact/signals";
import { editingTexts as texts } from "../texts/editing-texts.ts";
import { passwordTexts } from "../texts/password-texts.ts";
import { findLatestError } from "./file-work.ts";
import { type Client, reasonOf } from "./send.ts";

/** A document whose file could not be read: why, and what can be done about it where it is shown. */
export class FileTrouble {
  /** Why it has no pages, in words; empty while that is read. */
  readonly sentence = signal("");
  /** Whether the file opens with a password only. */
  readonly isLocked = signal(false);
  readonly state = signal<"shown" | "sending" | "sent">("shown");
  /** Why a request was refused, for people. */
  readonly problem = signal("");
  readonly #client: Client;
  readonly #id: number;

  constructor(client: Client, id: number) {
    this.#client = client;
    this.#id = id;
  }

  /** Reads why the file could not be read. */
  async load(): Promise<void> {
    try {
      const reason = await findLatestError(this.#client, this.#id);
      batch(() => {
        this.isLocked.value = reason?.startsWith(lockedMessage) === true;
        this.sentence.value = sentenceFor(reason);
      });
    } catch (error) {
      this.problem.value = reasonOf(error);
    }
  }

  /** Has the server read the file again, with a password if one is given, and calls `onAccepted`. */
  async process(options: { password?: string }, onAccepted: () => void): Promise<void> {
    batch(() => {
      this.problem.value = "";
      this.state.value = "sending";
    });
    try {
      await this.#client.send("POST", `documents/${this.#id}/process/`, options);
      this.state.value = "sent";
      onAccepted();
    } catch (error) {
      this.problem.value = reasonOf(error);
      this.state.value = "shown";
    }
  }
}

/** The messages are documented in docs/processing.md. */
const lockedMessage = "encrypted: it opens with a password only";
const brokenMessage = "broken: ";

function sentenceFor(reason: string | null): string {
  if (reason === null) return texts.trouble.noReason;
  if (reason.startsWith(lockedMessage))
    return reason.endsWith("wrong") ? passwordTexts.wrong : passwordTexts.needed;
  if (reason.startsWith(brokenMessage)) return texts.trouble.broken(reason.slice(brokenMessage.length));
  return texts.trouble.failed(reason);
}
