/** The words of a command: separated by spaces, unless quotation marks hold them together. */
export function wordsOf(command: string): string[] {
  const words = command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g);
  return Array.from(words, ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

/**
 * The program and the arguments of a run. `{folder}` stands for the copy of the add-on's folder, `{json}` for the task,
 * which is the last argument of a command without it. Neither is ever read by a shell.
 */
export function commandOf(runner: string, { folder, json }: { folder: string; json: string }): string[] {
  const template = wordsOf(runner);
  const words = template.some((word) => word.includes("{json}")) ? template : [...template, "{json}"];
  const values: Readonly<Record<string, string>> = { "{folder}": folder, "{json}": json };
  return words.map((word) => word.replaceAll(/\{(?:folder|json)\}/g, (name) => values[name] ?? name));
}
