import { readSync } from "node:fs";
import { init } from "@embedpdf/pdfium";
import type { PdfiumCode } from "./pdfium-code.ts";
import type { AddFunction, PdfiumExports } from "./pdfium-exports.ts";

interface WebAssemblyImports {
  env: { emscripten_resize_heap: (bytes: number) => boolean };
}

/** The part of the WebAssembly interface that is used here. Node's types lack it. */
declare const WebAssembly: {
  Instance: new (code: PdfiumCode, imports: WebAssemblyImports) => { exports: PdfiumExports };
};

/** The memory is compared and put back in blocks of this size. */
const blockBytes = 65_536;
const zeros = new Uint8Array(blockBytes);

/** The memory and the stack of an instance before its first file. */
interface Pristine {
  /** Up to the last block that is not zero. */
  bytes: Uint8Array;
  /** Of the whole memory, in bytes. */
  length: number;
  stackPointer: number;
}

/**
 * An instance of pdfium, for one file after another. Nothing that a hostile file does to pdfium may affect the next
 * file, so between two files {@link restore} puts everything back that the code can change: the memory byte for byte,
 * and the globals, of which there are four (the stack's pointer and its two ends, and the upper half of a 64-bit
 * result). A new instance takes 33 ms instead, and its 18 MB set off collections of garbage.
 */
export class PdfiumInstance {
  readonly exports: PdfiumExports;
  /** The index of the function that reads a block of the file with the given descriptor. */
  readonly readBlock: number;
  readonly #addFunction: AddFunction;
  readonly #ceiling: MemoryCeiling;
  readonly #pristine: Pristine;
  #hasAddedFunctions = false;

  private constructor(exports: PdfiumExports, addFunction: AddFunction, ceiling: MemoryCeiling) {
    this.exports = exports;
    this.#addFunction = addFunction;
    this.#ceiling = ceiling;
    this.readBlock = addFunction((descriptor = -1, position = 0, target = 0, length = 0) => {
      const block = new Uint8Array(exports.memory.buffer, target >>> 0, length >>> 0);
      return readSync(descriptor, block, 0, block.length, position >>> 0) === block.length ? 1 : 0;
    }, "iiiii");
    this.#pristine = pristineStateOf(exports);
  }

  static async start(code: PdfiumCode, memoryLimitMb: number): Promise<PdfiumInstance> {
    const ceiling = new MemoryCeiling(memoryLimitMb);
    const started = Promise.withResolvers<PdfiumExports>();
    const { pdfium } = await init({
      print: silent,
      printErr: silent,
      instantiateWasm(imports: WebAssemblyImports, receive: (instance: object) => void) {
        const instance = new WebAssembly.Instance(code, ceiling.over(imports));
        started.resolve(instance.exports);
        receive(instance);
        return instance.exports;
      },
    });
    const exports = await started.promise;
    exports.FPDF_InitLibrary();
    return new PdfiumInstance(exports, pdfium.addFunction, ceiling);
  }

  /** Gives pdfium a JavaScript function to call. An instance with such a function is not used again. */
  readonly addFunction: AddFunction = (call, signature) => {
    this.#hasAddedFunctions = true;
    return this.#addFunction(call, signature);
  };

  /** Whether pdfium hit the memory limit. Any failure is then due to that. */
  get wasRefusedMemory(): boolean {
    return this.#ceiling.wasReached;
  }

  get memoryMb(): number {
    return this.exports.memory.buffer.byteLength / 1024 / 1024;
  }

  /**
   * Makes the instance as it was before its file. Returns false if that is impossible, because its memory has grown or
   * it got functions: use another then. Never call it after pdfium has thrown.
   */
  restore(): boolean {
    const { bytes, length, stackPointer } = this.#pristine;
    const { buffer } = this.exports.memory;
    if (this.#hasAddedFunctions || this.wasRefusedMemory || buffer.byteLength !== length) return false;
    for (let start = 0; start < length; start += blockBytes) {
      const block = Buffer.from(buffer, start, blockBytes);
      const before = start < bytes.length ? bytes.subarray(start, start + blockBytes) : zeros;
      if (block.compare(before) !== 0) block.set(before);
    }
    this.exports._emscripten_stack_restore(stackPointer);
    this.exports._emscripten_tempret_set(0);
    return true;
  }
}

function pristineStateOf(exports: PdfiumExports): Pristine {
  const memory = Buffer.from(exports.memory.buffer);
  let end = memory.length;
  while (end > 0 && memory.compare(zeros, 0, blockBytes, end - blockBytes, end) === 0) end -= blockBytes;
  return {
    bytes: Uint8Array.from(memory.subarray(0, end)),
    length: memory.length,
    stackPointer: exports.emscripten_stack_get_current(),
  };
}

/**
 * The module offers no memory limit, so the limit is enforced in the imported function that each growth calls.
 */
class MemoryCeiling {
  readonly #bytes: number;
  wasReached = false;

  constructor(megabytes: number) {
    // Emscripten grows the memory by up to a fifth more than is requested.
    this.#bytes = (megabytes * 1024 * 1024) / 1.2;
  }

  over(imports: WebAssemblyImports): WebAssemblyImports {
    const grow = imports.env.emscripten_resize_heap;
    const growBelowCeiling = (bytes: number): boolean => {
      if (bytes >>> 0 <= this.#bytes) return grow(bytes);
      this.wasReached = true;
      return false;
    };
    return { ...imports, env: { ...imports.env, emscripten_resize_heap: growBelowCeiling } };
  }
}

function silent(): void {
  // pdfium's messages about broken files are of no use.
}
