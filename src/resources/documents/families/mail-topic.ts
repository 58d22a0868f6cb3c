/** What mail programs in many languages write before the subject of an answer or of a forwarded mail. */
const marks =
  "re|r|aw|antw|antwort|sv|vs|vl|odp|ynt|res|rif|ref|réf|tr|fw|fwd|wg|wtr|doorst|enc|rv|i|pd|továbbítás|vá";
const mark = new RegExp(`^(?:(?:${marks})(?:\\s*(?:\\[\\d+\\]|\\(\\d+\\)|\\*\\d+))?\\s*[:：]\\s*)+`, "iu");

/** A shorter topic says too little. */
const minTopic = 4;

/**
 * The subject of a mail without the marks of answers and forwarded mails, in lower case, and whether it had some. Empty
 * if it says too little to recognise a conversation.
 */
export function topicOf(subject: string): { topic: string; isMarked: boolean } {
  const plain = subject.normalize("NFKC").replaceAll(/\s+/g, " ").trim();
  const topic = plain.replace(mark, "").trim().toLowerCase();
  return { topic: topic.length < minTopic ? "" : topic, isMarked: mark.test(plain) };
}
