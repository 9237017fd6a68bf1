// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

@testable import RealmQuery

enum NaiveNumbers {
    static func matches(_ comparison: Comparison, _ key: ObjectKey, _ index: Int, _ naive: NaiveEvaluator) -> Bool {
        let pairs = all(comparison.left, key, index, naive).flatMap { a in
            all(comparison.right, key, index, naive).map { (a, $0) }
        }
        let holds = { (pair: (StoredValue, StoredValue)) in self.holds(pair.0, comparison, pair.1) }
        switch comparison.quantifier {
        case nil, .any?: return pairs.contains(where: holds)
        case .all?: return pairs.allSatisfy(holds)
        case .no?: return !pairs.contains(where: holds)
        }
    }

    private static func all(
        _ operand: Operand, _ key: ObjectKey, _ index: Int, _ naive: NaiveEvaluator
    ) -> [StoredValue] {
        switch operand {
        case .value(let value): return [value]
        case .path(let path):
            let isToMany = ModelPath(path, naive.model, index).isToMany
            return naive.values(path.steps[...], key, index) ?? (isToMany ? [] : [.null])
        case .arithmetic(let left, let operation, let right):
            return all(left, key, index, naive).flatMap { a in
                all(right, key, index, naive).map { compute(a, operation, $0) }
            }
        default: return []
        }
    }

    private static func compute(_ a: StoredValue, _ operation: ArithmeticOperator, _ b: StoredValue) -> StoredValue {
        guard a.isNumber, b.isNumber else { return .null }
        if case .int(let a) = a, case .int(let b) = b {
            // 128 bits hold any result. The low 64 are the wrapped result.
            let (a, b) = (Int128(a), Int128(b))
            if operation == .divided, b == 0 { return .null }
            let exact = operation == .plus ? a + b : operation == .minus ? a - b : operation == .times ? a * b : a / b
            return .int(Int64(truncatingIfNeeded: exact))
        }
        if [a, b].contains(where: { if case .decimal = $0 { true } else { false } }) {
            let (a, b) = (a.asDecimal!, b.asDecimal!)
            let exact = operation == .plus ? a + b : operation == .minus ? a - b : operation == .times ? a * b : a / b
            return .decimal(exact)
        }
        let (x, y) = (double(a), double(b))
        return .double(operation == .plus ? x + y : operation == .minus ? x - y : operation == .times ? x * y : x / y)
    }

    private static func double(_ value: StoredValue) -> Double {
        switch value {
        case .int(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        default: .nan
        }
    }

    private static func holds(_ a: StoredValue, _ comparison: Comparison, _ b: StoredValue) -> Bool {
        let operation = comparison.operation
        if a.isNull || b.isNull {
            let isEqual = [.equal, .lessOrEqual, .greaterOrEqual].contains(operation)
            return isEqual && a.isNull && b.isNull || operation == .notEqual && a.isNull != b.isNull
        }
        let hasNoOrder = !comparison.options.contains(.queryLanguage) && (a.isNaN || b.isNaN)
        guard !hasNoOrder, a.isComparable(to: b) else { return operation == .notEqual }
        let order = StoredValue.compare(a, b)
        switch operation {
        case .equal: return order == 0
        case .notEqual: return order != 0
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        default: return order >= 0
        }
    }
}

enum NaiveTypes {
    static func matches(_ comparison: Comparison, _ values: [StoredValue]) -> Bool {
        let names: [String]
        switch comparison.right {
        case .value(.string(let name)): names = [name]
        case .values(let all): names = all.map { if case .string(let name) = $0 { name } else { "" } }
        default: names = []
        }
        let holds = { (value: StoredValue) in
            names.contains { has(value, $0) } != (comparison.operation == .notEqual)
        }
        switch comparison.quantifier {
        case nil, .any?: return values.contains(where: holds)
        case .all?: return values.allSatisfy(holds)
        case .no?: return !values.contains(where: holds)
        }
    }

    private static func has(_ value: StoredValue, _ name: String) -> Bool {
        switch (value, name) {
        case (.null, "null"), (.bool, "bool"), (.int, "int"), (.float, "float"), (.double, "double"): true
        case (.decimal, "decimal"), (.string, "string"), (.binary, "binary"), (.timestamp, "date"): true
        case (.objectId, "objectId"), (.uuid, "uuid"): true
        case (.link, "link"), (.link, "objectlink"), (.typedLink, "link"), (.typedLink, "objectlink"): true
        case (.int, "numeric"), (.float, "numeric"), (.double, "numeric"), (.decimal, "numeric"): true
        default: false
        }
    }
}
