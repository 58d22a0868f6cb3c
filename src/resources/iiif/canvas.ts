import type { Addresses } from "../../http/text/addresses.ts";
import type { PageSize } from "../../processing/page-spec.ts";

/** In pixels. A canvas is as large as the largest image of its page. */
const canvasWidth = 2000;

/** The canvas of a page, counting from 0. It is only an identifier: no route answers at this address. */
export function canvasId({ api }: Addresses, id: number, page: number): string {
  return `${api}/iiif/${id}/canvas/${page + 1}`;
}

/** The size of the canvas of a page, in pixels. A page of unknown size counts as letter paper. */
export function canvasSize(size: PageSize | undefined): { width: number; height: number } {
  const [width, height] = [Number(size?.width ?? 612), Number(size?.height ?? 792)];
  const shape = width > 0 && height > 0 ? height / width : 792 / 612;
  return { width: canvasWidth, height: Math.max(1, Math.round(canvasWidth * shape)) };
}
