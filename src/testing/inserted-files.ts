function size(bytes: number): Buffer {
  const written = Buffer.alloc(4);
  written.writeUInt32LE(bytes);
  return written;
}

/** A file as Windows' Packager writes it into the stream `Ole10Native` of a compound file. */
export function packagedFile(name: string, content: string): Buffer {
  const path = Buffer.from(`C:\\Temp\\${name}\0`, "latin1");
  const parts = [
    Buffer.from([2, 0]),
    Buffer.from(`${name}\0`, "latin1"),
    path,
    Buffer.from([0, 0, 3, 0]),
    size(path.length),
    path,
    size(content.length),
    Buffer.from(content),
  ];
  const whole = Buffer.concat(parts);
  return Buffer.concat([size(whole.length), whole]);
}
