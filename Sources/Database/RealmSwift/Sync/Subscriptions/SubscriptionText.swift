// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// The text of a query in a subscription, with the names in the file and without arguments (§5.2).
///
/// The text is that of the original for comparisons of a property and a value: an integer has no `>=` and `<=`, and
/// strings have double quotes. The server compares the texts of queries.
struct SubscriptionText {
    private let stored: (PropertyPath) -> PropertyPath
    private let isInteger: (PropertyPath) -> Bool

    /// - Parameters:
    ///   - stored: Returns a path with the names in the file.
    ///   - isInteger: Returns whether a path is that of a property of integers.
    init(
        _ stored: @escaping (PropertyPath) -> PropertyPath, isInteger: @escaping (PropertyPath) -> Bool
    ) {
        (self.stored, self.isInteger) = (stored, isInteger)
    }

    func text(_ predicate: Predicate) -> String {
        switch predicate {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): text(comparison)
        case .and(let parts): parts.map(operand).joined(separator: " and ")
        case .or(let parts): parts.map(operand).joined(separator: " or ")
        case .not(let part): "!(\(text(part)))"
        }
    }

    private func operand(_ predicate: Predicate) -> String {
        switch predicate {
        case .and, .or: "(\(text(predicate)))"
        default: text(predicate)
        }
    }

    private func text(_ comparison: Comparison) -> String {
        let (left, right) = (renamed(comparison.left), renamed(comparison.right))
        guard case .path(let path) = left, case .value(let value) = right, comparison.quantifier == nil else {
            let named = Comparison(
                left, comparison.operation, right, options: comparison.options, quantifier: comparison.quantifier)
            return "\(named)"
        }
        var (operation, shown) = (comparison.operation, value)
        if case .int(let number) = value, case .path(let written) = comparison.left, isInteger(written) {
            switch operation {
            case .greaterOrEqual where number > .min: (operation, shown) = (.greater, .int(number - 1))
            case .lessOrEqual where number < .max: (operation, shown) = (.less, .int(number + 1))
            default: break
            }
        }
        return "\(path) \(operation.rawValue)\(comparison.options) \(literal(shown))"
    }

    private func renamed(_ operand: Operand) -> Operand {
        if case .path(let path) = operand { .path(stored(path)) } else { operand }
    }

    private func literal(_ value: StoredValue) -> String {
        switch value {
        case .string(let text): SubscriptionText.quoted(Array(text.utf8))
        case .binary(let bytes): "binary(\(SubscriptionText.quoted(bytes)))"
        default: value.literal
        }
    }

    /// Printable ASCII without quotes and backslashes has double quotes. Other bytes are base 64.
    private static func quoted(_ bytes: [UInt8]) -> String {
        let isPlain = bytes.allSatisfy { 0x20...0x7E ~= $0 && !"'\"\\".utf8.contains($0) }
        return isPlain ? "\"\(String(decoding: bytes, as: UTF8.self))\"" : StoredValue.base64(bytes)
    }
}
