import { defineCommand } from "../command-line.ts";

export const keyFile = defineCommand({
  name: "key-file",
  summary: "Write a new key file, with which backups are encrypted.",
  arguments: { placeholder: "<file>", help: "The new file. Only its owner may read it.", min: 1, max: 1 },
  options: {},
  async run({ arguments: [file = ""], stdout }) {
    const { writeKeyFile } = await import("../../backup/encryption.ts");
    await writeKeyFile(file);
    stdout.write(
      `${file} has a new key. Keep copies of it apart from the backups: without it, they cannot be restored.\n`,
    );
    return 0;
  },
});
