import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { Embedded, EmbeddingRequest } from "./embedder.ts";

/*
 * Runs a model of sentences: model.onnx and tokenizer.json, as libraries of such models write them, with the packages
 * in the folder's own node_modules, since nothing of it comes with Quire.
 */

/** A package of ONNX Runtime, as far as it is used. */
interface Runtime {
  env?: { wasm?: { numThreads?: number } };
  InferenceSession: { create(file: string, options: object): Promise<Session> };
  Tensor: new (type: "int64", values: BigInt64Array, dimensions: readonly number[]) => object;
}

interface Session {
  inputNames: readonly string[];
  outputNames: readonly string[];
  run(
    inputs: Record<string, object>,
  ): Promise<Record<string, { data: Float32Array; dims: readonly number[] }>>;
}

interface Tokenizers {
  Tokenizer: new (tokenizer: object, options: object) => { encode(text: string): { ids: number[] } };
}

const folder = workerData as string;
const inFolder = createRequire(path.join(path.resolve(folder), "package.json"));

/** The contents of a file of the folder; none if it is missing. */
function read(file: string): Record<string, unknown> {
  const whole = path.join(folder, file);
  return existsSync(whole) ? (JSON.parse(readFileSync(whole, "utf8")) as Record<string, unknown>) : {};
}

/** The native package takes a quarter of the time of the other. */
function runtime(): Runtime {
  try {
    return inFolder("onnxruntime-node") as Runtime;
  } catch {
    return inFolder("onnxruntime-web") as Runtime;
  }
}

async function open() {
  const onnx = runtime();
  if (onnx.env?.wasm !== undefined) onnx.env.wasm.numThreads = 1;
  const { Tokenizer } = inFolder("@huggingface/tokenizers") as Tokenizers;
  const tokenizer = new Tokenizer(read("tokenizer.json"), read("tokenizer_config.json"));
  const file = path.join(folder, "model.onnx");
  const session = await onnx.InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const { max_seq_length: maxTokens = 256 } = read("sentence_bert_config.json");
  const prompts = (read("config_sentence_transformers.json")["prompts"] ?? {}) as Record<string, string>;
  const begins = { query: prompts["query"] ?? "", passage: prompts["document"] ?? prompts["passage"] ?? "" };
  const isOfFirst = read("1_Pooling/config.json")["pooling_mode_cls_token"] === true;
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
  const model = `${path.basename(path.resolve(folder))} ${hash.digest("hex").slice(0, 16)}`;
  return async ({ text, as }: EmbeddingRequest): Promise<Embedded> => {
    const { ids: all } = tokenizer.encode(begins[as] + text);
    const last = all.at(-1);
    // The last token ends a text, of whatever length.
    const ids = all.length > Number(maxTokens) ? [...all.slice(0, Number(maxTokens) - 1), last ?? 0] : all;
    const tensor = (values: readonly number[]): object =>
      new onnx.Tensor("int64", BigInt64Array.from(values, BigInt), [1, ids.length]);
    const inputs: Record<string, object> = {
      input_ids: tensor(ids),
      attention_mask: tensor(ids.map(() => 1)),
      token_type_ids: tensor(ids.map(() => 0)),
    };
    const named = session.inputNames.map((name) => [name, inputs[name] ?? {}] as const);
    const outputs = await session.run(Object.fromEntries(named));
    const [first = ""] = session.outputNames;
    const output = outputs[first];
    if (output === undefined) throw new Error("The model has no output");
    return { model, vector: pooled(output, isOfFirst) };
  };
}

/** One vector of length 1 of those of all tokens: their mean, or the first one. */
function pooled(
  { data, dims }: { data: Float32Array; dims: readonly number[] },
  isOfFirst: boolean,
): Float32Array {
  const size = dims.at(-1) ?? 0;
  const tokens = isOfFirst ? 1 : data.length / size;
  const vector = new Float32Array(size);
  for (let at = 0; at < tokens * size; at++) {
    vector[at % size] = (vector[at % size] ?? 0) + (data[at] ?? 0);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

const opened = open();
opened.catch(() => undefined);

async function answer({ id, ...request }: EmbeddingRequest & { id: number }): Promise<void> {
  const answered = await opened
    .then((embed) => embed(request))
    .catch((error: unknown) => ({ problem: error instanceof Error ? error.message : String(error) }));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ id, ...answered });
}

parentPort?.on("message", (request: EmbeddingRequest & { id: number }) => void answer(request));
