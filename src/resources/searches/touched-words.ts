import type { WordCondition } from "../../search/matches.ts";
import type { PlannedQuery, SearchPlan, WordsPlan } from "../../search/plan.ts";
import type { WordPattern } from "../../search/query-tree.ts";
import { stemsOf } from "../../search/stems.ts";
import { patternTest } from "../../search/word-patterns.ts";
import { plainWordsOf } from "../../search/words.ts";

/**
 * The documents that may match a condition; null if every document may. Every document that matches for some viewer is
 * among them, because the words of all notes and of all fields count, in any language that the index knows.
 */
export type MayMatch = ReadonlySet<number> | null;

/**
 * The words of some documents, and which of these documents have them. Thousands of searches are compared with it
 * before the database is asked, so that a new document costs a statement only for the searches whose words it has.
 */
export class TouchedWords {
  readonly #languages: readonly string[];
  readonly #byWord = new Map<string, Set<number>>();
  readonly #byStem = new Map<string, Set<number>>();
  readonly #byQuery = new Map<PlannedQuery, MayMatch>();

  /** The languages in which documents are analysed: see search/word-forms.ts. */
  constructor(languages: readonly string[]) {
    this.#languages = languages;
  }

  add(documentId: number, text: string): void {
    for (const word of new Set(plainWordsOf(text))) {
      const documents = this.#byWord.get(word);
      if (documents?.has(documentId) === true) continue;
      put(this.#byWord, word, documentId);
      for (const language of this.#languages)
        for (const stem of stemsOf(language, word)) put(this.#byStem, stemKey(language, stem), documentId);
    }
  }

  mayMatch({ query, words }: SearchPlan): MayMatch {
    const known = this.#byQuery.get(query);
    if (known !== undefined) return known;
    const found = this.#of(query, words);
    this.#byQuery.set(query, found);
    return found;
  }

  #of(query: PlannedQuery, words: readonly WordsPlan[]): MayMatch {
    switch (query.kind) {
      case "nothing":
        return new Set();
      case "words": {
        const condition = words[query.index];
        return condition === undefined ? null : this.#withWords(condition);
      }
      case "and":
        return inAll(query.of.map((operand) => this.#of(operand, words)));
      case "or":
        return inAny(query.of.map((operand) => this.#of(operand, words)));
      case "everything":
      case "not":
      case "has":
      case "is":
      case "begins":
      case "range":
        return null;
    }
  }

  #withWords({ wanted, stems }: WordsPlan): MayMatch {
    const forms = stems.map(({ language, stem }) => this.#byStem.get(stemKey(language, stem)) ?? none);
    return inAny([inAll(patternsOf(wanted).map((pattern) => this.#with(pattern))), ...forms]);
  }

  #with(pattern: WordPattern): MayMatch {
    if ("word" in pattern) return this.#byWord.get(pattern.word) ?? none;
    const matches = patternTest(pattern);
    return inAny([...this.#byWord].filter(([word]) => matches(word)).map(([, documents]) => documents));
  }
}

const none: ReadonlySet<number> = new Set();

const stemKey = (language: string, stem: string): string => `${language} ${stem}`;

function put(documents: Map<string, Set<number>>, key: string, id: number): void {
  const known = documents.get(key);
  if (known === undefined) documents.set(key, new Set([id]));
  else known.add(id);
}

function patternsOf(wanted: WordCondition): readonly WordPattern[] {
  if ("pattern" in wanted) return [wanted.pattern];
  return "phrase" in wanted ? wanted.phrase : wanted.near;
}

function inAll(sets: readonly MayMatch[]): MayMatch {
  const [first, ...others] = sets.filter((set) => set !== null);
  if (first === undefined) return null;
  return new Set([...first].filter((id) => others.every((set) => set.has(id))));
}

function inAny(sets: readonly MayMatch[]): MayMatch {
  const all = new Set<number>();
  for (const set of sets) {
    if (set === null) return null;
    for (const id of set) all.add(id);
  }
  return all;
}
