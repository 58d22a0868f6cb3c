/** As both engines' `lower` has it for a column of ours: letters beyond ASCII stay as they are. */
export function asciiLower(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
