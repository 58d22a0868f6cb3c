import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { annotationsOnHiddenLayers } from "../prune/layer-states.ts";
import { PdfObjects } from "../prune/pdf-objects.ts";
import type { AddFunction, PdfiumExports } from "./pdfium-exports.ts";
import { saveDocument } from "./pdfium-saving.ts";

/**
 * Finds the annotations of a document on layers that are switched off. pdfium draws them nevertheless and has no
 * function for their layers. So pdfium writes a copy of the document, in which Quire looks them up: once, and only if
 * some annotation is on a layer.
 */
export class HiddenLayers {
  readonly #pdfium: PdfiumExports;
  readonly #addFunction: AddFunction;
  readonly #document: number;
  #hidden: Set<number>[] | null = null;

  constructor(pdfium: PdfiumExports, addFunction: AddFunction, document: number) {
    this.#pdfium = pdfium;
    this.#addFunction = addFunction;
    this.#document = document;
  }

  hides(page: number, annotation: number): boolean {
    this.#hidden ??= this.#find();
    return this.#hidden[page]?.has(annotation) === true;
  }

  #find(): Set<number>[] {
    const copy = path.join(tmpdir(), `quire-document-${randomUUID()}.pdf`);
    const file = openSync(copy, "wx", 0o600);
    try {
      const write = (bytes: Uint8Array): void => {
        for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
      };
      if (!saveDocument(this.#pdfium, this.#addFunction, this.#document, write, { isDecrypted: true }))
        return [];
      const objects = new PdfObjects(copy);
      try {
        return annotationsOnHiddenLayers(objects);
      } finally {
        objects.close();
      }
    } finally {
      closeSync(file);
      rmSync(copy, { force: true });
    }
  }
}
