import { type ReadonlySignal, type Signal, batch, computed, signal } from "@preact/signals";
import { RefusedError } from "../model/send.ts";
import { texts } from "../texts/texts.ts";
import {
  ConflictError,
  type FieldName,
  type SharedRecord,
  type Version,
  differences,
  saveMerged,
} from "./merge.ts";

/** What is wrong, by field. */
export type Faults<Values> = ReadonlyMap<FieldName<Values>, string>;

/** A field of a form: its value, what is wrong with it, and how it changes. */
export interface Field<Value> {
  value: Value;
  /** Empty if nothing is wrong. */
  fault?: string;
  /** In characters. */
  maxLength?: number | undefined;
  set: (value: Value) => void;
}

interface DraftOptions<Values> {
  /** The maximum lengths of texts. */
  limits?: Partial<Record<FieldName<Values>, number>>;
  /** What is wrong before anything is sent. `before` is what the form began with. */
  check?: (values: Values, before: Values) => Iterable<readonly [FieldName<Values>, string]>;
  /** The value of a field as a text, to show what somebody else has entered. */
  inWords?: (values: Values, field: FieldName<Values>) => string;
  /** Whether nothing is lost if what was typed is not sent, as in a search. */
  isTransient?: boolean;
  /** The fields of members of the API that have other names. */
  aliases?: Readonly<Record<string, FieldName<Values>>>;
  /** What to say if the record, or what it belongs to, is no longer there. */
  gone?: string;
}

/** What a person has entered into a form, what is wrong with it, and whether it is saved. */
export class Draft<Values extends object> {
  readonly values: Signal<Values>;
  /** What the form began with, or what was saved last. */
  readonly base: Signal<Version<Values>>;
  readonly faults: Signal<Faults<Values>> = signal(new Map());
  /** What is wrong with no field in particular; empty if nothing is. */
  readonly problem = signal("");
  readonly isSending = signal(false);
  readonly isUnsaved: ReadonlySignal<boolean>;
  /** Whether the person has tried to leave the form without saving. */
  readonly isLeaving = signal(false);
  readonly #initial: Values;
  readonly #options: DraftOptions<Values>;

  constructor(values: Values, options: DraftOptions<Values> = {}, etag: string | null = null) {
    this.values = signal(values);
    this.base = signal({ values, etag });
    this.#initial = values;
    this.#options = options;
    this.isUnsaved = computed(
      () => options.isTransient !== true && differences(this.base.value.values, this.values.value).length > 0,
    );
  }

  field<Name extends FieldName<Values>>(name: Name): Field<Values[Name]> {
    return {
      value: this.values.value[name],
      fault: this.faults.value.get(name) ?? "",
      maxLength: this.#options.limits?.[name],
      set: (value) => this.set({ [name]: value } as unknown as Partial<Values>),
    };
  }

  /** Changes values. What was wrong with them is forgotten. */
  set(change: Partial<Values>): void {
    const before = this.values.peek();
    const after = { ...before, ...change };
    const changed = new Set(differences(before, after));
    if (changed.size === 0) return;
    batch(() => {
      this.values.value = after;
      this.isLeaving.value = false;
      const others = [...this.faults.peek()].filter(([field]) => !changed.has(field));
      if (others.length < this.faults.peek().size) this.faults.value = new Map(others);
    });
  }

  /** Begins again with these values, or with those of the first time. */
  reset(values: Values = this.#initial): void {
    batch(() => {
      this.values.value = values;
      this.base.value = { values, etag: null };
      this.isLeaving.value = false;
      this.say(new Map());
    });
  }

  /** Shows what is wrong. */
  say(faults: Faults<Values>, problem = ""): void {
    batch(() => {
      this.faults.value = faults;
      this.problem.value = problem;
    });
  }

  /** Runs `send`, unless something is wrong with the values. Returns whether it succeeded; the form shows why not. */
  async submit(send: (values: Values) => Promise<unknown>): Promise<boolean> {
    if (this.isSending.peek()) return false;
    const values = this.values.peek();
    const base = this.base.peek();
    this.say(new Map(this.#options.check?.(values, base.values)));
    if (this.faults.peek().size > 0) return false;
    this.isSending.value = true;
    try {
      await send(values);
      // It may have begun again already.
      if (this.base.peek() === base) this.base.value = { values, etag: null };
      return true;
    } catch (error) {
      this.#refuse(error);
      return false;
    } finally {
      this.isSending.value = false;
    }
  }

  /** Saves a record that others may change meanwhile. Their changes to other fields stay. */
  save<Saved>(record: SharedRecord<Values, Saved>, onSaved: (saved: Saved) => unknown): Promise<boolean> {
    return this.submit(async (values) => onSaved(await saveMerged(record, this.base.peek(), values)));
  }

  /** Runs `close`, unless something would be lost. Then the form says so, and a second call runs it. */
  leave(close: () => void): void {
    if (this.isUnsaved.peek() && !this.isLeaving.peek()) this.isLeaving.value = true;
    else close();
  }

  /** Prevents an event that would close the form, unless nothing would be lost or the person has been told. */
  leaveBy(event: Event): void {
    if (!this.isUnsaved.peek() || this.isLeaving.peek()) return;
    event.preventDefault();
    this.isLeaving.value = true;
  }

  #refuse(error: unknown): void {
    if (error instanceof ConflictError) this.#adopt(error as ConflictError<Values>);
    else if (error instanceof RefusedError) {
      const { gone, aliases = {} } = this.#options;
      if (error.status === 404 && gone !== undefined) return this.say(new Map(), gone);
      const refused = [...error.fields].map(([name, message]) => [aliases[name] ?? name, message] as const);
      const isKnown = ([name]: readonly [string, string]): boolean => Object.hasOwn(this.values.peek(), name);
      const faults = refused.filter(isKnown) as [FieldName<Values>, string][];
      const others = refused.filter((one) => !isKnown(one)).map(([, message]) => message);
      this.say(new Map(faults), faults.length === 0 ? error.message : others.join(" "));
    } else throw error;
  }

  /** Takes what others have changed, and shows at the fields what was changed here too. */
  #adopt({ fields, theirs, merged }: ConflictError<Values>): void {
    const { inWords } = this.#options;
    const inText = (field: FieldName<Values>): string =>
      inWords?.(theirs.values, field) ?? String(theirs.values[field]);
    batch(() => {
      this.base.value = theirs;
      this.values.value = merged;
      this.say(
        new Map(fields.map((field) => [field, texts.form.conflict(inText(field))])),
        texts.form.conflicts,
      );
    });
  }
}
