/** Lower-cases like both engines' `lower` on our columns: only ASCII letters change. */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
