import type { Page } from "playwright-core";
import { expect } from "vitest";

/** Waits until the browser has drawn the paper of the PDF that is on the page, in the upper middle of its view. */
export async function expectPdfDrawn(page: Page): Promise<void> {
  const place = await page.locator("object").boundingBox();
  if (place === null) throw new Error("the PDF has no place on the page");
  const clip = { x: place.x + place.width / 3, y: place.y + 100, width: place.width / 3, height: 200 };
  await expect
    .poll(async () => paperShare(page, await page.screenshot({ clip })), { timeout: 20_000 })
    .toBeGreaterThan(0.5);
}

/**
 * How much of a picture (PNG) is as light as paper, from 0 to 1: the browser's view of a PDF is dark but for the
 * document itself. The browser reads the picture too, on a page of its own.
 */
async function paperShare(page: Page, png: Buffer): Promise<number> {
  const desk = await page.context().newPage();
  try {
    return await desk.evaluate<number>(`(async () => {
      const picture = new Image();
      picture.src = "data:image/png;base64,${png.toString("base64")}";
      await picture.decode();
      const { width, height } = picture;
      const canvas = new OffscreenCanvas(width, height).getContext("2d");
      canvas.drawImage(picture, 0, 0);
      const { data } = canvas.getImageData(0, 0, width, height);
      let light = 0;
      for (let at = 0; at < data.length; at += 4) if (Math.min(data[at], data[at + 1], data[at + 2]) > 160) light++;
      return light / (width * height);
    })()`);
  } finally {
    await desk.close();
  }
}
