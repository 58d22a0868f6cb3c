import type { Addresses } from "../../http/text/addresses.ts";
import { imageSize, maxWebpSide } from "../../processing/image-size.ts";
import type { PageSize } from "../../processing/page-spec.ts";
import { imageWidth } from "../documents/files/page-images.ts";
import type { DocumentRow } from "../documents/store.ts";

/*
 * The images of pages as IIIF Image API 3 services of level 0. Such a service has whole images in the sizes that it
 * names: those that page images have anyway. They are WebP, which browsers have shown since 2020; the level asks for
 * JPEG too, which Quire does not write.
 */

export const imageServiceType = `application/ld+json;profile="http://iiif.io/api/image/3/context.json"`;

/** The page images of a service, from the smallest to the largest. */
const names = ["thumbnail", "small", "normal", "large", "xlarge"] as const;

/** Whether the page images of a document are in this store. */
export function hasImageServices({ asset_url }: Pick<DocumentRow, "asset_url">): boolean {
  return asset_url === null;
}

/** The service of a page, counting from 0, as resources refer to it. */
export function imageServiceOf({ api }: Addresses, id: number, page: number): object {
  return { id: `${api}/iiif/${id}/image/${page + 1}`, type: "ImageService3", profile: "level0" };
}

/** What `info.json` says of a page. */
export function imageInformation(
  addresses: Addresses,
  id: number,
  page: number,
  size: PageSize | undefined,
): object {
  const images = imagesOf(size);
  const sizes = images.map(({ width, height }) => ({ width, height }));
  return {
    "@context": "http://iiif.io/api/image/3/context.json",
    ...imageServiceOf(addresses, id, page),
    protocol: "http://iiif.io/api/image",
    ...sizes.at(-1),
    sizes,
    extraFormats: ["webp"],
    preferredFormats: ["webp"],
  };
}

/** The page image that a size of the Image API names: `max`, or a width and height from `info.json`. */
export function imageNamed(size: PageSize | undefined, wanted: string): string | null {
  if (wanted === "max") return "xlarge";
  return imagesOf(size).find(({ width, height }) => wanted === `${width},${height}`)?.name ?? null;
}

/** A page of unknown size counts as letter paper. */
function imagesOf(size: PageSize | undefined): { name: string; width: number; height: number }[] {
  const [width, height] = [Number(size?.width ?? 612), Number(size?.height ?? 792)];
  const page = width > 0 && height > 0 ? { width, height } : { width: 612, height: 792 };
  return names.map((name) => Object.assign({ name }, imageSize(page, imageWidth(name) ?? 0, maxWebpSide)));
}
