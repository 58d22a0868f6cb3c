/** A map with a limited number of entries: it drops the one that was set the longest time ago. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  /** Makes the entry the newest one, also if it was there. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#max) {
      const [oldest] = this.keys();
      this.delete(oldest as Key);
    }
    return this;
  }
}
