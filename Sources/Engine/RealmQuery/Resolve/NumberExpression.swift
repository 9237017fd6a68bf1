// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A number that is computed from properties and constants.
///
/// The widest of several types determines the result: Int, then Float and Double as Double, then Decimal. Integers wrap
/// around. Null, values other than numbers, and the quotient of an integer and zero give null.
indirect enum NumberExpression: Sendable {
    case constant(StoredValue)
    case path(ResolvedPath)
    case binary(NumberExpression, ArithmeticOperator, NumberExpression)

    /// From left to right.
    var paths: [ResolvedPath] {
        switch self {
        case .constant: []
        case .path(let path): [path]
        case .binary(let left, _, let right): left.paths + right.paths
        }
    }

    /// Returns the value. Takes the values of its paths from the front of `values`.
    func value(_ values: inout ArraySlice<StoredValue>) -> StoredValue {
        switch self {
        case .constant(let value): return value
        case .path: return values.popFirst() ?? .null
        case .binary(let left, let operation, let right):
            let a = left.value(&values)
            return operation.apply(a, right.value(&values))
        }
    }
}

extension ArithmeticOperator {
    package func apply(_ a: StoredValue, _ b: StoredValue) -> StoredValue {
        switch (a, b) {
        case (.int(let a), .int(let b)): return apply(a, b)
        case (.decimal, _), (_, .decimal):
            guard let a = a.asDecimal, let b = b.asDecimal else { return .null }
            return .decimal(apply(a, b))
        default:
            guard let a = a.asDouble, let b = b.asDouble else { return .null }
            return .double(apply(a, b))
        }
    }

    private func apply(_ a: Int64, _ b: Int64) -> StoredValue {
        switch self {
        case .plus: .int(a &+ b)
        case .minus: .int(a &- b)
        case .times: .int(a &* b)
        case .divided: b == 0 ? .null : .int(a.dividedReportingOverflow(by: b).partialValue)
        }
    }

    private func apply(_ a: Double, _ b: Double) -> Double {
        switch self {
        case .plus: a + b
        case .minus: a - b
        case .times: a * b
        case .divided: a / b
        }
    }

    private func apply(_ a: DecimalBits, _ b: DecimalBits) -> DecimalBits {
        switch self {
        case .plus: a + b
        case .minus: a - b
        case .times: a * b
        case .divided: a / b
        }
    }
}

extension StoredValue {
    fileprivate var asDouble: Double? {
        switch self {
        case .int(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}
