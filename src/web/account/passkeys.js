// Makes and uses passkeys: the form carries what the browser answers. The page says which options it has, as JSON.

const form = document.querySelector("form[data-passkey]");
const button = form.querySelector("button[data-asks]");
const problem = form.querySelector("[data-problem]");
const isKnown = window.PublicKeyCredential?.parseCreationOptionsFromJSON !== undefined;
if (isKnown) button.disabled = false;
else problem.textContent = form.dataset.unknown;

button.addEventListener("click", () => void ask());

async function ask() {
  problem.textContent = "";
  if (!form.reportValidity()) return;
  button.disabled = true;
  try {
    const options = JSON.parse(form.dataset.options);
    const credential =
      form.dataset.passkey === "new"
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
          })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
          });
    form.elements.credential.value = JSON.stringify(credential.toJSON());
    form.submit();
  } catch {
    problem.textContent = form.dataset.failed;
    button.disabled = false;
  }
}
