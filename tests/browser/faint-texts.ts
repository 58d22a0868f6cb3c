import type { Page } from "playwright-core";

/**
 * The texts whose contrast with their background is below 4.5 to 1 (WCAG 2, 1.4.3), each with its contrast. The
 * function runs in the browser, because only there the final colours are known.
 */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const luminance = (color) => {
      const [red, green, blue] = channels(color)
        .slice(0, 3)
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const isOpaque = (color) => (channels(color)[3] ?? 1) === 1;
    const backgroundOf = (element) => {
      for (let at = element; at !== null; at = at.parentElement) {
        const color = getComputedStyle(at).backgroundColor;
        if (isOpaque(color)) return color;
      }
      return "rgb(255, 255, 255)";
    };
    const contrastOf = (element) => {
      const [one, other] = [getComputedStyle(element).color, backgroundOf(element)].map(luminance);
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    };
    const faint = new Set();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const element = text.parentElement;
      if (text.data.trim() === "" || !element.checkVisibility()) continue;
      const contrast = contrastOf(element);
      if (contrast < 4.5) faint.add(contrast.toFixed(1) + ": " + text.data.trim().slice(0, 40));
    }
    return [...faint];
  })()`);
}
