/** The words of a passage. Models of sentences read some 250 tokens, which are fewer words. */
const maxWords = 120;
/** A page with more text has a table of it. */
const maxPassagesOfPage = 24;

/** Splits a text into passages: whole sentences, up to {@link maxWords} words. Leaves out those without letters. */
export function passagesOf(text: string): string[] {
  const passages: string[] = [];
  let words: string[] = [];
  const end = (): void => {
    const passage = words.join(" ");
    if (/\p{L}{2}/u.test(passage)) passages.push(passage);
    words = [];
  };
  for (const sentence of text.split(/(?<=[.!?。！？])\s+/u)) {
    // A language without spaces has long words.
    const ofSentence = sentence.match(/\S{1,40}/gu) ?? [];
    if (words.length > 0 && words.length + ofSentence.length > maxWords) end();
    for (const word of ofSentence) {
      words.push(word);
      if (words.length === maxWords) end();
    }
    if (passages.length >= maxPassagesOfPage) break;
  }
  end();
  return passages.slice(0, maxPassagesOfPage);
}
