import { maxQueryLength } from "../contract/limits.ts";
import { asQuestion } from "./long-questions.ts";
import { type Clause, type Modifier, boosted, combined, joined, namedBy } from "./query-clauses.ts";
import {
  type Field,
  type ValuedField,
  fieldNamed,
  nameOf,
  rangeQuery,
  textFieldOf,
  valueQuery,
} from "./query-fields.ts";
import { Limits, TooMuchAskedError } from "./query-limits.ts";
import { type Suffix, type TermPiece, type Token, tokensOf } from "./query-tokens.ts";
import type { ParsedQuery, Query } from "./query-tree.ts";
import { phraseQuery, plain, termQuery, textOf, textQuery, usesPatterns } from "./query-words.ts";

export interface ParseOptions {
  /** Conditions in addition to the query, as the parameters of a request: `["user", "1"]`, `["-user", "2"]`. */
  parameters?: readonly (readonly [name: string, value: string])[];
  /** If false, wildcards are ordinary characters, and words are never fuzzy. */
  hasPatterns: boolean;
  now: Date;
}

const maxNesting = 50;

/**
 * Parses a query in Lucene's language: see docs/search.md. No syntax error makes it fail.
 *
 * @throws {TooMuchAskedError}
 */
export function parseQuery(text: string, options: ParseOptions): ParsedQuery {
  if (text.length > maxQueryLength) {
    throw new TooMuchAskedError(`A query may have ${maxQueryLength} characters, not ${text.length}`);
  }
  const tokens = tokensOf(text, (name) => fieldNamed(name) !== null || isDirective(name));
  return new Parser(tokens, options).parse(text);
}

const directives = new Set(["sort", "order", "hl", "_query_"]);
const isDirective = (name: string): boolean => name === "exact" || directives.has(name);

class Parser {
  readonly #tokens: readonly Token[];
  readonly #options: ParseOptions;
  /** Part of the query had no meaning in its position. */
  #hasFault = false;
  #ignoresWildcards = false;
  /** The query contains AND or OR with operands. */
  #hasOperators = false;
  /** Within a negation, each word says what is not wanted. */
  #isNegated = false;
  readonly #leftOut: string[] = [];
  readonly #directives = new Map<string, string>();
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], options: ParseOptions) {
    this.#tokens = tokens;
    this.#options = options;
  }

  parse(text: string): ParsedQuery {
    const clauses = this.#asQuestion(this.#list(null), this.#hasOperators);
    if (clauses.length === 0 && this.#directives.size === 0 && text.trim() !== "") {
      clauses.push({ modifier: "must", query: { kind: "nothing" }, filter: null, isParameter: false });
    }
    for (const [name, value] of this.#options.parameters ?? []) clauses.push(...this.#parameter(name, value));
    const query = combined(clauses, (clause) => this.#narrows(clause));
    new Limits().count(query);
    return {
      query,
      leftOut: this.#leftOut,
      escaped: this.#hasFault,
      wildcardsIgnored: this.#ignoresWildcards,
      sort: this.#directives.get("sort") ?? this.#directives.get("order") ?? null,
      highlighted: this.#directives.get("hl") ?? null,
    };
  }

  /** Leaves words out of a long list without AND and OR. */
  #asQuestion(listed: Clause[], hasOperators: boolean): Clause[] {
    if (hasOperators || this.#isNegated) return listed;
    const { clauses, leftOut } = asQuestion(listed);
    this.#leftOut.push(...leftOut);
    return clauses;
  }

  /** Parses clauses up to the end or the closing bracket. */
  #list(field: Field | null): Clause[] {
    const clauses: Clause[] = [];
    for (let token = this.#peek(); token !== null; token = this.#peek()) {
      if (token.kind === "close") {
        if (this.#depth > 0) break;
        this.#hasFault = true;
        this.#at += 1;
        continue;
      }
      const clause = this.#alternatives(field);
      if (clause !== null) clauses.push(clause);
    }
    return clauses;
  }

  /** Parses `a OR b`. A single clause keeps its modifier, for the list that contains it. */
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
    const next = this.#tokens[this.#at + 1];
    // At the end of a list, an operator is a word.
    if (next === undefined || next.kind === "close") {
      this.#hasFault = true;
      return false;
    }
    this.#at += 1;
    this.#hasOperators = true;
    return true;
  }

  #modified(field: Field | null): Clause | null {
    let modifier: Modifier = null;
    for (let token = this.#peek(); token !== null; token = this.#peek()) {
      if (token.kind === "must") modifier ??= "must";
      else if (token.kind === "mustNot" || token.kind === "not") {
        // A double negation means "must".
        modifier = modifier === "mustNot" ? "must" : "mustNot";
      } else break;
      this.#at += 1;
    }
    const wasNegated = this.#isNegated;
    this.#isNegated ||= modifier === "mustNot";
    const clause = this.#primary(field);
    this.#isNegated = wasNegated;
    if (clause?.modifier !== "mustNot") return clause === null ? null : { ...clause, modifier };
    // `title:-foo` is `-title:foo`.
    return { ...clause, modifier: modifier === "mustNot" ? "must" : "mustNot" };
  }

  #primary(field: Field | null): Clause | null {
    const token = this.#peek();
    if (token === null || token.kind === "close") {
      this.#hasFault = true;
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
        return this.#literally(token.text, field);
      case "stray":
        return this.#literally(token.text);
      case "phrase":
        return this.#phrase(field, token);
      case "range":
        return this.#range(field, token);
      case "term":
        return this.#term(field, token.value, token.suffix);
      case "must":
      case "mustNot":
        return null;
    }
  }

  #group(field: Field | null): Clause | null {
    if (this.#depth >= maxNesting) {
      this.#hasFault = true;
      return null;
    }
    this.#depth += 1;
    const hadOperators = this.#hasOperators;
    this.#hasOperators = false;
    const listed = this.#list(field);
    const clauses = field === null ? this.#asQuestion(listed, this.#hasOperators) : listed;
    this.#hasOperators ||= hadOperators;
    this.#depth -= 1;
    const closing = this.#peek();
    if (closing?.kind === "close") this.#at += 1;
    else this.#hasFault = true;
    const boost = closing?.kind === "close" ? closing.suffix.boost : 1;
    if (clauses.length === 0) return null;
    const filters = new Set(clauses.map(({ filter }) => filter));
    // A group of one field is still a filter: `user:(1 2)`. Other groups are not.
    const [filter = null] = field !== null && filters.size === 1 ? filters : [null];
    const query = boosted(combined(clauses), boost);
    return { modifier: null, query, filter, isParameter: false };
  }

  #ofField(name: string, text: string): Clause | null {
    const isNegative = this.#peek()?.kind === "mustNot" && this.#tokens[this.#at + 1]?.kind === "term";
    if (isNegative) this.#at += 1;
    const next = this.#peek();
    const hasValue = next !== null && ["open", "phrase", "range", "term"].includes(next.kind);
    if (directives.has(name)) {
      if (hasValue) this.#at += 1;
      const isText = next?.kind === "term" || next?.kind === "phrase";
      if (isText) this.#directives.set(name, `${isNegative ? "-" : ""}${textOf(next)}`);
      return null;
    }
    if (!hasValue) return this.#literally(text);
    const field = fieldNamed(name);
    if (!isNegative || next.kind !== "term") return namedBy(name, this.#primary(field));
    if (field !== null && field.kind !== "text") {
      // A value that starts with a minus, not a negation.
      this.#at += 1;
      return this.#term(field, [{ literal: "-" }, ...next.value], next.suffix);
    }
    const clause = namedBy(name, this.#primary(field));
    return clause === null ? null : { ...clause, modifier: "mustNot" };
  }

  #phrase(field: Field | null, { value, suffix }: Extract<Token, { kind: "phrase" }>): Clause | null {
    if (field !== null && field.kind !== "text") {
      return this.#clause(valueQuery(field, value, false, this.#options.now), field);
    }
    return this.#clause(phraseQuery(textFieldOf(field), value, suffix));
  }

  #range(field: Field | null, token: Extract<Token, { kind: "range" }>): Clause | null {
    if (field === null || field.kind === "text") {
      const isUnbounded = token.from.value === "*" && token.to.value === "*";
      if (field !== null && isUnbounded) return this.#clause({ kind: "has", field: field.field });
      const text = `${token.from.value} ${token.to.value}`;
      return this.#clause(textQuery(textFieldOf(field), text, { boost: 1 }));
    }
    return this.#clause(rangeQuery(field, token.from, token.to, this.#options.now), field);
  }

  #term(field: Field | null, pieces: readonly TermPiece[], suffix: Suffix): Clause | null {
    if (field === null || field.kind === "text") {
      const { hasPatterns } = this.#options;
      if (!hasPatterns && usesPatterns(textFieldOf(field), pieces, suffix)) this.#ignoresWildcards = true;
      return this.#clause(termQuery(textFieldOf(field), pieces, suffix, hasPatterns));
    }
    const last = pieces.at(-1);
    const isStart = last !== undefined && "wildcard" in last && last.wildcard === "*";
    const value = pieces
      .slice(0, isStart ? -1 : undefined)
      .map(plain)
      .join("");
    return this.#clause(valueQuery(field, value, isStart, this.#options.now), field);
  }

  /** Reads a token that has no meaning in its position as text. */
  #literally(text: string, field: Field | null = null): Clause | null {
    this.#hasFault = true;
    if (field === null || field.kind === "text") {
      return this.#clause(textQuery(textFieldOf(field), text, { boost: 1 }));
    }
    return this.#clause(valueQuery(field, text, false, this.#options.now), field);
  }

  #clause(query: Query | null, filter: ValuedField | null = null): Clause | null {
    if (query === null) return null;
    return { modifier: null, query, filter: filter === null ? null : nameOf(filter), isParameter: false };
  }

  /** A name may be repeated for another value, or start with a minus to exclude one. */
  #parameter(name: string, value: string): Clause[] {
    const isExcluded = name.startsWith("-");
    const field = fieldNamed(isExcluded ? name.slice(1) : name);
    if (field === null || value.trim() === "") return [];
    const separated = field.kind === "number" && field.isId ? value.replaceAll(",", " ") : value;
    const options = { ...this.#options, parameters: [] };
    const tokens = tokensOf(separated, () => false);
    const inner = new Parser(tokens, options);
    const clauses = inner.#list(field);
    if (inner.#hasFault) this.#hasFault = true;
    if (inner.#ignoresWildcards) this.#ignoresWildcards = true;
    if (clauses.length === 0) return [];
    const query = combined(clauses);
    const filter = field.kind === "text" ? null : nameOf(field);
    return [{ modifier: isExcluded ? "mustNot" : null, query, filter, isParameter: true }];
  }

  /** Without AND or OR, filters narrow the results. Parameters in addition to the query always do. */
  #narrows({ isParameter }: Clause): boolean {
    return isParameter || !this.#hasOperators;
  }

  #peek(): Token | null {
    return this.#tokens[this.#at] ?? null;
  }
}
