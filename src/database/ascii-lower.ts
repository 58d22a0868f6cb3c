/** Lower-cases as `lower` does on our columns in both engines: only ASCII letters change. */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
