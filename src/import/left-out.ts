const whole = new Intl.NumberFormat("en");

/** Counts by kind what was left out, so that nothing is left out silently. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(kind: string, count = 1): void {
    if (count > 0) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + count);
  }

  /** "Left out: notes (2), passwords (1,204)"; null if nothing was. */
  text(): string | null {
    if (this.#counts.size === 0) return null;
    const kinds = [...this.#counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `Left out: ${kinds.map(([kind, count]) => `${kind} (${whole.format(count)})`).join(", ")}`;
  }
}
