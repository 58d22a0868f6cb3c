/** Whether an error of an engine has a code that matches, in this member. */
export function hasCode(error: unknown, member: string, matches: (code: unknown) => boolean): boolean {
  return error instanceof Error && member in error && matches(error[member as keyof Error]);
}
