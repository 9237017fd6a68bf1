// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

// The page of a window. It keeps a tree of elements by the operations of the host, shows it, and tells the host what
// the user does. What comes from the host is data: it becomes text and values of known attributes, never markup.

import { connect } from "./connection.js"

connect()
