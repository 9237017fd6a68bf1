// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// `property == value` with a value of the property's own type, which needs no check or conversion.
///
/// Most conditions that an index answers have this form. The test for rows is created only when rows have to be tested.
struct PlainEquality: Sendable {
    let comparison: Comparison
    private let path: BoundPath

    /// - Precondition: `suits(comparison, path)`, and `path` leads to a column of the object itself.
    init(_ comparison: Comparison, _ path: consuming BoundPath) {
        self.comparison = comparison
        self.path = path
    }

    static func suits(_ comparison: Comparison, _ path: BoundPath) -> Bool {
        comparison.operation == .equal && comparison.options.isEmpty
            && PlainEquality.kind(of: path, comparison.value) != nil
    }

    func count(in table: Table, _ known: ClusterLeafCache?) throws -> Int? {
        guard let column = path.ownColumn else { return nil }
        return try table.countByIndex(column, equalTo: comparison.value, known)
    }

    var condition: Condition {
        let kind = PlainEquality.kind(of: path, comparison.value) ?? .never
        return .test(PathTest(path, ValueTest(kind: kind), text: comparison))
    }

    /// Nil if the comparison needs a conversion of `value`.
    private static func kind(of path: BoundPath, _ value: StoredValue) -> ValueTest.Kind? {
        switch (path.path.type, value) {
        case (.string, .string(let text)): .string(text)
        case (.int, .int(let number)): .int(number...number)
        default: nil
        }
    }
}
