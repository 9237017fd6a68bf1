// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The page of a window. It maintains a tree of elements by the operations of the host, shows it, and sends user
// actions to the host. Data from the host becomes text and values of known attributes, never markup.

// A module imports only modules below it: tree and symbols (state), connection and places (transport), show, texts, pages,
// actions and elements (views and input), batches, and this one.

import { apply } from "./batches.js"
import { start } from "./connection.js"
import { resendEdits } from "./texts.js"

start({ apply, resendEdits })
