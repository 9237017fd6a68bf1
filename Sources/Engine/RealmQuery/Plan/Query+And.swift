// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Query {
    /// Returns the query for the objects that also satisfy `other`, which must have the same table.
    package func and(_ other: Query) -> Query {
        let chain = self.chain ?? QueryChain(nil, condition, predicate)
        return Query(on: table, nil, or: .chain(QueryChain(chain, other.condition, other.predicate)))
    }
}
