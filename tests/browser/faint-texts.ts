import type { Page } from "playwright-core";

/**
 * The texts whose contrast with their background is below 4.5 to 1 (WCAG 2, 1.4.3), each with its contrast, and the
 * fields of forms whose own text would be. The function runs in the browser, because only there the final colours are
 * known.
 */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const channels = (color) => color.match(/[\\d.]+/g).map(Number);
    const alphaOf = (color) => channels(color)[3] ?? 1;
    const luminance = (rgb) => {
      const [red, green, blue] = rgb
        .map((value) => value / 255)
        .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const above = function* (element) {
      for (let at = element; at !== null; at = at.parentElement) yield at;
    };
    const backgroundOf = (element) => {
      for (const one of above(element)) {
        const color = getComputedStyle(one).backgroundColor;
        if (alphaOf(color) === 1) return channels(color).slice(0, 3);
      }
      return [255, 255, 255];
    };
    const contrastOf = (element) => {
      const { color } = getComputedStyle(element);
      const background = backgroundOf(element);
      // How much of the text's own colour is seen. The opacity of a dialog or a menu applies to its background, too.
      let share = alphaOf(color);
      for (const one of above(element)) {
        const { opacity, backgroundColor } = getComputedStyle(one);
        if (alphaOf(backgroundColor) === 1) break;
        share *= Number(opacity);
      }
      const seen = channels(color).slice(0, 3).map((value, at) => value * share + background[at] * (1 - share));
      const [one, other] = [seen, background].map(luminance);
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    };
    const faint = new Set();
    const check = (element, text) => {
      // Text that cannot be seen at all lies over the image of a page, to be selected.
      if (!element.checkVisibility() || alphaOf(getComputedStyle(element).color) === 0) return;
      const contrast = contrastOf(element);
      if (contrast < 4.5) faint.add(contrast.toFixed(1) + ": " + text.trim().slice(0, 40));
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      if (text.data.trim() !== "") check(text.parentElement, text.data);
    const fields = "input:not([type=checkbox], [type=radio], [type=file], [type=range]), select, textarea";
    for (const field of document.querySelectorAll(fields))
      if (field.matches(":enabled")) check(field, "the field " + (field.name || field.id));
    return [...faint];
  })()`);
}
