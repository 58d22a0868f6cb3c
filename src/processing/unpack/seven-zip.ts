import { closeSync, createReadStream, openSync, readSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import SevenZip from "7z-wasm";
import { UnreadableFileError } from "../unreadable-file.ts";
import { DividedOutput, EnoughError, type Item } from "./divided-output.ts";
import { type ContainerToOpen, type Entry, type OpenedContainer, unnamed } from "./unpacking.ts";

/*
 * Archives that 7-Zip reads, compiled to WebAssembly: 7z, RAR, CAB, ISO, bzip2, XZ, and encrypted ZIP archives. 7-Zip
 * writes the contents of all files one after another, and where each ends follows from its list. So names in an archive
 * never become names on the disk, and a solid archive is read once for some hundreds of files.
 *
 * The code that reads RAR comes from unRAR. It may not be used to develop an archiver that is compatible with RAR.
 */

const neededPassword = "encrypted: it opens with a password only";
const unknownMethod = "it is packed by a method that Quire does not know";
const unknownLock = "it is encrypted by a method that Quire does not know";
const wrongPassword = `${neededPassword}, and the one that was given is wrong`;

/** @throws {UnreadableFileError} if the list of its files cannot be read */
export async function openSevenZip(container: ContainerToOpen): Promise<OpenedContainer> {
  const items = await itemsIn(container);
  const spool = new Spool(container, items);
  const packedBytes = statSync(container.from).size;
  const entries = items.map(({ path: name, isUnnamed, size, isEncrypted }, position): Entry => ({
    path: name,
    isUnnamed,
    packedBytes,
    fault: tooLargeFor(container, size),
    async *bytes() {
      if (isEncrypted && container.password === "")
        throw new UnreadableFileError("encrypted", neededPassword);
      yield* await spool.read(position);
    },
  }));
  return { entries, close: () => spool.close() };
}

/** An entry that need not be written to the disk is skipped without being read. */
const tooLargeFor = ({ maxFileBytes }: ContainerToOpen, size: number | null): string | null =>
  size !== null && size > maxFileBytes ? `larger than ${Math.round(maxFileBytes / 1024 / 1024)} MB` : null;

async function itemsIn({ from, password }: ContainerToOpen): Promise<Item[]> {
  // With a wrong password, or none, 7-Zip takes such a list for a broken one.
  const isListEncrypted = hasEncryptedList(from);
  if (isListEncrypted && password === "") throw new UnreadableFileError("encrypted", neededPassword);
  const { lines, complaints } = await run(["l", "-slt", "-ba", ...optionsFor(password)], from);
  if (/encrypted archive|wrong password/i.test(complaints) || (isListEncrypted && complaints !== ""))
    throw new UnreadableFileError("encrypted", password === "" ? neededPassword : wrongPassword);
  const blocks = lines.join("\n").split(/\n\n+/);
  const items = blocks.flatMap((block) => itemOf(new Map(block.split("\n").map(fieldOf))));
  if (items.length === 0 && complaints !== "")
    throw new UnreadableFileError("broken", `broken: ${reasonIn(complaints)}`);
  return items;
}

const fieldOf = (line: string): [string, string] => {
  const [, name = "", value = ""] = /^(.*?) = (.*)$/.exec(line) ?? [];
  return [name, value];
};

function itemOf(fields: ReadonlyMap<string, string>): Item[] {
  const name = fields.get("Path");
  const size = fields.get("Size") ?? "";
  const isFolder = fields.get("Folder") === "+" || fields.get("Attributes")?.startsWith("D") === true;
  if (isFolder || !fields.has("Size")) return [];
  const checksum = fields.get("CRC") ?? "";
  return [
    {
      path: name ?? unnamed,
      isUnnamed: name === undefined,
      size: /^\d+$/.test(size) ? Number(size) : null,
      isEncrypted: fields.get("Encrypted") === "+",
      checksum: /^[0-9A-F]{8}$/.test(checksum) ? Number.parseInt(checksum, 16) : null,
    },
  ];
}

/** An empty password keeps 7-Zip from asking for one. Progress and messages would mix with the output. */
const optionsFor = (password: string): string[] => ["-spd", "-bsp0", `-p${password}`];

const sevenZipSignature = Buffer.from("377abcaf271c", "hex");
const aesMethod = Buffer.from("06f10701", "hex");
const maxListBytes = 1024 * 1024;

/** Whether the list of the files of a 7z archive is encrypted: the method stands in its packed form. */
function hasEncryptedList(from: string): boolean {
  const file = openSync(from, "r");
  try {
    const head = Buffer.alloc(32);
    readSync(file, head, 0, head.length, 0);
    if (!head.subarray(0, sevenZipSignature.length).equals(sevenZipSignature)) return false;
    const position = 32 + Number(head.readBigUInt64LE(12));
    const list = Buffer.alloc(Math.min(maxListBytes, Number(head.readBigUInt64LE(20))));
    const packedList = 0x17;
    readSync(file, list, 0, list.length, position);
    return list[0] === packedList && list.includes(aesMethod);
  } finally {
    closeSync(file);
  }
}

const tellsOfLock = (complaints: string): boolean => /wrong password|encrypted/i.test(complaints);

const locked = (): Error => new UnreadableFileError("encrypted", wrongPassword);

/** Files that were written by one reading of the archive, until they are read. */
class Spool {
  readonly #container: ContainerToOpen;
  readonly #items: readonly Item[];
  readonly #faults = new Map<number, Error>();
  /** The positions that are written, from the first to before the last. */
  #written = { from: 0, to: 0 };

  constructor(container: ContainerToOpen, items: readonly Item[]) {
    this.#container = container;
    this.#items = items;
  }

  async read(position: number): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
    if (position < this.#written.from || position >= this.#written.to) await this.#fill(position);
    const fault = this.#faults.get(position);
    if (fault !== undefined) throw fault;
    const file = this.#file(position);
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    return size === 0 ? [] : removedAfter(file);
  }

  close(): void {
    for (let position = this.#written.from; position < this.#written.to; position++)
      rmSync(this.#file(position), { force: true });
  }

  #file(position: number): string {
    return path.join(this.#container.folder, `spool-${position}`);
  }

  async #fill(first: number): Promise<void> {
    this.close();
    const { from, password, maxFileBytes } = this.#container;
    const output = new DividedOutput(this.#items, {
      first,
      maxFileBytes,
      pathOf: (position) => this.#file(position),
    });
    const { complaints } = await run(["x", "-so", ...optionsFor(password)], from, {
      take: (chunk) => output.take(chunk),
      complain: (line) => this.#noteFault(line, output),
    });
    const end = output.close();
    this.#written = { from: first, to: Math.max(first, end) };
    const isLocked = tellsOfLock(complaints);
    for (const position of output.damaged)
      this.#faults.set(position, isLocked ? locked() : new Error("its checksum is wrong"));
    // 7-Zip was not stopped: what it has not written cannot be read.
    if (complaints === "") return;
    const reason = reasonIn(complaints);
    for (let position = end; position < this.#items.length; position++)
      this.#faults.set(position, isLocked ? locked() : new Error(reason));
    this.#written.to = this.#items.length;
  }

  /** A file of which 7-Zip complains has none of the output that follows, or no more of it. */
  #noteFault(line: string, output: DividedOutput): void {
    const [, complaint = "", name = ""] = /^ERROR: (.*?) : (.*)$/.exec(line) ?? [];
    const position = output.fail(name);
    if (position === null) return;
    const isUnknown = /unsupported method/i.test(complaint);
    const method = this.#items[position]?.isEncrypted === true ? unknownLock : unknownMethod;
    const fault = (): Error => new Error(isUnknown ? method : reasonIn(line));
    this.#faults.set(position, tellsOfLock(complaint) ? locked() : fault());
  }
}

async function* removedAfter(file: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(file) as AsyncIterable<Uint8Array>;
  rmSync(file, { force: true });
}

/** What 7-Zip complains of, without the name of the archive on the server. */
function reasonIn(complaints: string): string {
  const lines = complaints.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((one) => /^ERROR/i.test(one)) ?? lines[0] ?? "";
  const reason = line.replace(/^ERROR(?:S|:)?:?\s*/i, "").split(" : ")[0] ?? "";
  return reason === "" || /\.\w+$/.test(reason) ? "its structure cannot be made out" : reason.slice(0, 200);
}

/** What the types of 7-Zip do not mention. */
interface OpenStreams {
  getStream(descriptor: number): { stream_ops: object } | null;
}

/** Receives what 7-Zip says, in the order in which it says it. */
interface Listener {
  take: (chunk: Uint8Array) => void;
  complain: (line: string) => void;
}

/** Runs 7-Zip once on an archive. Its output goes to the listener, or else line by line into the result. */
async function run(
  args: readonly string[],
  from: string,
  listener?: Listener,
): Promise<{ lines: string[]; complaints: string }> {
  const lines: string[] = [];
  const complaints: string[] = [];
  const sevenZip = await SevenZip.default({
    print: (line) => lines.push(line),
    printErr: (line) => {
      complaints.push(line);
      listener?.complain(line);
    },
    stdin: () => null as unknown as number,
  });
  const { FS, NODEFS } = sevenZip;
  FS.mkdir("/archive");
  FS.mount(NODEFS, { root: path.dirname(from) }, "/archive");
  FS.chdir("/archive");
  const output = (FS as typeof FS & OpenStreams).getStream(1);
  if (listener !== undefined && output !== null) {
    output.stream_ops = {
      ...output.stream_ops,
      write(_stream: unknown, buffer: Uint8Array, offset: number, length: number) {
        listener.take(buffer.subarray(offset, offset + length));
        return length;
      },
    };
  }
  try {
    sevenZip.callMain([...args, path.basename(from)]);
  } catch (error) {
    // A number is an error within 7-Zip.
    if (typeof error === "number") complaints.push("ERROR: its structure cannot be made out");
    else if (!(error instanceof EnoughError)) throw error;
  }
  return { lines, complaints: complaints.join("\n").trim() };
}
