import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { threadEnvironment } from "../compile-cache.ts";

/*
 * Recognises the language of texts, by the letters that follow each other in it. The text is cut into passages, each of
 * which is recognised, so that a quotation or a list of names does not decide about the whole, and so that the share of
 * the passages says how certain the result is.
 *
 * What the library knows of languages takes 85 MB and 0.4 s to load. So it is in a thread of its own, which ends when
 * it has not been needed for a while, and English, which its common words give away, is recognised without it.
 */

/** The language of a text. */
export interface TextLanguage {
  /** A code of the API. */
  language: string;
  /** The share of the text that is in it, from 0 to 1. */
  certainty: number;
}

/** The codes of the API for those of the library. It does not tell simplified from traditional Chinese. */
const codes: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "am:amh ar:ara az:aze be:bel bg:bul bn:ben ca:cat cs:ces da:dan de:deu el:ell en:eng es:spa et:est eu:eus fa:fas " +
    "fi:fin fr:fra gu:guj he:heb hi:hin hr:hrv hu:hun is:isl it:ita ja:jpn ka:kat kn:kan ko:kor ku:kur lo:lao lt:lit " +
    "lv:lav ml:mal mr:mar ms:msa nl:nld no:nor or:ori pa:pan pl:pol pt:por ro:ron ru:rus sk:slk sl:slv sq:sqi sr:srp " +
    "sv:swe ta:tam te:tel th:tha tl:tgl tr:tur uk:ukr ur:urd vi:vie zh:zho"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

const passageLength = 600;
const maxPassages = 10;
/** Shorter texts are names and numbers as often as sentences. */
const minLetters = 24;
/** Below this share, the text is in no one language. */
const minShare = 0.5;

/** The language of texts that belong together, such as the pages of a document. Null if it cannot be told. */
export async function languageOf(texts: readonly string[]): Promise<TextLanguage | null> {
  const passages = passagesOf(texts);
  const letters = passages.map((passage) => passage.match(/\p{L}/gu)?.length ?? 0);
  const all = letters.reduce((sum, count) => sum + count, 0);
  if (all < minLetters) return null;
  if (passages.every(isPlainlyEnglish)) return { language: "eng", certainty: 1 };
  const found = await recognised(passages);
  const byLanguage = new Map<string, number>();
  for (const [index, passage] of passages.entries()) {
    const language = codeOf(found[index] ?? null, passage);
    if (language === null) continue;
    byLanguage.set(language, (byLanguage.get(language) ?? 0) + (letters[index] ?? 0));
  }
  const [most] = [...byLanguage].toSorted(([, one], [, other]) => other - one);
  if (most === undefined || most[1] < minShare * all) return null;
  return { language: most[0], certainty: Math.round((most[1] / all) * 100) / 100 };
}

function codeOf(found: string | null, passage: string): string | null {
  const code = (found === null ? undefined : codes[found]) ?? null;
  return code === "srp" && !/\p{Script=Cyrillic}/u.test(passage) ? "srp_latn" : code;
}

/** Words that no other language has as often. */
const english = /^(?:the|of|and|that|with|this|from|which|were|they|have|been)$/;

/** Whether every seventh word is one of the most common English words. */
function isPlainlyEnglish(passage: string): boolean {
  const words = passage.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.filter((word) => english.test(word)).length * 7 >= Math.max(14, words.length);
}

/** Some passages of about the same length, from the whole of the texts. */
function passagesOf(texts: readonly string[]): string[] {
  const passages: string[] = [];
  const worded = texts.filter((text) => /\p{L}/u.test(text));
  const ofEach = Math.max(1, Math.floor(maxPassages / Math.max(1, worded.length)));
  const step = Math.max(1, worded.length / maxPassages);
  for (let at = 0; at < worded.length; at += step) {
    const text = worded[Math.floor(at)] ?? "";
    const count = Math.min(ofEach, Math.ceil(text.length / passageLength));
    for (let index = 0; index < count; index++) {
      const start = Math.floor((index * text.length) / count);
      passages.push(text.slice(start, start + passageLength));
    }
  }
  return passages;
}

let thread: Worker | null = null;
/** What is asked of the thread now, and all that waits for it. */
let asked: Promise<unknown> = Promise.resolve();
let idle: NodeJS.Timeout | undefined;
const idleSeconds = 60;
const answerSeconds = 20;

/** Asks the thread, one question after the other. Nothing is recognised if it fails. */
async function recognised(passages: readonly string[]): Promise<readonly (string | null)[]> {
  const answer = asked.then(() => askThread(passages)).catch(() => []);
  asked = answer;
  return answer;
}

async function askThread(passages: readonly string[]): Promise<readonly (string | null)[]> {
  clearTimeout(idle);
  thread ??= new Worker(new URL("./text-language-thread.ts", import.meta.url), {
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 192 },
  });
  const asking = thread;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  asking.postMessage(passages);
  asking.ref();
  try {
    const [answer] = await once(asking, "message", { signal: AbortSignal.timeout(answerSeconds * 1000) });
    asking.unref();
    idle = setTimeout(() => endThread(asking), idleSeconds * 1000).unref();
    return answer as (string | null)[];
  } catch (error) {
    endThread(asking);
    throw error;
  }
}

function endThread(ended: Worker): void {
  if (thread === ended) thread = null;
  void ended.terminate();
}
