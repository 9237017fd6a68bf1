// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension OrderWorkloads {
    static let score = sorted("score", by: "score") {
        Int($0.score * 1000)
    } grdb: {
        Int(($0 as Double) * 1000)
    }
}
