// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The error of a failed check in a test helper.
public struct Failure: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

/// Throws unless `condition` is true.
///
/// Unlike an expectation it ends the test at once, and `withEvery` adds its trace to the report.
public func require(
    _ condition: Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) throws {
    if !condition { throw Failure("\(message()) [\(file):\(line)]") }
}

/// Throws unless both are equal. The error names both.
public func requireEqual<Value: Equatable>(
    _ actual: Value, _ expected: Value, _ message: @autoclosure () -> String = "", file: StaticString = #fileID,
    line: UInt = #line
) throws {
    if actual != expected {
        throw Failure("\(message()) is \(actual), should be \(expected) [\(file):\(line)]")
    }
}

/// Runs `body` for each of `values`. A failure reports the current value of each enclosing loop.
public func withEvery<Values: Sequence>(
    _ name: String, in values: Values, _ body: (Values.Element) throws -> Void
) throws {
    for value in values {
        try withTrace("\(name) = \(value)") { try body(value) }
    }
}

/// Runs `body` for each order of `elements`.
public func withEveryPermutation<Element>(
    _ name: String, of elements: [Element], _ body: ([Element]) throws -> Void
) throws {
    var order = elements
    func permute(_ count: Int) throws {
        if count <= 1 { return try withTrace("\(name) = \(order)") { try body(order) } }
        for index in 0..<count {
            try permute(count - 1)
            order.swapAt(count % 2 == 0 ? index : 0, count - 1)
        }
    }
    try permute(elements.count)
}

/// Adds `trace` before the failures of `body`.
public func withTrace<Result>(_ trace: @autoclosure () -> String, _ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch {
        throw Failure("\(trace()): \(error)")
    }
}
