import { createRequire } from "node:module";

interface Person {
  name: string;
  address: string;
}

/** A mail of Outlook for {@link buildOutlookMessage}. */
export interface OutlookMail {
  subject: string;
  body: string;
  senderName?: string;
  senderAddress?: string;
  lastModifier?: Person;
  to?: readonly Person[];
  appointment?: { start: Date; end: Date; location: string };
  attachments: readonly ({ name: string; bytes: Uint8Array } | { mail: OutlookMail })[];
}

/** A folder or a stream of a compound file. */
type Node = { name: string; children: Node[] } | { name: string; bytes: Uint8Array };

interface BurnedEntry {
  name: string;
  type: number;
  length: number;
  children?: number[];
  binaryProvider?: () => Uint8Array;
}

const types = { directory: 1, document: 2, root: 5 };

/** A mail in the form of Outlook (MSG). */
export function buildOutlookMessage(mail: OutlookMail): Buffer {
  return compoundFile(childrenOf(mail, 32));
}

/** A compound file with these streams, of which some may be in folders: `folder/stream`. */
export function buildCompoundFile(streams: Readonly<Record<string, Uint8Array>>): Buffer {
  return compoundFile(
    Object.entries(streams).map(([at, bytes]) => {
      const [name = "", ...folders] = at.split("/").toReversed();
      const stream: Node = { name, bytes: new Uint8Array(bytes) };
      return folders.reduce<Node>((node, folder) => ({ name: folder, children: [node] }), stream);
    }),
  );
}

function compoundFile(children: Node[]): Buffer {
  const { burn } = createRequire(import.meta.url)("@kenjiuno/msgreader/lib/Burner.js") as {
    burn: (entries: BurnedEntry[]) => Uint8Array;
  };
  const entries: BurnedEntry[] = [];
  const add = (node: Node, type: number): number => {
    const index = entries.length;
    if ("bytes" in node) {
      const { name, bytes } = node;
      entries.push({ name, type: types.document, length: bytes.length, binaryProvider: () => bytes });
      return index;
    }
    const entry: BurnedEntry = { name: node.name, type, length: 0 };
    entries.push(entry);
    entry.children = node.children.map((child) => add(child, types.directory));
    return index;
  };
  add({ name: "Root Entry", children }, types.root);
  return Buffer.from(burn(entries));
}

/** @param header the length of the header of the properties, which differs for a mail in another */
function childrenOf(mail: OutlookMail, header: number): Node[] {
  const { subject, body, senderName = "", senderAddress = "", lastModifier, to = [], attachments } = mail;
  return [
    ...(mail.appointment === undefined ? [properties(header)] : appointmentParts(header, mail.appointment)),
    text("0037", subject),
    text("1000", body),
    text("0c1a", senderName),
    ...(senderAddress === "" ? [] : [text("5d01", senderAddress)]),
    ...(lastModifier ? [text("3ffa", lastModifier.name), text("5d0b", lastModifier.address)] : []),
    ...to.map(({ name, address }, index): Node => ({
      name: `__recip_version1.0_#${number(index)}`,
      children: [properties(8), text("3001", name), text("39fe", address)],
    })),
    ...attachments.map((attachment, index): Node => ({
      name: `__attach_version1.0_#${number(index)}`,
      children: [properties(8), ...contentOf(attachment)],
    })),
  ];
}

function contentOf(attachment: OutlookMail["attachments"][number]): Node[] {
  if ("mail" in attachment) {
    const { mail } = attachment;
    return [text("3001", mail.subject), { name: "__substg1.0_3701000D", children: childrenOf(mail, 24) }];
  }
  return [
    text("3707", attachment.name),
    { name: "__substg1.0_37010102", bytes: new Uint8Array(attachment.bytes) },
  ];
}

const stream = (name: string, bytes: Uint8Array): Node => ({ name, bytes: new Uint8Array(bytes) });

/** Properties with numbers of their own, which the file gives to the names that appointments have for them. */
function appointmentParts(
  header: number,
  { start, end, location }: NonNullable<OutlookMail["appointment"]>,
): Node[] {
  const names = [0x8208, 0x820d, 0x820e];
  const list = Buffer.alloc(names.length * 8);
  for (const [index, name] of names.entries()) {
    list.writeUInt32LE(name, index * 8);
    // The first set of properties in the list of sets.
    list.writeUInt16LE(3 << 1, index * 8 + 4);
    list.writeUInt16LE(index, index * 8 + 6);
  }
  const times = Buffer.alloc(32);
  for (const [index, time] of [start, end].entries()) {
    times.writeUInt32LE(0x8001_0040 + index * 0x1_0000, index * 16);
    times.writeBigUInt64LE((BigInt(time.getTime()) + 11_644_473_600_000n) * 10_000n, index * 16 + 8);
  }
  return [
    stream("__properties_version1.0", Buffer.concat([Buffer.alloc(header), times])),
    text("8000", location),
    {
      name: "__nameid_version1.0",
      children: [
        stream("__substg1.0_00020102", Buffer.from("0220060000000000c000000000000046", "hex")),
        stream("__substg1.0_00030102", list),
        stream("__substg1.0_00040102", Buffer.alloc(0)),
      ],
    },
  ];
}

const number = (index: number): string => index.toString(16).toUpperCase().padStart(8, "0");

const properties = (header: number): Node => ({
  name: "__properties_version1.0",
  bytes: new Uint8Array(header),
});

const text = (property: string, value: string): Node => ({
  name: `__substg1.0_${property.toUpperCase()}001F`,
  bytes: new Uint8Array(Buffer.from(value, "utf16le")),
});
