import { type Field, fieldNamed, rangeQuery, valueQuery } from "./query-fields.ts";
import type { Suffix, TermPiece, Token } from "./query-tokens.ts";
import { tokensOf } from "./query-tokens.ts";
import type { Query, TextField, WordPattern } from "./query-tree.ts";
import { fold, isUnspaced, soughtWords } from "./words.ts";

export interface ParseOptions {
  /** What is asked for beside the query, as the parameters of a request: `["user", "1"]`, `["-user", "2"]`. */
  parameters?: readonly (readonly [name: string, value: string])[];
  /** Without, jokers are letters like others, and a word is not fuzzy. */
  hasPatterns: boolean;
  now: Date;
}

export interface ParsedQuery {
  query: Query;
  /** It could not be read as it stands: what had no meaning was read as text. */
  escaped: boolean;
  /** Clauses that are about the answer: `sort:title`, `hl:true`. */
  sort: string | null;
  highlighted: string | null;
}

/** A query may be so long, and ask for so many words. */
export const longestQuery = 10_000;
export const mostClauses = 100;
const deepestNesting = 50;

/** It asks for more than is answered. */
export class TooMuchAskedError extends Error {
  override readonly name = "TooMuchAskedError";
}

/** What cannot be read as it stands. */
class SyntaxFault extends Error {}

/**
 * Reads what a person types, in Lucene's language: see docs/search.md. It never fails because of what stands where.
 *
 * @throws {TooMuchAskedError}
 */
export function parseQuery(text: string, options: ParseOptions): ParsedQuery {
  if (text.length > longestQuery) {
    throw new TooMuchAskedError(`A query may have ${longestQuery} characters, not ${text.length}`);
  }
  const tokens = tokensOf(text, (name) => fieldNamed(name) !== null || asides.has(name));
  try {
    return new Parser(tokens, options, false).parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    return { ...new Parser(tokens, options, true).parse(text), escaped: true };
  }
}

const asides = new Set(["sort", "order", "hl", "_query_"]);

type Modifier = "must" | "mustNot" | null;

/** A part of a list. */
interface Clause {
  modifier: Modifier;
  query: Query;
  /** The field that it asks for, if it is one whose values narrow what is found. */
  filter: string | null;
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #options: ParseOptions;
  /** What has no meaning is passed over. */
  readonly #isLenient: boolean;
  readonly #hasOperators: boolean;
  readonly #asides = new Map<string, string>();
  #at = 0;
  #depth = 0;
  #clauses = 0;

  constructor(tokens: readonly Token[], options: ParseOptions, isLenient: boolean) {
    this.#tokens = tokens;
    this.#options = options;
    this.#isLenient = isLenient;
    this.#hasOperators = tokens.some(({ kind }) => kind === "and" || kind === "or");
  }

  parse(text: string): ParsedQuery {
    const clauses = this.#list(null);
    for (const [name, value] of this.#options.parameters ?? []) clauses.push(...this.#parameter(name, value));
    const isEmpty = clauses.length === 0 && this.#asides.size === 0 && text.trim() !== "";
    return {
      query: isEmpty ? { kind: "nothing" } : this.#combined(clauses, true),
      escaped: false,
      sort: this.#asides.get("sort") ?? this.#asides.get("order") ?? null,
      highlighted: this.#asides.get("hl") ?? null,
    };
  }

  /** Clauses up to the end, or up to the bracket that closes them. */
  #list(field: Field | null): Clause[] {
    const clauses: Clause[] = [];
    for (let token = this.#peek(); token !== null; token = this.#peek()) {
      if (token.kind === "close") {
        if (this.#depth > 0) break;
        this.#fault();
        this.#at += 1;
        continue;
      }
      const clause = this.#alternatives(field);
      if (clause !== null) clauses.push(clause);
    }
    return clauses;
  }

  /** `a OR b`. A clause that stands alone keeps its modifier, which is for the list. */
  #alternatives(field: Field | null): Clause | null {
    const all = [this.#conjunction(field)];
    while (this.#takeOperator("or")) all.push(this.#conjunction(field));
    return joined("or", all);
  }

  #conjunction(field: Field | null): Clause | null {
    const all = [this.#modified(field)];
    while (this.#takeOperator("and")) all.push(this.#modified(field));
    return joined("and", all);
  }

  #takeOperator(kind: "and" | "or"): boolean {
    if (this.#peek()?.kind !== kind) return false;
    this.#at += 1;
    const next = this.#peek();
    // At the end it is a word.
    if (next === null || next.kind === "close") this.#fault();
    return next !== null && next.kind !== "close";
  }

  #modified(field: Field | null): Clause | null {
    let modifier: Modifier = null;
    for (let token = this.#peek(); token !== null; token = this.#peek()) {
      if (token.kind === "must") modifier ??= "must";
      else if (token.kind === "mustNot" || token.kind === "not") {
        modifier = modifier === "mustNot" ? null : "mustNot";
      } else break;
      this.#at += 1;
    }
    const clause = this.#primary(field);
    return clause === null ? null : { ...clause, modifier };
  }

  #primary(field: Field | null): Clause | null {
    const token = this.#peek();
    if (token === null) {
      this.#fault();
      return null;
    }
    if (token.kind === "close") {
      this.#fault();
      return null;
    }
    this.#at += 1;
    switch (token.kind) {
      case "open":
        return this.#group(field);
      case "field":
        return this.#ofField(token.name, token.text);
      case "and":
      case "or":
      case "not":
        this.#fault();
        return this.#wordsClause(null, [{ literal: token.text }], { fuzzy: null, boost: 1 });
      case "phrase":
        return this.#phrase(field, token);
      case "range":
        return this.#range(field, token);
      case "term":
        return this.#term(field, token.value, token.suffix);
      default:
        return null;
    }
  }

  #group(field: Field | null): Clause | null {
    if (this.#depth >= deepestNesting) {
      this.#fault();
      return null;
    }
    this.#depth += 1;
    const clauses = this.#list(field);
    this.#depth -= 1;
    if (this.#peek()?.kind === "close") this.#at += 1;
    else this.#fault();
    if (clauses.length === 0) return null;
    const filters = new Set(clauses.map(({ filter }) => filter));
    // Of one field all the same: `user:(1 2)`. Others that stand in brackets are nobody's filters.
    const [filter = null] = field !== null && filters.size === 1 ? filters : [null];
    return { modifier: null, query: this.#combined(clauses, false), filter };
  }

  #ofField(name: string, text: string): Clause | null {
    const next = this.#peek();
    const hasValue = next !== null && ["open", "phrase", "range", "term"].includes(next.kind);
    if (asides.has(name)) {
      if (hasValue) this.#at += 1;
      if (next?.kind === "term" || next?.kind === "phrase") this.#asides.set(name, textOf(next));
      return null;
    }
    if (!hasValue) {
      this.#fault();
      return this.#wordsClause(null, [{ literal: text }], { fuzzy: null, boost: 1 });
    }
    return this.#primary(fieldNamed(name));
  }

  #phrase(field: Field | null, { value, suffix }: Extract<Token, { kind: "phrase" }>): Clause | null {
    if (field !== null && field.kind !== "text") {
      return filterClause(field, valueQuery(field, value, false, this.#options.now));
    }
    const slop = suffix.fuzzy === null || suffix.fuzzy === "" ? null : Math.floor(Number(suffix.fuzzy));
    return this.#words(textFieldOf(field), soughtWords(value), slop === 0 ? null : slop, suffix.boost);
  }

  #range(field: Field | null, token: Extract<Token, { kind: "range" }>): Clause | null {
    if (field === null || field.kind === "text") {
      return this.#words(textFieldOf(field), soughtWords(`${token.from.value} ${token.to.value}`), null, 1);
    }
    return filterClause(field, rangeQuery(field, token.from, token.to, this.#options.now));
  }

  #term(field: Field | null, pieces: readonly TermPiece[], suffix: Suffix): Clause | null {
    if (field === null || field.kind === "text") return this.#wordsClause(field, pieces, suffix);
    const last = pieces.at(-1);
    const isStart = last !== undefined && "joker" in last && last.joker === "*";
    const value = pieces
      .slice(0, isStart ? -1 : undefined)
      .map(plain)
      .join("");
    return filterClause(field, valueQuery(field, value, isStart, this.#options.now));
  }

  #wordsClause(field: Field | null, pieces: readonly TermPiece[], suffix: Suffix): Clause | null {
    const textField = textFieldOf(field);
    const { boost, fuzzy } = suffix;
    const jokers = pieces.filter((piece) => "joker" in piece);
    const all = pieces.map(plain).join("");
    if (/^\*(?::\*)?$/.test(all) && this.#options.hasPatterns) {
      return { modifier: null, query: { kind: "everything" }, filter: null };
    }
    if (jokers.length === 0 || !this.#options.hasPatterns) {
      const words = soughtWords(all);
      const [only] = words;
      if (fuzzy === null || words.length !== 1 || only === undefined || !this.#options.hasPatterns) {
        return this.#words(textField, words, null, boost);
      }
      const edits = editsOf(fuzzy);
      if (edits === 0) return this.#words(textField, words, null, boost);
      return this.#patterns(textField, [{ like: only, edits }], null, boost);
    }
    const last = pieces.at(-1);
    const isStart = jokers.length === 1 && last !== undefined && "joker" in last && last.joker === "*";
    if (isStart) {
      const words = soughtWords(all.slice(0, -1));
      const patterns = words.map((word, index): WordPattern =>
        index === words.length - 1 ? { start: word } : { word },
      );
      return this.#patterns(textField, patterns, null, boost);
    }
    const pattern = pieces.map((piece) => ("joker" in piece ? piece.joker : fold(piece.literal))).join("");
    if (/^[*?]*$/.test(pattern)) return null;
    return this.#patterns(textField, [{ pattern }], null, boost);
  }

  #words(
    field: TextField | null,
    words: readonly string[],
    slop: number | null,
    boost: number,
  ): Clause | null {
    const patterns = words.map((word): WordPattern => {
      const isLetter = words.length === 1 && Array.from(word).length === 1 && isUnspaced(word);
      return isLetter ? { start: word } : { word };
    });
    return this.#patterns(field, patterns, slop, boost);
  }

  #patterns(
    field: TextField | null,
    words: readonly WordPattern[],
    slop: number | null,
    boost: number,
  ): Clause | null {
    if (words.length === 0) return null;
    this.#clauses += words.length;
    if (this.#clauses > mostClauses) {
      throw new TooMuchAskedError(`A query may ask for ${mostClauses} words`);
    }
    const query: Query = { kind: "words", field, words, slop: words.length > 1 ? slop : null, boost };
    return { modifier: null, query, filter: null };
  }

  /** A name may be given again, for another value, and with a minus for what is not wanted. */
  #parameter(name: string, value: string): Clause[] {
    const isExcluded = name.startsWith("-");
    const field = fieldNamed(isExcluded ? name.slice(1) : name);
    if (field === null || value.trim() === "") return [];
    const separated = field.kind === "number" && field.isId ? value.replaceAll(",", " ") : value;
    const options = { ...this.#options, parameters: [] };
    const tokens = tokensOf(separated, () => false);
    const inner = new Parser(tokens, options, true);
    const clauses = inner.#list(field);
    this.#clauses += inner.#clauses;
    if (clauses.length === 0) return [];
    const query = inner.#combined(clauses, false);
    const filter = field.kind === "text" ? null : nameOf(field);
    return [{ modifier: isExcluded ? "mustNot" : null, query, filter }];
  }

  /**
   * What stands side by side: any of it, but all that has a `+`, and nothing that has a `-`. Where nobody wrote AND or
   * OR, filters narrow what is found: any value of each field.
   */
  #combined(clauses: readonly Clause[], isOutermost: boolean): Query {
    const narrows = (clause: Clause): boolean =>
      isOutermost && clause.filter !== null && clause.modifier !== "mustNot" && !this.#hasOperators;
    const filters = new Map<string, Query[]>();
    for (const clause of clauses.filter(narrows)) {
      const known = filters.get(clause.filter as string);
      if (known === undefined) filters.set(clause.filter as string, [clause.query]);
      else known.push(clause.query);
    }
    const rest = clauses.filter((clause) => !narrows(clause));
    const of = (modifier: Modifier): Query[] =>
      rest.filter((clause) => clause.modifier === modifier).map(({ query }) => query);
    const [wanted, required, excluded] = [of(null), of("must"), of("mustNot")];
    const optional: Query[] =
      wanted.length === 0 ? [] : [anyOf(required.length > 0 ? [{ kind: "everything" }, ...wanted] : wanted)];
    const all: Query[] = [
      ...[...filters.values()].map(anyOf),
      ...required,
      ...optional,
      ...excluded.map((query): Query => ({ kind: "not", of: query })),
    ];
    return all.length === 0 ? { kind: "everything" } : allOf(all);
  }

  #peek(): Token | null {
    return this.#tokens[this.#at] ?? null;
  }

  #fault(): void {
    if (!this.#isLenient) throw new SyntaxFault();
  }
}

function joined(kind: "and" | "or", clauses: readonly (Clause | null)[]): Clause | null {
  const all = clauses.filter((clause) => clause !== null);
  const [first] = all;
  if (first === undefined || all.length === 1) return first ?? null;
  const of = all.map(({ modifier, query }): Query =>
    modifier === "mustNot" ? { kind: "not", of: query } : query,
  );
  return { modifier: null, query: { kind, of }, filter: null };
}

function anyOf(of: readonly Query[]): Query {
  return of.length === 1 ? (of[0] as Query) : { kind: "or", of };
}

function allOf(of: readonly Query[]): Query {
  return of.length === 1 ? (of[0] as Query) : { kind: "and", of };
}

function filterClause(field: Exclude<Field, { kind: "text" }>, query: Query): Clause {
  return { modifier: null, query, filter: nameOf(field) };
}

function nameOf({ field }: Exclude<Field, { kind: "text" }>): string {
  return typeof field === "string" ? field : `data_${field.data}`;
}

function textFieldOf(field: Field | null): TextField | null {
  return field?.kind === "text" ? field.field : null;
}

function plain(piece: TermPiece): string {
  return "joker" in piece ? piece.joker : piece.literal;
}

function textOf(token: Extract<Token, { kind: "term" | "phrase" }>): string {
  return token.kind === "phrase" ? token.value : token.value.map(plain).join("");
}

/** Of `~`, `~1`, `~2`; and of the likeness from 0 to 1 that stood there in older versions of that language. */
function editsOf(fuzzy: string): 0 | 1 | 2 {
  if (fuzzy === "") return 2;
  const number = Number(fuzzy);
  if (number >= 1) return number >= 2 ? 2 : 1;
  if (number === 0) return 0;
  return number >= 0.8 ? 1 : 2;
}
