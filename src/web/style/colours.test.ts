import { assert, integer, property } from "fast-check";
import { expect, it } from "vitest";
import { coloursOf, contrastOf, shadeOf } from "./colours.ts";

const pairsIn = (css: string): Map<string, [string, string]> =>
  new Map(
    Array.from(
      css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g),
      ([, name = "", light = "", dark = ""]) => [name, [light, dark]],
    ),
  );

it("a site's own colour can always be read, as text and under text, in light and dark mode", () => {
  const hex = integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);
  const grounds = {
    light: ["#f1efea", "#faf9f6", "#ffffff", "#f3f1ec"],
    dark: ["#12110f", "#171614", "#1f1e1b", "#292824"],
  };
  assert(
    property(hex, (colour) => {
      const pairs = pairsIn(coloursOf(colour));
      for (const [index, on] of [grounds.light, grounds.dark].entries()) {
        const shade = (name: string) => shadeOf(pairs.get(name)?.[index] ?? "");
        for (const ground of on)
          expect(contrastOf(shade("accent"), shadeOf(ground))).toBeGreaterThanOrEqual(4.5);
        for (const [text, ground] of [
          ["accent", "accent-soft"],
          ["on-accent", "accent"],
          ["on-accent", "accent-hover"],
        ] as const)
          expect([text, ground, contrastOf(shade(text), shade(ground)) >= 4.5]).toEqual([text, ground, true]);
      }
    }),
  );
});
