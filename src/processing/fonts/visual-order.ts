const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const leftToRight = /[\p{L}\p{N}]/u;
const mirrored = new Map(
  ["()", "[]", "{}", "<>", "«»"].flatMap(
    ([a = "", b = ""]) =>
      [
        [a, b],
        [b, a],
      ] as const,
  ),
);

/**
 * A line in visual order, from left to right. Arabic and Hebrew run from the right, but numbers and other scripts
 * within them do not. This is the Unicode bidirectional algorithm without embeddings, which plain text hardly ever has:
 * a line's direction is that of its first letter, and other characters follow their neighbours.
 */
export function visualOrder(line: string): string {
  if (!rightToLeft.test(line)) return line;
  const characters = Array.from(line);
  const own = characters.map((character) => {
    if (/\p{M}/u.test(character)) return null;
    if (rightToLeft.test(character)) return /\p{N}/u.test(character) ? "left" : "right";
    return leftToRight.test(character) ? "left" : null;
  });
  const first = characters.find((character) => /\p{L}/u.test(character)) ?? "";
  const whole = rightToLeft.test(first) ? "right" : "left";
  const runs: { direction: "left" | "right"; characters: string[] }[] = [];
  for (const [index, character] of characters.entries()) {
    const direction = own[index] ?? between(own, index, whole);
    const run = runs.at(-1);
    if (run?.direction === direction) run.characters.push(character);
    else runs.push({ direction, characters: [character] });
  }
  const parts = runs.map((run) =>
    run.direction === "left" ? run.characters.join("") : reversed(run.characters),
  );
  return (whole === "left" ? parts : parts.toReversed()).join("");
}

function between(
  own: readonly ("left" | "right" | null)[],
  index: number,
  whole: "left" | "right",
): "left" | "right" {
  const before = own.slice(0, index).findLast((direction) => direction !== null) ?? whole;
  const after = own.slice(index).find((direction) => direction !== null) ?? whole;
  return before === after ? before : whole;
}

/** Reverses a run. Combining marks stay behind their letters, and brackets are mirrored. */
function reversed(characters: readonly string[]): string {
  const clusters: string[] = [];
  for (const character of characters) {
    if (/\p{M}/u.test(character) && clusters.length > 0) clusters[clusters.length - 1] += character;
    else clusters.push(mirrored.get(character) ?? character);
  }
  return clusters.toReversed().join("");
}
