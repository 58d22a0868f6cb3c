/*
 * Every thing of a world for tests of access has words of its own, made from its id, in all its texts. An answer that
 * has these words shows the thing. Letters alone, so that no escaping, and no search, changes them.
 */

const letters = "abcdefghij";

/** The words of the thing with this id, which has six digits. */
export function markOf(id: number): string {
  const text = Array.from(String(id))
    .map((digit) => letters[Number(digit)])
    .join("");
  return `qz${text}zq`;
}

/** The ids of the things whose words are in a text, without repetition. */
export function marksIn(text: string): number[] {
  const found = new Set<number>();
  for (const [, mark = ""] of text.matchAll(/qz([a-j]{6})zq/gi)) {
    found.add(
      Number(
        Array.from(mark.toLowerCase())
          .map((letter) => letters.indexOf(letter))
          .join(""),
      ),
    );
  }
  return [...found];
}
