// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes links and their backlinks, with the consequences of removing a link (content 12.1 to 12.4).
struct LinkWriter: CollectionWriter {
    let transaction: WriteTransaction
}

extension WriteTransaction {
    var links: LinkWriter { @inline(__always) get { LinkWriter(transaction: self) } }
}
