import type { PaletteImage } from "../pdfium/palette.ts";
import { BitWriter, PrefixCode, codeLengths } from "./bit-writer.ts";

/*
 * Encodes an image of few colours as a lossless WebP (RFC 9649, section 3): a palette, the pixels in a byte as far as
 * they fit, repeated bytes as copies, and one prefix code for each kind of number. libwebp writes the same format, but
 * tries more and takes four times as long: see webp.ts.
 */

/** The largest side. */
const sideBits = 14;

/**
 * The symbols of the five prefix codes: green has the bytes and 24 classes of lengths. Red, blue and alpha are the same
 * for all pixels here.
 */
const greenSymbols = 256 + 24;
const channelSymbols = 256;
const distanceSymbols = 40;

/** `height` rows of `width` pixels. Null if it hardly has any repetition, so that a photograph's format is smaller. */
export function encodeLosslessWebp(
  { colors, indexes }: PaletteImage,
  width: number,
): Uint8Array<ArrayBuffer> | null {
  const height = indexes.length / width;
  const colorCount = colors.length / 3;
  const packed = packPixels(indexes, width, bitsOfPixel(colorCount));
  const steps = findSteps(packed);
  if (steps === null) return null;
  const bits = new BitWriter(256 + (packed.bytes.length >> 2));
  bits.put(0x2f, 8);
  bits.put(width - 1, sideBits);
  bits.put(height - 1, sideBits);
  // Opaque, and version 0.
  bits.put(0, 1 + 3);
  // The only transform: a palette.
  bits.put(1, 1);
  bits.put(3, 2);
  bits.put(colorCount - 1, 8);
  putColors(bits, colors);
  bits.put(0, 1);
  putSteps(bits, steps);
  return inContainer(bits.finish());
}

function bitsOfPixel(colorCount: number): number {
  if (colorCount <= 2) return 1;
  if (colorCount <= 4) return 2;
  return colorCount <= 16 ? 4 : 8;
}

interface PackedPixels {
  bytes: Uint8Array;
  rowLength: number;
}

/** The first pixel of a byte is in its lowest bits. */
function packPixels(indexes: Uint8Array, width: number, bitsOfEach: number): PackedPixels {
  if (bitsOfEach === 8) return { bytes: indexes, rowLength: width };
  const inByte = 8 / bitsOfEach;
  const rowLength = Math.ceil(width / inByte);
  const bytes = new Uint8Array((indexes.length / width) * rowLength);
  // The first pixels of all bytes, then the second ones, and so on: loops without a loop within are four times as fast.
  for (let inner = 0; inner < inByte; inner++) {
    const shift = inner * bitsOfEach;
    for (let row = 0, toRow = 0; row < indexes.length; row += width, toRow += rowLength) {
      for (let from = row + inner, to = toRow; from < row + width; from += inByte, to++)
        bytes[to] = (bytes[to] ?? 0) | ((indexes[from] ?? 0) << shift);
    }
  }
  return { bytes, rowLength };
}

/** The palette is an image of one row, in which each colour is the difference to the one before. */
function putColors(bits: BitWriter, colors: readonly number[]): void {
  const channel = (offset: number): number[] =>
    colors
      .filter((_, index) => index % 3 === offset)
      .map((value, index, values) => (value - (index === 0 ? 0 : (values[index - 1] ?? 0))) & 0xff);
  const red = channel(0);
  const alpha = red.map((_, index) => (index === 0 ? 0xff : 0));
  const channels = [channel(1), red, channel(2), alpha];
  // No cache of colours.
  bits.put(0, 1);
  const codes = channels.map((values, index) => {
    const counts = new Uint32Array(index === 0 ? greenSymbols : channelSymbols);
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
    return putCode(bits, counts);
  });
  putCode(bits, new Uint32Array(distanceSymbols));
  for (const color of red.keys()) {
    for (const [index, code] of codes.entries()) code.put(bits, channels[index]?.[color] ?? 0);
  }
}

/** Bytes as they are, and copies of earlier ones. */
interface Steps {
  /** A byte; or 256 and the length of a copy, and then the code of its distance. */
  numbers: Uint32Array;
  greens: Uint32Array;
  distances: Uint32Array;
}

const hashBits = 15;
/** Shorter copies take more bits than the bytes. */
const minLength = 4;
const maxLength = 4096;
/** The first codes of distances stand for neighbours in two dimensions. */
const neighbourCodes = 120;
const maxDistance = (1 << 20) - neighbourCodes;
/** An image has repetition if it takes no more steps than this share of its bytes. */
const maxSteps = 1 / 3;

function findSteps({ bytes, rowLength }: PackedPixels): Steps | null {
  const { length } = bytes;
  const numbers = new Uint32Array(Math.ceil(length * maxSteps) + 64);
  const greens = new Uint32Array(greenSymbols);
  const distances = new Uint32Array(distanceSymbols);
  /** For each hash of four bytes, where they were last. */
  const last = new Int32Array(1 << hashBits).fill(-1);
  let count = 0;
  for (let at = 0; at < length;) {
    if (count > numbers.length - 2) return null;
    let copied = 0;
    let distance = rowLength;
    if (at + minLength <= length) {
      const slot = hashOf(bytes, at);
      const from = last[slot] ?? -1;
      last[slot] = at;
      if (at >= rowLength) copied = repeatedLength(bytes, at, at - rowLength);
      if (from >= 0 && at - from <= maxDistance) {
        const repeated = repeatedLength(bytes, at, from);
        if (repeated > copied) {
          copied = repeated;
          distance = at - from;
        }
      }
    }
    if (copied < minLength) {
      const byte = bytes[at] ?? 0;
      numbers[count++] = byte;
      greens[byte] = (greens[byte] ?? 0) + 1;
      at += 1;
      continue;
    }
    const code = codeOfDistance(distance, rowLength);
    numbers[count++] = 256 + copied;
    numbers[count++] = code;
    const lengthClass = 256 + classOf(copied);
    const distanceClass = classOf(code);
    greens[lengthClass] = (greens[lengthClass] ?? 0) + 1;
    distances[distanceClass] = (distances[distanceClass] ?? 0) + 1;
    at += copied;
  }
  return { numbers: numbers.subarray(0, count), greens, distances };
}

function hashOf(bytes: Uint8Array, at: number): number {
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8);
  const high = (bytes[at + 2] ?? 0) | ((bytes[at + 3] ?? 0) << 8);
  const word = low | (high << 16);
  return Math.imul(word, 0x9e3779b1) >>> (32 - hashBits);
}

function repeatedLength(bytes: Uint8Array, at: number, from: number): number {
  const max = Math.min(maxLength, bytes.length - at);
  let length = 0;
  while (length < max && bytes[at + length] === bytes[from + length]) length++;
  return length;
}

function codeOfDistance(distance: number, rowLength: number): number {
  if (distance === rowLength) return 1;
  return distance === 1 ? 2 : distance + neighbourCodes;
}

function putSteps(bits: BitWriter, { numbers, greens, distances }: Steps): void {
  // No cache of colours, and one code for the whole image.
  bits.put(0, 1 + 1);
  const green = putCode(bits, greens);
  for (const value of [0, 0, 0xff]) putCode(bits, onlyValue(value));
  const distance = putCode(bits, distances);
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    if (number < 256) green.put(bits, number);
    else {
      putClassed(bits, green, 256, number - 256);
      index += 1;
      putClassed(bits, distance, 0, numbers[index] ?? 0);
    }
  }
}

function onlyValue(value: number): Uint32Array {
  const counts = new Uint32Array(channelSymbols);
  counts[value] = 1;
  return counts;
}

/** The class of a number from 1: the numbers from 1 to 4 have their own, and each further power of two has two. */
function classOf(number: number): number {
  const value = number - 1;
  if (value < 4) return value;
  const highest = 31 - Math.clz32(value);
  return 2 * highest + ((value >> (highest - 1)) & 1);
}

/** Writes the class of a number, and then the number within its class. */
function putClassed(bits: BitWriter, code: PrefixCode, firstSymbol: number, number: number): void {
  const numberClass = classOf(number);
  code.put(bits, firstSymbol + numberClass);
  if (numberClass < 4) return;
  const further = (numberClass >> 1) - 1;
  bits.put((number - 1) & ((1 << further) - 1), further);
}

/** Writes a prefix code for symbols that occur this often. The only symbol takes no bits. */
function putCode(bits: BitWriter, counts: Uint32Array): PrefixCode {
  const [first = 0, second, third] = [...counts.keys()].filter((symbol) => counts[symbol] !== 0);
  const lengths = new Uint8Array(counts.length);
  if (third !== undefined || (second ?? first) > 0xff) {
    lengths.set(codeLengths(counts));
    bits.put(0, 1);
    putLengths(bits, lengths);
    return new PrefixCode(lengths);
  }
  // The short form, for one or two bytes.
  bits.put(1, 1);
  bits.put(second === undefined ? 0 : 1, 1);
  bits.put(first > 1 ? 1 : 0, 1);
  bits.put(first, first > 1 ? 8 : 1);
  if (second !== undefined) {
    bits.put(second, 8);
    lengths[first] = 1;
    lengths[second] = 1;
  }
  return new PrefixCode(lengths);
}

/** The order in which the lengths of the code for lengths are written. */
const lengthOrder = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const maxLengthOfLength = 7;

/** The symbols 17 and 18 stand for 3 to 10 and for 11 to 138 symbols that do not occur. */
function putLengths(bits: BitWriter, lengths: Uint8Array): void {
  const parts: { symbol: number; further: number; bits: number }[] = [];
  for (let at = 0; at < lengths.length;) {
    let run = 0;
    while (run < 138 && lengths[at + run] === 0) run++;
    if (run >= 11) parts.push({ symbol: 18, further: run - 11, bits: 7 });
    else if (run >= 3) parts.push({ symbol: 17, further: run - 3, bits: 3 });
    else parts.push({ symbol: lengths[at] ?? 0, further: 0, bits: 0 });
    at += run >= 3 ? run : 1;
  }
  const counts = new Uint32Array(lengthOrder.length);
  for (const { symbol } of parts) counts[symbol] = (counts[symbol] ?? 0) + 1;
  const code = new PrefixCode(codeLengths(counts, maxLengthOfLength));
  const inOrder = lengthOrder.map((symbol) => code.lengths[symbol] ?? 0);
  const written = Math.max(4, inOrder.findLastIndex((length) => length > 0) + 1);
  bits.put(written - 4, 4);
  for (const length of inOrder.slice(0, written)) bits.put(length, 3);
  // All lengths follow.
  bits.put(0, 1);
  for (const part of parts) {
    code.put(bits, part.symbol);
    bits.put(part.further, part.bits);
  }
}

function inContainer(data: Uint8Array): Uint8Array<ArrayBuffer> {
  const headLength = 20;
  const padded = data.length + (data.length % 2);
  const bytes = new Uint8Array(headLength + padded);
  const view = new DataView(bytes.buffer);
  bytes.set(Buffer.from("RIFF", "latin1"));
  view.setUint32(4, headLength - 8 + padded, true);
  bytes.set(Buffer.from("WEBPVP8L", "latin1"), 8);
  view.setUint32(16, data.length, true);
  bytes.set(data, headLength);
  return bytes;
}
