import { brandingLimits } from "../../contract/limits.ts";
import { invalidFields } from "../../errors.ts";

/** In pixels: three times the size at which pages show it. */
const maxSize = { width: 480, height: 84 };
/** An image with more pixels is not decoded. */
const maxPixelsRead = 25_000_000;
const maxSeconds = 10;
const accepted: ReadonlySet<string> = new Set(["png", "jpeg", "webp"]);

/**
 * Draws an uploaded image again as a PNG of the size of a logo, in base64, so that nothing else of the file is kept. An
 * SVG is refused, because it may contain scripts and addresses. Throws 400 if it is no image that can be read. The
 * library is loaded when the first logo is uploaded.
 */
export async function readLogo(file: Buffer): Promise<string> {
  if (file.length > brandingLimits.logoBytes)
    throw invalidFields({ logo: [`The image may have ${brandingLimits.logoBytes / 1000} kB at most`] });
  if (!isAccepted(file)) throw unreadable();
  const { default: sharp } = await import("sharp");
  try {
    const image = sharp(file, { limitInputPixels: maxPixelsRead, failOn: "error" });
    if (!accepted.has((await image.metadata()).format ?? "")) throw unreadable();
    const drawn = await image
      .timeout({ seconds: maxSeconds })
      .autoOrient()
      .resize({ ...maxSize, fit: "inside", withoutEnlargement: true })
      .toColourspace("srgb")
      .png({ compressionLevel: 9 })
      .toBuffer();
    return drawn.toString("base64");
  } catch {
    throw unreadable();
  }
}

/** Whether a file begins as a PNG, a JPEG or a WebP does: no other decoder sees it. */
function isAccepted(file: Buffer): boolean {
  const start = file.subarray(0, 12).toString("hex");
  return /^(89504e470d0a1a0a|ffd8ff|52494646.{8}57454250)/.test(start);
}

const unreadable = (): Error => invalidFields({ logo: ["This is no PNG, JPEG or WebP that can be read"] });
