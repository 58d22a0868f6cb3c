import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

/*
 * A folder as `QUIRE_EMBEDDING_MODEL` names it, with a model of a few words: those of a group mean the same. Its
 * packages have the interface of the real ones, so that all of Quire's own code runs.
 */

const tokenizers = `exports.Tokenizer = class {
  constructor({ groups }) { this.groups = groups; }
  encode(text) {
    const words = text.toLowerCase().match(/\\p{L}+/gu) ?? [];
    return { ids: [0, ...words.map((word) => 1 + this.groups.findIndex((group) => group.includes(word)))] };
  }
};`;

/** Each token is a vector with a 1 for its group; a token of no group is a short vector. */
const runtime = `const { readFileSync } = require("node:fs");
exports.Tensor = class { constructor(type, values, dims) { Object.assign(this, { type, values, dims }); } };
exports.InferenceSession = { async create(file) {
  const size = Number(readFileSync(file, "utf8"));
  return { inputNames: ["input_ids", "attention_mask"], outputNames: ["last_hidden_state"],
    async run({ input_ids: { values } }) {
      const data = new Float32Array(values.length * size).fill(0.01);
      values.forEach((token, index) => { if (token > 1n) data[index * size + Number(token)] = 1; });
      return { last_hidden_state: { data, dims: [1, values.length, size] } };
    } };
} };`;

/** Writes the folder. Words without a group have a meaning that no query has. */
export async function writeEmbeddingModel(
  folder: string,
  groups: readonly (readonly string[])[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "model.onnx"), String(groups.length + 2));
  await writeFile(path.join(folder, "tokenizer.json"), JSON.stringify({ groups: [[], ...groups] }));
  for (const [name, source] of [
    ["@huggingface/tokenizers", tokenizers],
    ["onnxruntime-node", runtime],
  ] as const) {
    const of = path.join(folder, "node_modules", name);
    await mkdir(of, { recursive: true });
    await writeFile(path.join(of, "package.json"), JSON.stringify({ name, main: "index.js" }));
    await writeFile(path.join(of, "index.js"), source);
  }
}
