/*
 * The first steps with the API, as programs that run as they stand: they sign in, list documents, upload a file and
 * search. Each reads the name and the password from the environment, and the file beside it. tests/quick-start.test.ts
 * runs them.
 */

export interface Sample {
  /** The name of the language. */
  language: string;
  /** The command that runs the sample from a file of this name. */
  command: readonly [program: string, fileName: string];
  code: string;
}

/** The samples, for an API at an address that ends in `/api/`. */
export const samplesFor = (api: string): readonly Sample[] => [
  { language: "curl", command: ["sh", "quick-start.sh"], code: curl(api) },
  { language: "Python", command: ["python3", "quick_start.py"], code: python(api) },
  { language: "TypeScript", command: ["node", "quick-start.ts"], code: typeScript(api) },
];

const curl = (api: string): string => `API=${api}

# Sign in: the access token is for the requests of the next five minutes.
TOKEN=$(curl -s "$API"token/ -d username="$QUIRE_NAME" -d password="$QUIRE_PASSWORD" |
  sed 's/.*"access": *"\\([^"]*\\)".*/\\1/')

# List the first documents that you can see.
curl -s "$API"documents/?per_page=5 -H "Authorization: Bearer $TOKEN"

# Upload a file. It is processed right away.
curl -s "$API"documents/ -H "Authorization: Bearer $TOKEN" -F title="A report" -F file=@report.pdf

# Search.
curl -s "$API"documents/search/?q=report -H "Authorization: Bearer $TOKEN"
`;

const python = (api: string): string => `import json, os
from urllib.request import Request, urlopen

API = "${api}"


def call(method, path, value=None, token=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if value is None else json.dumps(value).encode()
    with urlopen(Request(API + path, data, headers, method=method)) as answer:
        return json.load(answer)


# Sign in: the access token is for the requests of the next five minutes.
person = {"username": os.environ["QUIRE_NAME"], "password": os.environ["QUIRE_PASSWORD"]}
token = call("POST", "token/", person)["access"]

# List the first documents that you can see.
for document in call("GET", "documents/?per_page=5", token=token)["results"]:
    print(document["id"], document["title"])

# Upload a file: create its document, send the bytes, and have it processed.
document = call("POST", "documents/", {"title": "A report"}, token)
with open("report.pdf", "rb") as file:
    urlopen(Request(document["presigned_url"], file.read(), method="PUT"))
call("POST", f"documents/{document['id']}/process/", {}, token)
print("Uploaded", document["canonical_url"])

# Search.
print(call("GET", "documents/search/?q=report", token=token)["count"], "found")
`;

const typeScript = (api: string): string => `import { readFile } from "node:fs/promises";

const api = "${api}";

async function call(method: string, path: string, body: FormData | object | null, token = "") {
  const isForm = body instanceof FormData;
  const headers: Record<string, string> = {
    ...(token !== "" && { authorization: \`Bearer \${token}\` }),
    ...(body !== null && !isForm && { "content-type": "application/json" }),
  };
  const sent = body === null ? {} : { body: isForm ? body : JSON.stringify(body) };
  const answer = await fetch(api + path, { method, headers, ...sent });
  if (!answer.ok) throw new Error(\`\${answer.status} \${await answer.text()}\`);
  return answer.json();
}

// Sign in: the access token is for the requests of the next five minutes.
const { QUIRE_NAME: username, QUIRE_PASSWORD: password } = process["env"];
const { access: token } = await call("POST", "token/", { username, password });

// List the first documents that you can see.
const { results } = await call("GET", "documents/?per_page=5", null, token);
for (const { id, title } of results) console.log(id, title);

// Upload a file. It is processed right away.
const form = new FormData();
form.append("title", "A report");
form.append("file", new Blob([await readFile("report.pdf")]), "report.pdf");
const { canonical_url } = await call("POST", "documents/", form, token);
console.log("Uploaded", canonical_url);

// Search.
console.log((await call("GET", "documents/search/?q=report", null, token)).count, "found");
`;
