// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Schema {
    /// Returns the problems that prevent the use of this schema in a synchronised Realm, one line each. Servers
    /// identify objects by a key named `_id`.
    func synchronisationErrors() -> [String] {
        classes.filter { !$0.isEmbedded }.compactMap { info in
            switch info.primaryKey?.columnName {
            case "_id": nil
            case let name?:
                "The primary key property on a synchronized Realm must be named '_id' but found '\(name)' for type "
                    + "'\(info.name)'"
            case nil:
                "There must be a primary key property named '_id' on a synchronized Realm but none was found for type "
                    + "'\(info.name)'"
            }
        }
    }
}
