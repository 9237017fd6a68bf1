// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Comparison {
    var planText: String {
        let shown = 8
        guard case .values(let values) = right, values.count > shown else { return description }
        let short = with(right: .values(Array(values.prefix(shown))))
        return short.description.dropLast() + ", … \(values.count) values}"
    }
}
