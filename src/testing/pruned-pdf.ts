import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PdfObjects } from "../processing/prune/pdf-objects.ts";
import type { PdfDictionary } from "../processing/prune/pdf-values.ts";
import { prunePdf } from "../processing/prune/prune-pdf.ts";
import { type PdfObject, writePdf } from "./pdf.ts";

/** A stream with these members of its dictionary. */
export const streamOf = (content: string | Buffer, members = ""): PdfObject => ({
  dictionary: members,
  stream: Buffer.from(content),
});

/**
 * A document with one page, which has this content and these resources. The objects of `more` are numbered from 5.
 * `page` adds members to the page.
 */
export const onePage = (
  content: PdfObject,
  resources: string,
  more: readonly PdfObject[] = [],
  page = "",
): Uint8Array =>
  writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R /Names << /Private (catalogue) >> >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources ${resources} ${page} >>`,
      content,
      ...more,
    ],
    "/Root 1 0 R",
  );

/** A file that was rewritten. */
export interface Pruned {
  text: string;
  /** The members of each page. */
  pages: PdfDictionary[];
}

/** Prunes a PDF. */
export function pruned(pdf: Uint8Array, strictly = true): Pruned {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), "quire-prune-"));
  const from = path.join(folder.path, "from.pdf");
  const to = path.join(folder.path, "to.pdf");
  writeFileSync(from, pdf);
  prunePdf(from, to, { strictly });
  const objects = new PdfObjects(to);
  const tree = objects.dictionary(objects.dictionary(objects.trailer.get("Root"))?.get("Pages"));
  const pages = [tree?.get("Kids") ?? []].flat().map((kid) => objects.dictionary(kid) ?? new Map());
  objects.close();
  return { text: readFileSync(to).toString("latin1"), pages };
}

/** The texts in brackets that are in a file, in order, each as often as it is there. */
export const saidIn = ({ text }: Pick<Pruned, "text">): string[] =>
  [...text.matchAll(/\(([\w ]+)\)/g)].map(([, said = ""]) => said).toSorted();

export const image = (text: string): PdfObject => streamOf(`(${text})`, "/Type /XObject /Subtype /Image");

export const form = (text: string, more = "", members = ""): PdfObject =>
  streamOf(`(${text}) Tj ${more}`, `/Type /XObject /Subtype /Form /BBox [0 0 1 1] ${members}`);

/** Content in a filter that nobody knows. */
export const packed = (members = ""): PdfObject => streamOf("/Drawn Do", `/Filter /Crypt ${members}`);
