import { type Clause, type Modifier, boosted, combined, joined } from "./query-clauses.ts";
import { type Field, type ValuedField, fieldNamed, rangeQuery, valueQuery } from "./query-fields.ts";
import { Limits, TooMuchAskedError, maxQueryLength } from "./query-limits.ts";
import { type Suffix, type TermPiece, type Token, tokensOf } from "./query-tokens.ts";
import type { Query, TextField } from "./query-tree.ts";
import { phraseQuery, plain, termQuery, textQuery, usesPatterns } from "./query-words.ts";

export interface ParseOptions {
  /** What is asked for beside the query, as the parameters of a request: `["user", "1"]`, `["-user", "2"]`. */
  parameters?: readonly (readonly [name: string, value: string])[];
  /** Without, wildcards are letters like others, and a word is not fuzzy. */
  hasPatterns: boolean;
  now: Date;
}

export interface ParsedQuery {
  query: Query;
  /** It could not be read as it stands: what had no meaning was read as text. */
  escaped: boolean;
  /** Wildcards or a `~` were read as text, because whoever asks may not use them. */
  wildcardsIgnored: boolean;
  /** Clauses that are about the answer: `sort:title`, `hl:true`. */
  sort: string | null;
  highlighted: string | null;
}

const deepestNesting = 50;

/**
 * Reads what a person types, in Lucene's language: see docs/search.md. It never fails because of what stands where.
 *
 * @throws {TooMuchAskedError}
 */
export function parseQuery(text: string, options: ParseOptions): ParsedQuery {
  if (text.length > maxQueryLength) {
    throw new TooMuchAskedError(`A query may have ${maxQueryLength} characters, not ${text.length}`);
  }
  const tokens = tokensOf(text, (name) => fieldNamed(name) !== null || asides.has(name));
  return new Parser(tokens, options, new Limits()).parse(text);
}

const asides = new Set(["sort", "order", "hl", "_query_"]);

class Parser {
  readonly #tokens: readonly Token[];
  readonly #options: ParseOptions;
  /** Something had no meaning where it stands. */
  #hasFault = false;
  #ignoresWildcards = false;
  /** Somebody wrote AND or OR, and it joined something. */
  #hasOperators = false;
  readonly #asides = new Map<string, string>();
  readonly #limits: Limits;
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], options: ParseOptions, limits: Limits) {
    this.#limits = limits;
    this.#tokens = tokens;
    this.#options = options;
  }

  parse(text: string): ParsedQuery {
    const clauses = this.#list(null);
    if (clauses.length === 0 && this.#asides.size === 0 && text.trim() !== "") {
      clauses.push({ modifier: "must", query: { kind: "nothing" }, filter: null, isParameter: false });
    }
    for (const [name, value] of this.#options.parameters ?? []) clauses.push(...this.#parameter(name, value));
    return {
      query: combined(clauses, (clause) => this.#narrows(clause)),
      escaped: this.#hasFault,
      wildcardsIgnored: this.#ignoresWildcards,
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
        this.#hasFault = true;
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
    const next = this.#tokens[this.#at + 1];
    // At the end it is a word.
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
        // Twice not: it must.
        modifier = modifier === "mustNot" ? "must" : "mustNot";
      } else break;
      this.#at += 1;
    }
    const clause = this.#primary(field);
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
      default:
        return null;
    }
  }

  #group(field: Field | null): Clause | null {
    if (this.#depth >= deepestNesting) {
      this.#hasFault = true;
      return null;
    }
    this.#depth += 1;
    const clauses = this.#list(field);
    this.#depth -= 1;
    const closing = this.#peek();
    if (closing?.kind === "close") this.#at += 1;
    else this.#hasFault = true;
    const boost = closing?.kind === "close" ? closing.suffix.boost : 1;
    if (clauses.length === 0) return null;
    const filters = new Set(clauses.map(({ filter }) => filter));
    // Of one field all the same: `user:(1 2)`. Others that stand in brackets are nobody's filters.
    const [filter = null] = field !== null && filters.size === 1 ? filters : [null];
    const query = boosted(combined(clauses), boost);
    return { modifier: null, query, filter, isParameter: false };
  }

  #ofField(name: string, text: string): Clause | null {
    const isNegative = this.#peek()?.kind === "mustNot" && this.#tokens[this.#at + 1]?.kind === "term";
    if (isNegative) this.#at += 1;
    const next = this.#peek();
    const hasValue = next !== null && ["open", "phrase", "range", "term"].includes(next.kind);
    if (asides.has(name)) {
      if (hasValue) this.#at += 1;
      const isText = next?.kind === "term" || next?.kind === "phrase";
      if (isText) this.#asides.set(name, `${isNegative ? "-" : ""}${textOf(next)}`);
      return null;
    }
    if (!hasValue) return this.#literally(text);
    const field = fieldNamed(name);
    if (!isNegative || next.kind !== "term") return this.#primary(field);
    if (field !== null && field.kind !== "text") {
      // A value that begins with a minus, and not the opposite of one.
      this.#at += 1;
      return this.#term(field, [{ literal: "-" }, ...next.value], next.suffix);
    }
    const clause = this.#primary(field);
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

  /** What has no meaning where it stands. */
  #literally(text: string, field: Field | null = null): Clause | null {
    this.#hasFault = true;
    if (field === null || field.kind === "text") {
      return this.#clause(textQuery(textFieldOf(field), text, { boost: 1 }));
    }
    return this.#clause(valueQuery(field, text, false, this.#options.now), field);
  }

  #clause(query: Query | null, filter: ValuedField | null = null): Clause | null {
    if (query === null) return null;
    this.#limits.count(query);
    return { modifier: null, query, filter: filter === null ? null : nameOf(filter), isParameter: false };
  }

  /** A name may be given again, for another value, and with a minus for what is not wanted. */
  #parameter(name: string, value: string): Clause[] {
    const isExcluded = name.startsWith("-");
    const field = fieldNamed(isExcluded ? name.slice(1) : name);
    if (field === null || value.trim() === "") return [];
    const separated = field.kind === "number" && field.isId ? value.replaceAll(",", " ") : value;
    const options = { ...this.#options, parameters: [] };
    const inner = new Parser(
      tokensOf(separated, () => false),
      options,
      this.#limits,
    );
    const clauses = inner.#list(field);
    if (inner.#hasFault) this.#hasFault = true;
    if (inner.#ignoresWildcards) this.#ignoresWildcards = true;
    if (clauses.length === 0) return [];
    const query = combined(clauses);
    const filter = field.kind === "text" ? null : nameOf(field);
    return [{ modifier: isExcluded ? "mustNot" : null, query, filter, isParameter: true }];
  }

  /** Where nobody wrote AND or OR, filters narrow what is found; those that stand beside the query always do. */
  #narrows({ isParameter }: Clause): boolean {
    return isParameter || !this.#hasOperators;
  }

  #peek(): Token | null {
    return this.#tokens[this.#at] ?? null;
  }
}

function nameOf({ field }: ValuedField): string {
  return typeof field === "string" ? field : `data_${field.data}`;
}

function textFieldOf(field: Field | null): TextField | null {
  return field?.kind === "text" ? field.field : null;
}

function textOf(token: Extract<Token, { kind: "term" | "phrase" }>): string {
  return token.kind === "phrase" ? token.value : token.value.map(plain).join("");
}
