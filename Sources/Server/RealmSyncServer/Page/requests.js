// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// Requests to the server. The browser adds the cookie with the key.

async function answer(response) {
  const isJSON = response.headers.get("Content-Type")?.startsWith("application/json")
  const content = isJSON ? await response.json() : await response.text()
  if (!response.ok) throw new Error(isJSON ? content.description : content)
  return content
}

export async function load(path) {
  return answer(await fetch(path))
}

/** Performs an operation on accounts: an action of `realm-server users`, with its parameters. */
export async function perform(action, parameters) {
  const body = JSON.stringify({ action, ...parameters })
  return answer(await fetch("/accounts", { method: "POST", headers: { "Content-Type": "application/json" }, body }))
}
