import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { type RecognisedKind } from "../contract/search.ts";
import { patternKinds } from "../contract/work.ts";
import { labelled } from "./labelled.ts";
import { recognise, rules } from "./recognise.ts";

const kinds: readonly RecognisedKind[] = [...patternKinds, "date"];
const all: ReadonlySet<RecognisedKind> = new Set(kinds);

interface Marked {
  text: string;
  spans: { kind: RecognisedKind; value: string; start: number }[];
}

/** Reads a text with marks. */
function readMarked(source: string): Marked {
  const spans: Marked["spans"] = [];
  let text = "";
  let at = 0;
  for (const match of source.matchAll(/\[\[(\w+)\|([^\]]*(?:\[at\][^\]]*)?)\]\]/g)) {
    text += source.slice(at, match.index);
    spans.push({ kind: match[1] as RecognisedKind, value: match[2] ?? "", start: text.length });
    text += match[2];
    at = match.index + match[0].length;
  }
  return { text: text + source.slice(at), spans };
}

interface Counts {
  right: number;
  wrong: string[];
  missed: string[];
}

/** How many of the marks are found to the letter, what is found besides, and what is missed, by kind. */
function measure(): Map<RecognisedKind, Counts> {
  const counts = new Map<RecognisedKind, Counts>(
    kinds.map((kind) => [kind, { right: 0, wrong: [], missed: [] }]),
  );
  for (const { text, spans } of labelled.map(readMarked)) {
    const found = recognise(text, all);
    const isSame = (one: { kind: string; start: number }, value: string, other: Marked["spans"][number]) =>
      one.kind === other.kind && one.start === other.start && value === other.value;
    for (const span of found) {
      const value = text.slice(span.start, span.end);
      const ofKind = counts.get(span.kind);
      if (spans.some((marked) => isSame(span, value, marked))) ofKind!.right += 1;
      else ofKind!.wrong.push(`${value} (${span.rule}) in: ${text}`);
    }
    for (const marked of spans)
      if (!found.some((span) => isSame(span, text.slice(span.start, span.end), marked)))
        counts.get(marked.kind)?.missed.push(`${marked.value} in: ${text}`);
  }
  return counts;
}

/** The processor time that a text takes, in seconds. */
function secondsFor(text: string): number {
  const begun = process.cpuUsage();
  recognise(text, all);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}

/** The least that each kind has to reach in the labelled texts. */
const floor = { precision: 0.92, recall: 0.92 };

describe("what is recognised by its form", () => {
  const measured = measure();

  it.each(kinds)("%s is found in the labelled texts, and nothing else is taken for it", (kind) => {
    const { right, wrong, missed } = measured.get(kind) as Counts;
    const precision = right / (right + wrong.length);
    const recall = right / (right + missed.length);
    console.log(
      `${kind.padEnd(16)} precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} ` +
        `(${right} right, ${wrong.length} wrong, ${missed.length} missed)`,
    );
    expect(right + missed.length).toBeGreaterThanOrEqual(8);
    expect({ wrong: precision < floor.precision && wrong, missed: recall < floor.recall && missed }).toEqual({
      wrong: false,
      missed: false,
    });
  });

  it("is the same whichever other kinds are asked for", () => {
    for (const { text } of labelled.map(readMarked)) {
      const found = recognise(text, all);
      for (const kind of kinds)
        expect(recognise(text, new Set([kind]))).toEqual(found.filter((one) => one.kind === kind));
    }
  });

  it("never overlaps, in any text", () => {
    const signs = constantFrom(...Array.from("0123456789 .-/()+@ABDEabe\n€$*"));
    assert(
      property(array(signs, { maxLength: 200 }), (characters) => {
        const found = recognise(characters.join(""), all);
        for (const [index, { start, end }] of found.entries()) {
          expect(start).toBeLessThan(end);
          expect(start).toBeGreaterThanOrEqual(found[index - 1]?.end ?? 0);
        }
      }),
    );
  });

  it("follows rules that name where each form is laid down, each under a name of its own", () => {
    expect(new Set(rules.map(({ kind, name }) => `${kind} ${name}`)).size).toBe(rules.length);
    for (const { source } of rules) expect(source.length).toBeGreaterThan(5);
    expect(new Set(rules.map(({ kind }) => kind))).toEqual(all);
  });

  it("takes time in proportion to the text, also to a hostile one", () => {
    for (const piece of ["0 ", "1-", "a.", "DE", "(0", "+1 ", "a@a.", "$1,", "A-", "* ", "12.3", "01 "]) {
      const [short, long] = [20_000, 160_000].map((length) =>
        secondsFor(piece.repeat(length / piece.length)),
      );
      // Eight times the text takes at most some sixteen times as long; a quadratic rule, 64 times.
      expect([piece, (long ?? 0) < 24 * Math.max(short ?? 0, 0.02)]).toEqual([piece, true]);
    }
  });
});
